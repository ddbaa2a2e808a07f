// The event with facts of an earlier event that no endpoint could return at its height.
import { Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import { Round, STATE_AFTER } from './event-members.ts'
import {
  GovParams,
  Message,
  nullable,
  ProposalId,
  ProposalState,
  Reason,
  TallyCounts,
  withDescription,
} from './facts.ts'

const OTHERWISE = 'Null if the earlier event has them'

export const ProposalReadLate = createEventSchema(
  'rollcall.proposal.read-late.v1',
  {
    title: 'Proposal read late',
    description:
      'Facts that are null in an earlier event, from a later state. They cannot change any more, so they are those of that event too.',
    'x-written':
      'If an event lacks the proposal, its messages, its final tally or the parameters, and a later state has them. ' +
      'The first reading is 30 seconds of block time after that event, and each next one is at twice the time. ' +
      'After a day there is one a day, for a week.',
    'x-state': STATE_AFTER,
    'x-order':
      'Ordinals up to 524284, one for each earlier event; `sub` is 0. Other events of the same state follow.',
  },
  Type.Object({
    proposalId: ProposalId,
    round: withDescription(Round, 'The round of the earlier event; 0 before a vote.'),
    completes: Type.String({ description: 'The `id` of the earlier event.' }),
    aboutHeight: Type.Integer({ minimum: 1, description: 'The height of the earlier event.' }),
    proposal: ProposalState,
    messages: nullable(Type.Array(Message), {
      description: `The messages of the proposal. ${OTHERWISE}.`,
    }),
    finalTally: nullable(TallyCounts, {
      description: `The chain’s own result of the round. ${OTHERWISE}, or if the state has none.`,
      'x-reason': 'unavailableReason',
    }),
    params: nullable(GovParams, {
      description:
        'The parameters of the tally: the log has the same ones before the end of the vote. ' +
        `${OTHERWISE}, or if they changed.`,
      'x-reason': 'unavailableReason',
    }),
    unavailableReason: nullable(Reason, {
      description: 'Why `finalTally` or `params` is still null; null if nothing is missing.',
    }),
  }),
)
