// Events about votes that ended before the first indexed height. They are read behind the tip, so their own height says nothing.
import { type Static, Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import { closing, PROPOSER_REASON, TxHash } from './event-members.ts'
import {
  Message,
  nullable,
  ProposalId,
  ProposalState,
  Reason,
  Time,
  withDescription,
} from './facts.ts'

const { proposalReason: _reason, log: _log, ...ended } = closing

const ClosedHeight = Type.Integer({
  minimum: 1,
  description: 'The height that ended the round: the first one whose state has its result.',
})

export const VoteReconstructed = createEventSchema(
  'rollcall.vote.reconstructed.v1',
  {
    title: 'Vote reconstructed',
    description:
      'A round of a vote that ended before the first indexed height, from the states before and after its end.',
    'x-written':
      'Once for each round of a proposal that had ended at the snapshot, newest proposal first, while the chain is followed. ' +
      'Only if all inputs of its tally were read. Again if more is known of its votes.',
    'x-state': 'The committed states of `closedHeight` and of the height before it.',
    'x-order':
      'Ordinal 524285. The events of one proposal follow each other: each round with its reading.',
  },
  Type.Object({
    ...ended,
    proposal: withDescription(ProposalState, 'The proposal at the end of `closedHeight`.'),
    proposerReason: PROPOSER_REASON,
    messages: Type.Array(Message, { description: 'The messages of the proposal.' }),
    isLast: Type.Boolean({
      description: 'False for an expedited vote that failed: the next round follows.',
    }),
    closedHeight: ClosedHeight,
    closedTime: withDescription(Time, 'The time of the block at `closedHeight`.'),
    submitted: nullable(
      Type.Object({
        height: Type.Integer({ minimum: 1, description: 'The height of the submission.' }),
        txHash: TxHash,
      }),
      'The block of the submission. Null if it was not searched or not found.',
    ),
    votes: Type.Enum(['all', 'some', 'none'], {
      description:
        'Which ballots of the reading that follows say when they were cast. `all`: each of them.',
    }),
    votesReason: nullable(Reason, 'Why `votes` is not `all`; null if it is.'),
  }),
)

export const History = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'Proposals that had ended at the snapshot.' }),
    done: Type.Integer({ minimum: 0, description: 'Of these, the reconstructed ones.' }),
    unreachable: Type.Integer({
      minimum: 0,
      description: 'Of these, the ones that no endpoint can show at present.',
    }),
    reason: nullable(Reason, 'Why the first of those cannot be read; null if none.'),
    read: Type.Array(
      Type.Object({
        from: ProposalId,
        to: ProposalId,
        votes: Type.Boolean({ description: 'Whether their votes were searched, too.' }),
      }),
      {
        description:
          'The reconstructed ones as ranges in ascending order, both ends included. With the open votes whose ballots were searched.',
      },
    ),
  },
  { title: 'History', description: 'How far the history before the first indexed height is.' },
)
export type History = Static<typeof History>
