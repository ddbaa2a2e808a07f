// Builds the events after a submission: the context of the proposal, and the long bytes of its messages.

import { SUB_LIMIT } from '../contract/envelope.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import { bytesEvents, contextEvent, readContext } from './context.ts'
import type { HeightState } from './height-state.ts'

/** After the submission and a start of voting by the same event. */
const SUB = { context: 2, bytes: 3 } as const

export type FollowingEvents = {
  events: GovernanceEvent[]
  /** The schema that decoded the messages; undefined if the chain reports none. */
  schema: ChainSchema | undefined
}

export const eventsAfterSubmission = async (
  state: HeightState,
  { proposalId, ordinal }: RawFactOf<'submitted'>,
  submitted: GovernanceEvent,
): Promise<FollowingEvents> => {
  const decoded = await state.proposals.decoded(proposalId)
  if (!decoded || submitted.type !== 'rollcall.proposal.submitted.v1') {
    return { events: [], schema: undefined }
  }
  const deposit = submitted.data.proposal?.totalDeposit ?? []
  const subject = { proposalId, deposit, decoded }
  const { block } = state.plan
  const context = await readContext(state.node, state.modules, subject)
  const kept = decoded.kept.map((each) => ({ ...each, proposalId }))
  return {
    events: [
      ...(context ? [contextEvent(block, { ordinal, sub: SUB.context }, context)] : []),
      ...bytesEvents(block, kept, { ordinal, sub: SUB.bytes, end: SUB_LIMIT }),
    ],
    schema: decoded.ownSchema,
  }
}
