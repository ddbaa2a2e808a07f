// The table `missed_votes`: one declaration of its names, keys and columns.
import { amount, atto, id, nullable, text, uint16, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const missedVotes = defineTable('missedVotes', {
  comment: 'Pools that were in the tally of a round and cast no vote of their own',
  key: ['operatorAddress', 'proposalId', 'round'],
  version: 'version',
  columns: {
    operatorAddress: text('The pool'),
    proposalId: id("The chain's id"),
    round: uint16('Voting round'),
    moniker: text('The name of the pool as of the tally'),
    bondedTokens: nullable(amount('The tokens of the pool as of the tally')),
    votingPower: nullable(atto('The power that the vote of the pool would have had')),
    version: uint64('Position of the event this row follows'),
  },
})
export type MissedVoteRow = RowOf<typeof missedVotes>
