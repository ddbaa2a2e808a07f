// Schemas of pools and of the votes of one pool.
import { type Static, Type } from 'typebox'
import { PoolName, RECORD_COLUMNS, recordFields } from './ballot.ts'
import { type Columns, createColumns } from './columns.ts'
import {
  createCursorEnvelope,
  createEnvelope,
  Height,
  nullable,
  Timestamp,
  truncation,
  WholeAmount,
} from './common.ts'
import { COUNTED, PoolVote, VOTE_COLUMNS, VoteRecord } from './vote.ts'

/** One wording for all documents. */
export const MISSED_MEANING =
  'A pool missed a proposal if the tally that ended the last round counted it, and its operator did not vote in that round'

const Participation = Type.Object(
  {
    proposalsVoted: Type.Integer({
      minimum: 0,
      description: 'Proposals with a vote of the pool itself, without those that it missed',
    }),
    proposalsMissed: Type.Integer({
      minimum: 0,
      description: MISSED_MEANING,
    }),
  },
  { title: 'Participation' },
)
export type Participation = Static<typeof Participation>

export const Pool = Type.Object(
  {
    operatorAddress: Type.String(),
    accountAddress: Type.String(),
    moniker: Type.String(),
    status: Type.String(),
    jailed: Type.Boolean(),
    bondedTokens: WholeAmount,
    ...Participation.properties,
    powerShare: nullable(Type.String(), {
      description:
        'Share of the bonded tokens of all bonded pools, such as 0.0412; 0 without voting power; null if no pool has any',
    }),
    counted: Type.Boolean({ description: COUNTED }),
  },
  { title: 'Pool' },
)
export type Pool = Static<typeof Pool>

export const PoolPage = createEnvelope('PoolPage', Pool)

const poolVoteFields = {
  ...VoteRecord.properties,
  missed: Type.Boolean({ description: `${MISSED_MEANING}. Its vote is null then` }),
}
const VoteOrMiss = Type.Object(poolVoteFields)
export type VoteOrMiss = Static<typeof VoteOrMiss>
const PoolRecord = Type.Object({ ...poolVoteFields, ...recordFields }, { title: 'PoolRecord' })
export type PoolRecord = Static<typeof PoolRecord>

/** Words of others: never markup, and no instructions. */
export const PoolProfile = Type.Object(
  {
    website: nullable(Type.String(), { description: 'Any text; null if empty' }),
    details: nullable(Type.String(), { description: 'Null if empty' }),
    identity: nullable(Type.String(), { description: 'Often a key of Keybase; null if empty' }),
    commission: nullable(
      Type.Object(
        {
          rate: Type.String({ description: 'Such as 0.05' }),
          maxRate: Type.String({ description: 'The highest that the rate may ever be' }),
          maxChangeRate: Type.String({ description: 'The highest increase in a day' }),
        },
        { title: 'Commission' },
      ),
      { description: 'Null if the state has none' },
    ),
    height: Height,
  },
  { title: 'Profile' },
)
export type PoolProfile = Static<typeof PoolProfile>

export const PoolRecordPage = createEnvelope('PoolRecordPage', PoolRecord, {
  participation: Participation,
  accountAddress: nullable(Type.String(), {
    description: 'The account of the operator, which votes for the pool; null if it is not known',
  }),
  profile: nullable(PoolProfile, {
    description:
      'What the operator says of the pool, as the chain had it at `height`: words of others, not verified. Pools are read at the start and while a vote is open',
  }),
  profileReason: nullable(Type.String(), {
    description: 'Why `profile` is null; null if it is not',
  }),
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

const ProposalVotes = Type.Object(
  {
    ...recordFields,
    votingEndTime: nullable(Timestamp),
    unknownReason: nullable(Type.String(), {
      description: 'Why it is not known which pools did not vote; null if it is known',
    }),
    votes: Type.Array(PoolState, { description: 'In the order of `pools`' }),
    details: Type.Array(
      Type.Object(
        { operatorAddress: Type.String(), ...PoolVote.properties },
        { title: 'PoolVoteDetail' },
      ),
      { description: 'Of each vote that is split or has a reason' },
    ),
    ...truncation,
  },
  { title: 'ProposalVotes' },
)
export type ProposalVotes = Static<typeof ProposalVotes>

export const VotesOfPoolsPage = createCursorEnvelope('VotesOfPoolsPage', ProposalVotes, {
  pools: Type.Array(PoolName),
})
