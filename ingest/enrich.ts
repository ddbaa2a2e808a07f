// A planned height → its full events: reads may run for many heights at once, `finish` goes in order.
import type { ChainNode } from './comet/node.ts'
import type { GovernanceEvent } from './contract/events.ts'
import { enrichFact } from './enrich/fact.ts'
import { heightStateOf } from './enrich/height-state.ts'
import { type Observations, observationEvents, observe } from './enrich/observations.ts'
import type { Observed } from './observed.ts'
import type { PlannedHeight } from './plan.ts'

export type EnrichedHeight = {
  plan: PlannedHeight
  factEvents: readonly GovernanceEvent[]
  observations: Observations
}

const NOTHING: Observations = { looked: undefined, restaked: [] }

/** Reads all that the plan asks for, at its height: the order among heights does not matter. */
export const enrich = async (
  node: Pick<ChainNode, 'abciQuery'>,
  plan: PlannedHeight,
): Promise<EnrichedHeight> => {
  const isQuiet =
    plan.facts.length === 0 && plan.restaked.length === 0 && plan.observe === 'nothing'
  if (isQuiet) return { plan, factEvents: [], observations: NOTHING }
  const state = heightStateOf(node, plan)
  const [factEvents, observations] = await Promise.all([
    Promise.all(plan.facts.map((planned) => enrichFact(state, planned))),
    observe(state),
  ])
  return { plan, factEvents: factEvents.flat(), observations }
}

/** All events of the height, by index, its marker not among them. Call height by height. */
export const finish = (
  { plan, factEvents, observations }: EnrichedHeight,
  observed: Observed,
): GovernanceEvent[] => {
  const after = observationEvents(plan, observations, observed)
  for (const event of after) observed.applyEvent(event)
  return [...factEvents, ...after]
}
