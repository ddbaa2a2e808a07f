// The table `ballots`: one declaration of its names, keys and columns.
import {
  atto,
  bool,
  id,
  list,
  nullable,
  safeInteger,
  text,
  time,
  uint16,
  uint32,
  uint64,
} from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'
import { pricedDelegation, weightedOption } from './tuples.ts'

export const ballots = defineTable('ballots', {
  comment: 'Latest ballot of each voter on each proposal, per round',
  key: ['proposalId', 'round', 'rank'],
  version: 'version',
  copies: { ballotsByVoter: ['voterKey', 'proposalId', 'round', 'rank'] },
  granularity: 256,
  indexes: { inState: 'minmax GRANULARITY 1' },
  columns: {
    proposalId: id("The chain's id"),
    round: uint16('Voting round'),
    rank: uint32("Order of the voter's first ballot in this round, from 0"),
    voter: text("Account address; a pool's operator votes with its account address too"),
    voterKey: text("Key of the voter's bytes: equal for every text of its address"),
    options: list(weightedOption, 'The vote with its weights, to 18 decimals'),
    counted: bool("False for a vote after its own proposal's tally, in the same end block"),
    inState: bool(
      'False for a vote that only an event has, and not the state of the chain: it is neither listed nor counted',
    ),
    height: nullable(safeInteger('Height of the vote; NULL if it is not known')),
    time: nullable(time('Block time of the vote; NULL if not known')),
    txHash: nullable(text('Transaction of the vote; NULL if there is none, or if it is unknown')),
    votingPower: nullable(
      atto('Sum over the delegations, as the tally counted it; NULL before the tally'),
    ),
    delegationsKnown: bool('False if the node could not return them: delegations are then empty'),
    delegations: list(
      pricedDelegation,
      "The voter's delegations, as of the tally or now; their power as the tally counted it, NULL before the tally",
    ),
    version: uint64('Position of the event this row follows'),
  },
})
export type BallotRow = RowOf<typeof ballots>
