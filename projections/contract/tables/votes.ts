// The tables of votes.
import type { TallyRule } from '../../../ingest/contract/tally-rule.ts'
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
  type ValueOf,
} from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'
import { tuple } from '../table/record.ts'

const weightedOption = tuple({ option: text(), weight: text() })

const stake = { operatorAddress: text(), shares: text() }

/** Its power as the tally counted it, or as of the cancellation of the vote; null before, and without evidence. */
const pricedDelegation = tuple({ ...stake, votingPower: nullable(atto()) })
export type PricedDelegation = ValueOf<typeof pricedDelegation>

export type MatchesChain = 'yes' | 'no' | 'unknown'

export const tallies = defineTable('tallies', {
  comment: 'One row per voting round of a proposal',
  key: ['proposalId', 'round'],
  version: 'version',
  granularity: 256,
  columns: {
    proposalId: id("The chain's id"),
    round: uint16('Voting round; 2 after an expedited vote failed'),
    yes: nullable(
      amount("Served number, whole base units: the chain's once it has tallied, else live"),
    ),
    abstain: nullable(amount('The same for abstain')),
    no: nullable(amount('The same for no')),
    noWithVeto: nullable(amount('The same for no with veto')),
    chainYes: nullable(amount("The chain's final tally; NULL before the tally")),
    chainAbstain: nullable(amount('The same for abstain')),
    chainNo: nullable(amount('The same for no')),
    chainNoWithVeto: nullable(amount('The same for no with veto')),
    liveYes: nullable(atto('Sum over pool_votes')),
    liveAbstain: nullable(atto('The same for abstain')),
    liveNo: nullable(atto('The same for no')),
    liveNoWithVeto: nullable(atto('The same for no with veto')),
    votingPower: nullable(
      atto(
        'Power of all votes, the numerator of the quorum; NULL if unknown. More or less than the sum of the options if weights do not add up to 1',
      ),
    ),
    final: bool('True if the numbers cannot change any more'),
    matchesChain: label<MatchesChain>(
      "yes, no, unknown: whether the recomputed tally equals the chain's tally to the unit",
    ),
    matchesChainReason: nullable(text('Why no or unknown; NULL when yes')),
    bondedTokens: nullable(amount('Denominator of the quorum, as of the tally or now')),
    quorum: nullable(text('Minimum turnout for a valid vote')),
    threshold: nullable(text('The threshold that applies in this round')),
    vetoThreshold: nullable(text('Share of no with veto above which the proposal is rejected')),
    poolsVoted: nullable(uint32('Pools whose operator voted')),
    ballots: nullable(uint32('Voters with a ballot')),
    poolRows: uint32('Rows of this round in pool_votes'),
    rule: label<TallyRule | ''>('Name of the tally rule; empty if it is not known'),
    ruleProvedHeight: nullable(
      safeInteger(
        'Last height at which the node counted the same during the vote; NULL if there is none',
      ),
    ),
    reported: bool(
      'True if the numbers are those that the node reported during the vote: those of the pools are not known',
    ),
    stakeHeight: nullable(
      safeInteger(
        'Height of the state with the stake of an open vote, as read last; NULL if the tally is final, and before the first reading',
      ),
    ),
    lastDayTime: nullable(
      time(
        'When the vote entered its last day: 24 hours before its scheduled end, or the block time of its beginning in the log if that is later; NULL if the end is not known, or before that beginning',
      ),
    ),
    version: uint64('Position of the event this row follows'),
  },
})
export type TallyRow = RowOf<typeof tallies>

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
    voteMetadata: nullable(
      text('Metadata of the vote, as its voter wrote them; NULL if there are none, or unknown'),
    ),
    voteMemo: nullable(
      text(
        'Memo of its transaction, which others may have sent; NULL if there is none, or unknown',
      ),
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
    metadata: nullable(
      text('Metadata of the vote, as its voter wrote them; NULL if there are none, or unknown'),
    ),
    memo: nullable(
      text(
        'Memo of its transaction, which others may have sent; NULL if there is none, or unknown',
      ),
    ),
    knownTime: time('Block time at which the log first has this vote'),
    firstTime: time('Block time at which the log first has a vote of the voter in this round'),
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

export const voterStakes = defineTable('voterStakes', {
  comment: 'History of what each voter had delegated, from its first ballot on',
  key: ['voter', 'position'],
  columns: {
    voter: text('Account address'),
    position: uint64(
      "Position of the first event with these delegations, until the voter's next row",
    ),
    height: safeInteger('Block height'),
    time: time('Block time'),
    delegationsKnown: bool('False if the node could not return them: delegations are then empty'),
    delegations: list(tuple(stake), 'Pools with the shares that the voter has delegated to them'),
  },
})
export type VoterStakeRow = RowOf<typeof voterStakes>
