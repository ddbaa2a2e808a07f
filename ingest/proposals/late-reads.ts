// Reads facts that earlier events lack from the state of a height, and builds their events.
import { Value } from 'typebox/value'
import {
  type Answer,
  isKnown,
  known,
  reasonOrNull,
  unavailable,
  valueOrNull,
} from '../chain/answer.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { GovParams, TallyCounts } from '../contract/facts.ts'
import { isOpen } from '../contract/governance/fact.ts'
import { withoutProposal } from '../contract/late-reads.ts'
import { eventAt, proposalSubject } from '../derive/event-at.ts'
import { createHeightState, type HeightState, type StateNode } from '../heights/height-state.ts'
import type { PlannedHeight } from '../heights/plan.ts'
import { readFinalTally } from '../rounds/close.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { Incomplete, LateReads } from './missing-facts.ts'
import { eventsAfterMessages, type FollowingEvents, NOTHING } from './submission.ts'

type ReadLate = EventOf<'rollcall.proposal.read-late.v1'>

/** The others are read at their next turn. */
const MAX_EVENTS = 16

const SUB = { event: 0, context: 1, bytes: 2 } as const

/** Parameters that are the same before and after the end of the vote are those of its tally. */
const findParams = ({ paramsBefore }: Incomplete, now: GovParams): Answer<GovParams> => {
  if (paramsBefore === null) return unavailable('the log has no parameters from before the tally')
  return Value.Equal(paramsBefore, now)
    ? known(now)
    : unavailable('the parameters changed between the last ones in the log and this height')
}

/** Undefined if the state cannot be read at this height. */
const readFacts = async (
  state: HeightState,
  incomplete: Incomplete,
): Promise<ReadLate['data'] | undefined> => {
  const { proposalId, round, id, height, missing } = incomplete
  const content = await state.after.proposal(proposalId)
  if (!isKnown(content)) return undefined
  const paramsNow = missing.params ? await state.after.params() : undefined
  if (paramsNow && !isKnown(paramsNow)) return undefined
  const tally = missing.finalTally ? readFinalTally(content.value.proposal, incomplete) : undefined
  const params = paramsNow && findParams(incomplete, paramsNow.value)
  const decoded = missing.messages
    ? await state.proposals.decode(proposalId, content.value.messages)
    : undefined
  const reasons = [tally, params].flatMap((answer) => (answer ? (reasonOrNull(answer) ?? []) : []))
  return {
    proposalId,
    round,
    completes: id,
    aboutHeight: height,
    proposal: content.value.proposal,
    messages: decoded?.messages ?? null,
    finalTally: tally ? valueOrNull<TallyCounts>(tally) : null,
    params: params ? valueOrNull<GovParams>(params) : null,
    unavailableReason: reasons.length === 0 ? null : reasons.join('; '),
  }
}

const readOne = async (
  state: HeightState,
  incomplete: Incomplete,
  ordinal: number,
): Promise<FollowingEvents> => {
  const data = await readFacts(state, incomplete)
  if (!data) return NOTHING
  const event = eventAt(
    state.plan.block,
    { ordinal, sub: SUB.event },
    {
      type: 'rollcall.proposal.read-late.v1',
      subject: proposalSubject(data.proposalId),
      data,
    },
  )
  // The context only of an open proposal: that of a closed one has passed.
  const following = data.messages
    ? await eventsAfterMessages(state, data, {
        ordinal,
        ...SUB,
        readsContext: isOpen(data.proposal),
      })
    : NOTHING
  return { ...following, events: [event, ...following.events] }
}

/** The last ordinals that no reading of the height has. */
const firstOrdinal = ({ facts }: PlannedHeight, count: number): number => {
  const taken = facts.filter(({ fact }) => fact.ordinal >= ORDINAL.firstReading).length
  const free = ORDINAL.lastReading - ORDINAL.firstReading + 1 - taken
  return ORDINAL.lastReading - Math.min(count, free) + 1
}

export type LateReading = { node: StateNode; schemas: SchemaSource; lateReads: LateReads }

/** Call in the order of heights, before the events of the height are applied. Reads nothing at nearly every height. */
export const readLate = async (
  plan: PlannedHeight,
  { node, schemas, lateReads }: LateReading,
): Promise<FollowingEvents> => {
  if (plan.times === undefined) return NOTHING
  const due = lateReads.takeDue(plan.times, MAX_EVENTS)
  if (due.length === 0) return NOTHING
  const state = createHeightState(node, plan, { schemas })
  const first = firstOrdinal(plan, due.length)
  const events: GovernanceEvent[] = []
  let schema: FollowingEvents['schema']
  const reported = new Set<string>()
  for (const [order, incomplete] of due.slice(0, ORDINAL.lastReading - first + 1).entries()) {
    const { proposalId, missing } = incomplete
    // The event before has the proposal.
    if (reported.has(proposalId) && !withoutProposal(missing)) continue
    const read = await readOne(state, incomplete, first + order)
    if (read.events.length > 0) reported.add(proposalId)
    events.push(...read.events)
    schema = read.schema ?? schema
  }
  return { events, schema }
}
