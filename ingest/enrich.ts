// A planned height → its full events: reads may run for many heights at once, `finish` goes in order.
import type { ChainNode } from './comet/node.ts'
import type { GovernanceEvent } from './contract/events.ts'
import { type Closing, type EvidenceOptions, evidenceEvents } from './enrich/evidence.ts'
import { enrichFact } from './enrich/fact.ts'
import { type HeightState, heightStateOf } from './enrich/height-state.ts'
import {
  type Observations,
  observationEvents,
  observe,
  observeSlashed,
} from './enrich/observations.ts'
import type { Observed } from './observed.ts'
import type { OpenStakes } from './open-stakes.ts'
import type { PlannedHeight } from './plan.ts'

export type EnrichedHeight = {
  plan: PlannedHeight
  /** Undefined where there is nothing to tell. */
  found:
    | {
        state: HeightState
        /** One list for each fact of the plan. */
        factEvents: readonly (readonly GovernanceEvent[])[]
        observations: Observations
      }
    | undefined
}

/** Reads all that the plan asks for, at its height: the order among heights does not matter. */
export const enrich = async (
  node: Pick<ChainNode, 'abciQuery'>,
  plan: PlannedHeight,
): Promise<EnrichedHeight> => {
  const { facts, restaked } = plan
  const isQuiet = facts.length === 0 && restaked.length === 0 && plan.observe === 'nothing'
  if (isQuiet) return { plan, found: undefined }
  const state = heightStateOf(node, plan)
  const [factEvents, observations] = await Promise.all([
    Promise.all(facts.map((planned) => enrichFact(state, planned))),
    observe(state),
  ])
  return { plan, found: { state, factEvents, observations } }
}

export type Finishing = {
  observed: Observed
  stakes: OpenStakes
  evidence: EvidenceOptions
}

type Found = NonNullable<EnrichedHeight['found']>

/** Undefined for all but a round that came to its tally. */
const closingOf = (
  { state, factEvents }: Found,
  order: number,
): Omit<Closing, 'stakes'> | undefined => {
  const planned = state.plan.facts[order]
  const [event] = factEvents[order] ?? []
  if (!planned || planned.round === 0) return undefined
  const { fact } = planned
  if (fact.kind !== 'closed' && fact.kind !== 'restarted') return undefined
  if (
    event?.type !== 'rollcall.proposal.closed.v1' &&
    event?.type !== 'rollcall.voting.restarted.v1'
  )
    return undefined
  return { state, ended: { ...planned, fact }, close: event.data }
}

const withEvidence = async (
  found: Found,
  { stakes, evidence }: Finishing,
): Promise<GovernanceEvent[]> => {
  const events: GovernanceEvent[] = []
  for (const [order, own] of found.factEvents.entries()) {
    for (const event of own) events.push(event)
    const closing = closingOf(found, order)
    if (!closing) continue
    for (const event of await evidenceEvents({ ...closing, stakes }, evidence)) events.push(event)
  }
  return events
}

/** All events of the height, by index, its marker not among them. Call height by height. */
export const finish = async (
  { plan, found }: EnrichedHeight,
  finishing: Finishing,
): Promise<GovernanceEvent[]> => {
  if (!found) return []
  const { observed, stakes } = finishing
  const slashed = await observeSlashed(found.state, found.observations, { observed, stakes })
  const restaked = [...found.observations.restaked, ...slashed]
  const { strategy } = finishing.evidence
  const observations = { ...found.observations, restaked, strategy }
  const after = observationEvents(plan, observations, observed)
  for (const event of after) observed.applyEvent(event)
  // What a tally of this height needs is known from here on.
  for (const event of [...found.factEvents.flat(), ...after]) stakes.learn(event)
  const events = [...(await withEvidence(found, finishing)), ...after]
  // One by one, as a restart folds them from the log.
  for (const event of events) {
    stakes.learn(event)
    stakes.settle(event)
  }
  return events
}
