// Builds the events after a submission: the context of the proposal, and the long bytes of its messages.

import { SUB_LIMIT } from '../contract/envelope.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import type { ProposalState } from '../contract/facts.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
import type { HeightState } from '../heights/height-state.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import { bytesEvents, contextEvent, readContext } from './context.ts'

/** After the submission and a start of voting by the same event. */
const SUB = { context: 2, bytes: 3 } as const

export type FollowingEvents = {
  events: GovernanceEvent[]
  /** The schema that decoded the messages; undefined if the chain reports none. */
  schema: ChainSchema | undefined
}

export const NOTHING: FollowingEvents = { events: [], schema: undefined }

type Subject = { proposalId: string; proposal: ProposalState | null }
/** The numbers of the events, and whether the state that the messages refer to is that of now. */
type Place = { ordinal: number; context: number; bytes: number; readsContext: boolean }

/** For a proposal whose messages were decoded. */
export const eventsAfterMessages = async (
  state: HeightState,
  { proposalId, proposal }: Subject,
  { ordinal, context: sub, bytes, readsContext }: Place,
): Promise<FollowingEvents> => {
  const decoded = await state.proposals.decoded(proposalId)
  if (!decoded) return NOTHING
  const { block } = state.plan
  const subject = { proposalId, deposit: proposal?.totalDeposit ?? [], decoded }
  const context = readsContext ? await readContext(state.node, state.modules, subject) : undefined
  const kept = decoded.kept.map((each) => ({ ...each, proposalId }))
  return {
    events: [
      ...(context ? [contextEvent(block, { ordinal, sub }, context)] : []),
      ...bytesEvents(block, kept, { ordinal, sub: bytes, end: SUB_LIMIT }),
    ],
    schema: decoded.ownSchema,
  }
}

export const eventsAfterSubmission = async (
  state: HeightState,
  { ordinal }: RawFactOf<'submitted'>,
  submitted: GovernanceEvent,
): Promise<FollowingEvents> =>
  submitted.type === 'rollcall.proposal.submitted.v1'
    ? await eventsAfterMessages(state, submitted.data, { ordinal, ...SUB, readsContext: true })
    : NOTHING
