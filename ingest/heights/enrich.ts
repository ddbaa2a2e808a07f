// Completes a planned height with state: reads of several heights may run concurrently, `finish` runs in order.
import type { StateAt } from '../chain/state-at.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import { findClosed } from '../contract/governance/lifecycle.ts'
import { inOrder } from '../derive/event-at.ts'
import { contextsAfterPassing } from '../proposals/passed.ts'
import { eventsAfterSubmission, type FollowingEvents, NOTHING } from '../proposals/submission.ts'
import type { ClosingOptions } from '../rounds/closing.ts'
import type { RoundRead } from '../rounds/reading-events.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import { type EnrichedEvents, enrichFact } from './fact.ts'
import { type Governance, noteEvent } from './governance.ts'
import { createHeightState, type HeightState, type StateNode } from './height-state.ts'
import type { PlannedFact, PlannedHeight } from './plan.ts'

type EnrichedFact = EnrichedEvents & { planned: PlannedFact; following: FollowingEvents }

export type EnrichedHeight = {
  plan: PlannedHeight
  /** Of the open votes, at the tip. */
  readings: readonly RoundRead[]
  /** Undefined if there is nothing to report. */
  found: { state: HeightState; facts: readonly EnrichedFact[] } | undefined
}

export type Enriching = {
  schemas: SchemaSource
  after?: StateAt
  closing: ClosingOptions
  readings?: readonly RoundRead[]
}

/** Runs all reads of the plan at its height, in any order of heights. */
export const enrich = async (
  node: StateNode,
  plan: PlannedHeight,
  { closing, readings = [], ...sources }: Enriching,
): Promise<EnrichedHeight> => {
  if (plan.facts.length === 0) return { plan, readings, found: undefined }
  const state = createHeightState(node, plan, sources)
  const enrichOne = async (planned: PlannedFact): Promise<EnrichedFact> => {
    const { fact } = planned
    const enriched = await enrichFact(state, planned, closing)
    const following =
      fact.kind === 'submitted' ? await eventsAfterSubmission(state, fact, enriched.event) : NOTHING
    return { planned, ...enriched, following }
  }
  return { plan, readings, found: { state, facts: await Promise.all(plan.facts.map(enrichOne)) } }
}

/** The chain's own schema for the messages that the height submits; undefined if there is none. */
export const findSchema = ({ found }: EnrichedHeight): ChainSchema | undefined =>
  found?.facts.findLast(({ following }) => following.schema)?.following.schema

/** All events of the height by index, without its marker. Call in the order of heights. */
export const finish = async (
  { found, readings }: EnrichedHeight,
  { governance, schemas }: { governance: Governance; schemas: SchemaSource },
): Promise<GovernanceEvent[]> => {
  const events: GovernanceEvent[] = []
  for (const { planned, event, reading, following } of found?.facts ?? []) {
    noteEvent(governance, event, findClosed(planned.changes))
    for (const each of following.events) noteEvent(governance, each)
    events.push(event, ...following.events, ...reading)
  }
  for (const each of readings) noteEvent(governance, each)
  const { contexts } = governance
  const facts = found?.facts.map(({ event }) => event) ?? []
  const again = found ? await contextsAfterPassing(found.state, facts, { contexts, schemas }) : []
  for (const each of again) noteEvent(governance, each)
  return [...events, ...inOrder([...readings, ...again])]
}
