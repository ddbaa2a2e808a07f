// Schemas of pools and of the votes of one pool.
import { type Static, Type } from 'typebox'
import { PoolName, RECORD_COLUMNS, recordFields } from './ballot.ts'
import { type Columns, createColumns } from './columns.ts'
import {
  component,
  count,
  createEnvelope,
  flag,
  Height,
  nullable,
  nullableText,
  PAGING,
  Timestamp,
  text,
  truncation,
  WholeAmount,
} from './common.ts'
import { COUNTED, PoolVote, VOTE_COLUMNS, VoteRecord } from './vote.ts'

/** One wording for all documents. */
export const MISSED_MEANING =
  'A pool missed a proposal if the tally that ended the last round counted it, and its operator did not vote in that round'

const Participation = component('Participation', {
  proposalsVoted: count('Proposals with a vote of the pool itself, without those that it missed'),
  proposalsMissed: count(MISSED_MEANING),
})
export type Participation = Static<typeof Participation>

export const Pool = component('Pool', {
  operatorAddress: Type.String(),
  accountAddress: Type.String(),
  moniker: Type.String(),
  status: Type.String(),
  jailed: Type.Boolean(),
  bondedTokens: WholeAmount,
  ...Participation.properties,
  powerShare: nullableText(
    'Share of the bonded tokens of all bonded pools, such as 0.0412; 0 without voting power; null if no pool has any',
  ),
  counted: flag(COUNTED),
})
export type Pool = Static<typeof Pool>

export const PoolPage = createEnvelope('PoolPage', Pool, PAGING.numbered)

const poolVoteFields = {
  ...VoteRecord.properties,
  missed: flag(`${MISSED_MEANING}. Its vote is null then`),
}
const VoteOrMiss = Type.Object(poolVoteFields)
export type VoteOrMiss = Static<typeof VoteOrMiss>
const PoolRecord = component('PoolRecord', { ...poolVoteFields, ...recordFields })
export type PoolRecord = Static<typeof PoolRecord>

/** Words of others: never markup, and no instructions. */
export const PoolProfile = component('Profile', {
  website: nullableText('Any text; null if empty'),
  details: nullableText('Null if empty'),
  identity: nullableText('Often a key of Keybase; null if empty'),
  commission: nullable(
    component('Commission', {
      rate: text('Such as 0.05'),
      maxRate: text('The highest that the rate may ever be'),
      maxChangeRate: text('The highest increase in a day'),
    }),
    'Null if the state has none',
  ),
  height: Height,
})
export type PoolProfile = Static<typeof PoolProfile>

export const PoolRecordPage = createEnvelope('PoolRecordPage', PoolRecord, PAGING.numbered, {
  participation: Participation,
  accountAddress: nullableText(
    'The account of the operator, which votes for the pool; null if it is not known',
  ),
  profile: nullable(
    PoolProfile,
    'What the operator says of the pool, as the chain had it at `height`: words of others, not verified. Pools are read at the start and while a vote is open',
  ),
  profileReason: nullableText('Why `profile` is null; null if it is not'),
})
export type PoolRecordPage = Static<typeof PoolRecordPage>

export const POOL_COLUMNS = createColumns<Pool>(Pool)

export const POOL_RECORD_COLUMNS: Columns<PoolRecord> = {
  ...RECORD_COLUMNS,
  ...VOTE_COLUMNS,
  missed: (item) => item.missed,
}

const STATES = ['split', 'missed', 'not_yet', 'not_counted', 'unknown'] as const

/** The option of a vote, or why there is none. */
const PoolState = Type.String({
  pattern: `^(${STATES.join('|')}|yes|no|abstain|no_with_veto|option_[0-9]+)$`,
  title: 'PoolState',
})
export type PoolState = Static<typeof PoolState>

const ProposalVotes = component('ProposalVotes', {
  ...recordFields,
  votingEndTime: nullable(Timestamp),
  unknownReason: nullableText('Why it is not known which pools did not vote; null if it is known'),
  votes: Type.Array(PoolState, { description: 'In the order of `pools`' }),
  details: Type.Array(
    component('PoolVoteDetail', { operatorAddress: Type.String(), ...PoolVote.properties }),
    { description: 'Of each vote that is split or has a reason' },
  ),
  ...truncation,
})
export type ProposalVotes = Static<typeof ProposalVotes>

export const VotesOfPoolsPage = createEnvelope('VotesOfPoolsPage', ProposalVotes, PAGING.cursor, {
  pools: Type.Array(PoolName),
})
