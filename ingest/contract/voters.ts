// A voter with all delegations, in the snapshot and after a change.
import { type Static, Type } from 'typebox'
import { Delegation } from './delegation.ts'
import { Address, BallotOptions, nullable, ProposalId, Reason } from './facts.ts'
import { READ_LATER } from './read-later.ts'

/** The stake of a voter, and the member with the reason why it is null. */
export const delegationsWithReason = (description: string) => ({
  delegations: nullable(Type.Array(Delegation), {
    description: `${description} By operator address; empty if there are none. Null if the node cannot return them.`,
    'x-reason': 'delegationsReason',
  }),
  delegationsReason: nullable(Reason, {
    description: 'Why `delegations` is null; null if it is not null.',
  }),
})

export const VoteState = Type.Object(
  {
    proposalId: ProposalId,
    voter: Address,
    options: BallotOptions,
    ...delegationsWithReason(
      'The voter’s delegations at the snapshot’s state height. ' +
        `With many voters, some have the reason \`${READ_LATER}\`: a \`stake.changed\` of a height after it has them.`,
    ),
  },
  { title: 'VoteState', description: 'A vote in the state of the chain at the snapshot.' },
)
export type VoteState = Static<typeof VoteState>

export const StakeChange = Type.Object(
  {
    voter: Address,
    ...delegationsWithReason('All delegations of the voter after this height.'),
  },
  { title: 'StakeChange', description: 'The delegations of one voter.' },
)
