// Schema of the vote of one pool on a proposal.
import { type Static, Type } from 'typebox'
import { WeightedOption } from '../../ingest/contract/facts.ts'
import { type Columns, formatChoices } from './columns.ts'
import {
  component,
  count,
  createEnvelope,
  ExactAmount,
  flag,
  Height,
  nullable,
  nullableText,
  PAGING,
  Timestamp,
  truncation,
  WholeAmount,
} from './common.ts'

export const OptionSums = component('OptionSums', {
  yes: nullable(ExactAmount),
  no: nullable(ExactAmount),
  abstain: nullable(ExactAmount),
  noWithVeto: nullable(ExactAmount),
})

/** One wording for all documents. */
export const COUNTED =
  'Whether tallies count the stake of the pool: bonded, not jailed, and not left out by the tally rule of the chain'

const VotingPool = component('VotingPool', {
  operatorAddress: Type.String(),
  moniker: Type.String(),
  status: Type.String(),
  jailed: Type.Boolean(),
  counted: flag(COUNTED),
})

const VoteReason = component('VoteReason', {
  metadata: nullableText('Of the vote; null if empty or not known'),
  memo: nullableText(
    'Of its transaction, which another account may have sent; null if empty or not known',
  ),
})
export type VoteReason = Static<typeof VoteReason>

/** Words of others. */
export const reason = nullable(
  VoteReason,
  'What was written beside the vote, unchanged: words of others, not verified. Null if nothing is known',
)

export const PoolVote = component('PoolVote', {
  options: Type.Array(WeightedOption),
  height: nullable(Height),
  time: nullable(Timestamp),
  txHash: nullableText('Null for a vote outside a transaction'),
  reason,
})

const DelegatorVotes = component('DelegatorVotes', {
  ballots: count(),
  votingPower: ExactAmount,
  ...OptionSums.properties,
})

export const VoteRecord = component('VoteRecord', {
  rank: nullable(
    count(),
    'Order of first appearance, which never changes; null if neither the pool nor a delegator voted',
  ),
  pool: VotingPool,
  vote: nullable(PoolVote, 'The vote of the pool itself; null if the pool did not vote'),
  votingPower: nullable(
    ExactAmount,
    'Power of the vote of the pool, or the power that its vote would have. It excludes the stake of delegators who voted themselves',
  ),
  bondedTokens: nullable(WholeAmount),
  delegators: nullable(DelegatorVotes, 'The delegators of the pool who voted themselves'),
  tally: nullable(OptionSums, 'The sum of both; the rows of a vote add up to its tally'),
  ...truncation,
})
export type VoteRecord = Static<typeof VoteRecord>

export const VotePage = createEnvelope('VotePage', VoteRecord, PAGING.pastNumbered, {
  votedReason: Type.Optional(
    nullableText(
      'Only with `voted`: why it is not known which pools voted. `totalItems` is null then, or the known votes may lack others',
    ),
  ),
})

export const VOTE_COLUMNS: Columns<VoteRecord> = {
  rank: (item) => item.rank,
  operatorAddress: (item) => item.pool.operatorAddress,
  moniker: (item) => item.pool.moniker,
  poolStatus: (item) => item.pool.status,
  jailed: (item) => item.pool.jailed,
  options: (item) => item.vote && formatChoices(item.vote.options),
  height: (item) => item.vote?.height,
  time: (item) => item.vote?.time,
  txHash: (item) => item.vote?.txHash,
  votingPower: (item) => item.votingPower,
  bondedTokens: (item) => item.bondedTokens,
  delegatorBallots: (item) => item.delegators?.ballots,
  delegatorVotingPower: (item) => item.delegators?.votingPower,
  delegatorYes: (item) => item.delegators?.yes,
  delegatorNo: (item) => item.delegators?.no,
  delegatorAbstain: (item) => item.delegators?.abstain,
  delegatorNoWithVeto: (item) => item.delegators?.noWithVeto,
  tallyYes: (item) => item.tally?.yes,
  tallyNo: (item) => item.tally?.no,
  tallyAbstain: (item) => item.tally?.abstain,
  tallyNoWithVeto: (item) => item.tally?.noWithVeto,
  poolCounted: (item) => item.pool.counted,
  reasonMetadata: (item) => item.vote?.reason?.metadata,
  reasonMemo: (item) => item.vote?.reason?.memo,
}
