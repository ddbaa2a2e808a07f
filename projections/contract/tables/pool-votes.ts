// The table `pool_votes`: one declaration of its names, keys and columns.
import {
  amount,
  atto,
  bool,
  id,
  label,
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
import { weightedOption } from './tuples.ts'

export const poolVotes = defineTable('poolVotes', {
  comment: 'One row per pool that voted or whose delegators did, in page order',
  key: ['proposalId', 'round', 'rank'],
  version: 'version',
  copies: { votesByPool: ['operatorAddress', 'proposalId', 'round'] },
  granularity: 256,
  columns: {
    proposalId: id("The chain's id"),
    round: uint16('Voting round'),
    rank: uint32("Order of the pool's first appearance in the vote, from 0"),
    operatorAddress: text("The pool: the validator's operator address"),
    moniker: text("The pool's name, as of the tally or now"),
    status: label('bonded, unbonding, unbonded: as of the tally or now; only bonded pools count'),
    jailed: bool('As of the tally or now; a jailed pool does not count'),
    counted: bool(
      'False if tallies leave the pool out, although it is bonded and not jailed: as of the tally or now',
    ),
    voted: bool('True if the operator itself voted; else only delegators did'),
    options: list(weightedOption, "The operator's vote with its weights; empty if it did not vote"),
    voteHeight: nullable(
      safeInteger("Height of the pool's own vote; NULL if there is none or it is not known"),
    ),
    voteTime: nullable(time('Block time of that vote; NULL if there is none or it is not known')),
    voteTxHash: nullable(
      text('Transaction of that vote; NULL if there is none or it is not known'),
    ),
    votingPower: nullable(
      atto("Power of the pool's own vote, or that it would have, after deductions"),
    ),
    bondedTokens: nullable(amount("The pool's tokens")),
    delegatorBallots: uint32('Delegators of this pool with their own ballot'),
    delegatorPower: nullable(atto('Power of these delegators in this pool')),
    delegatorYes: nullable(atto('Of it, for yes')),
    delegatorAbstain: nullable(atto('Of it, for abstain')),
    delegatorNo: nullable(atto('Of it, for no')),
    delegatorNoWithVeto: nullable(atto('Of it, for no with veto')),
    yes: nullable(atto("The pool's whole part for yes: its own vote and its delegators'")),
    abstain: nullable(atto('The same for abstain')),
    no: nullable(atto('The same for no')),
    noWithVeto: nullable(atto('The same for no with veto')),
    version: uint64('Position of the event this row follows'),
  },
})
export type PoolVoteRow = RowOf<typeof poolVotes>
