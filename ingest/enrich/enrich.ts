// Completes a planned height with state: reads of several heights may run concurrently, `finish` runs in order.
import type { StateAt } from '../chain/state-at.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import { inOrder } from '../derive/event-at.ts'
import { evolve, type Logged } from '../governance/governance.ts'
import { type DelegationsOf, delegationsAtTally } from '../governance/open-stakes.ts'
import type { PlannedFact, PlannedHeight } from '../governance/plan.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import { type Closing, type EvidenceOptions, evidenceEvents } from './evidence.ts'
import { enrichFact } from './fact.ts'
import { createHeightState, type HeightState, type StateNode } from './height-state.ts'
import { observeTallies } from './node-tallies.ts'
import {
  joinReads,
  type Observations,
  observationEvents,
  observe,
  observeRuled,
  observeSlashed,
  observeUnknown,
  paramsEvents,
} from './observations.ts'
import { contextsAfterPassing } from './passed.ts'
import { reconcile, type SilentTally } from './reconciled.ts'
import { eventsAfterSubmission, type FollowingEvents, NOTHING } from './submission.ts'

type EnrichedFact = {
  planned: PlannedFact
  event: GovernanceEvent
  following: FollowingEvents
  silentTally?: SilentTally | undefined
}

export type EnrichedHeight = {
  plan: PlannedHeight
  /** Undefined if there is nothing to report. */
  found:
    | { state: HeightState; facts: readonly EnrichedFact[]; observations: Observations }
    | undefined
}

/** Runs all reads of the plan at its height, in any order of heights. */
export const enrich = async (
  node: StateNode,
  plan: PlannedHeight,
  sources: { schemas: SchemaSource; after?: StateAt },
): Promise<EnrichedHeight> => {
  // During a vote the rule of the tally may change stake in any block.
  const isQuiet =
    plan.facts.length === 0 &&
    plan.changedVoters.length === 0 &&
    plan.observe === 'nothing' &&
    plan.openSince === null
  if (isQuiet) return { plan, found: undefined }
  const state = createHeightState(node, plan, sources)
  const enrichOne = async (planned: PlannedFact): Promise<EnrichedFact> => {
    const { fact } = planned
    if (fact.kind === 'reconciled') {
      const { event, tally } = await reconcile(state, { ...planned, fact })
      return { planned, event, following: NOTHING, silentTally: tally }
    }
    const event = await enrichFact(state, planned)
    const following =
      fact.kind === 'submitted' ? await eventsAfterSubmission(state, fact, event) : NOTHING
    return { planned, event, following }
  }
  const [facts, observations] = await Promise.all([
    Promise.all(plan.facts.map(enrichOne)),
    observe(state),
  ])
  return { plan, found: { state, facts, observations } }
}

export type Finishing = {
  logged: Logged
  schemas: SchemaSource
  evidence: EvidenceOptions
}

/** Undefined except for a round that reached its tally. */
const tallied = (
  { planned, event, silentTally }: EnrichedFact,
  state: HeightState,
  delegationsOf: DelegationsOf,
): Closing | undefined => {
  const { fact, round } = planned
  const { ordinal, sub } = fact
  const reportedAt = { block: state.plan.block, ordinal, sub }
  // The log may have later delegations than those of the tally: all are read.
  if (silentTally) return { ...silentTally, reportedAt, delegationsOf: () => undefined }
  if (round === 0 || (fact.kind !== 'closed' && fact.kind !== 'restarted')) return undefined
  if (event.type !== 'rollcall.proposal.closed.v1' && event.type !== 'rollcall.voting.restarted.v1')
    return undefined
  const ended = { ...planned, fact }
  return { state, reportedAt, ended, close: event.data, delegationsOf }
}

/** The chain's own schema for the messages that the height submits; undefined if there is none. */
export const findSchema = ({ found }: EnrichedHeight): ChainSchema | undefined =>
  found?.facts.findLast(({ following }) => following.schema)?.following.schema

type Found = NonNullable<EnrichedHeight['found']>

/** The node's tallies with the parameters: another rule may be found. The other events of the height are applied already. */
const compareTallies = async (
  { state, observations }: Found,
  { logged, evidence }: Finishing,
): Promise<GovernanceEvent[]> => {
  const { observed, stakes, tallies } = logged
  const { plan, after } = state
  const { rule: shown, pools } = observations
  const compared =
    shown && pools && plan.observesParams
      ? await observeTallies(
          { block: plan.block, after, pools: pools.pools, shown, stakes },
          tallies,
        )
      : []
  const before = tallies.adopted()
  for (const event of compared) evolve(logged, event)
  const adopted = tallies.adopted()
  if (adopted && adopted.rule !== before?.rule) {
    const { height } = plan.block
    evidence.logger.warn({ height, ...adopted }, 'adopted the tally rule that the node counts by')
  }
  const rule = shown && tallies.ruleOf(shown)
  const params = paramsEvents(plan, { ...observations, rule }, observed)
  for (const event of params) evolve(logged, event)
  return [...params, ...compared]
}

/** All events of the height by index, without its marker. Call in the order of heights. */
export const finish = async (
  { plan, found }: EnrichedHeight,
  finishing: Finishing,
): Promise<GovernanceEvent[]> => {
  const { logged, schemas, evidence } = finishing
  const { stakes, contexts } = logged
  if (!found) return []
  const { state, facts, observations } = found
  const changedDelegations = joinReads([
    ...observations.changedDelegations,
    ...(await observeSlashed(state, observations, logged)),
    ...(await observeRuled(state, observations, logged)),
    ...(await observeUnknown(state, stakes)),
  ])
  const after = observationEvents(plan, { ...observations, changedDelegations }, logged.observed)
  const delegationsOf = delegationsAtTally(stakes, [...facts.map(({ event }) => event), ...after])
  const events: GovernanceEvent[] = []
  for (const fact of facts) {
    events.push(fact.event, ...fact.following.events)
    const closing = tallied(fact, state, delegationsOf)
    if (!closing) continue
    for (const event of await evidenceEvents(closing, evidence)) events.push(event)
  }
  // One by one and in order, as a restart folds them from the log.
  for (const event of [...events, ...after]) evolve(logged, event)
  events.push(...inOrder([...after, ...(await compareTallies(found, finishing))]))
  const own = facts.map(({ event }) => event)
  const again = await contextsAfterPassing(state, own, { contexts, schemas })
  for (const event of again) {
    evolve(logged, event)
    events.push(event)
  }
  return events
}
