// Records: `GET /api/pools/{operatorAddress}/votes`, the votes of one pool with those that it missed, and
// `GET /api/voters/{address}/votes`, the ballots of one voter. Newest proposal first.
import { addressKey } from '../../ingest/contract/address.ts'
import type { BallotRow } from '../../projections/contract/tables/votes.ts'
import { ApiProblem } from '../read/problems.ts'
import { toBallot } from '../read/queries/ballots.ts'
import { formatEventsPath } from '../read/queries/events.ts'
import {
  hasPool,
  type NamedPool,
  poolNames,
  readPoolPrices,
  readProfile,
} from '../read/queries/pools.ts'
import { getKnownRound } from '../read/queries/proposal.ts'
import {
  hasVoterRecordAt,
  type ReadRecords,
  type RecordPosition,
  type RecordRange,
  readPoolRecord,
  readVoterRecord,
} from '../read/queries/records.ts'
import { chainVersion } from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { type RecordFields, VOTER_BALLOT_COLUMNS, VoterBallotPage } from '../schemas/ballot.ts'
import {
  MISSED_MEANING,
  POOL_RECORD_COLUMNS,
  type PoolProfile,
  PoolRecordPage,
} from '../schemas/pool.ts'
import { defineList, notIssued, type Range } from './list.ts'
import { describePower, describeVote, quote } from './reading.ts'

const RECORDS_PER_PAGE = 100

/** Proposal, round and rank of the last record on the previous page. */
const POSITION_PATTERN = /^(?:0|[1-9][0-9]{0,18})~(?:0|[1-9][0-9]{0,3})~(?:0|[1-9][0-9]{0,8})$/

const parsePosition = (position: string): RecordPosition => {
  const [proposalId = '0', round, rank] = position.split('~')
  return { proposalId, round: Number(round), rank: Number(rank) }
}

const positionsOf = (rows: readonly RecordPosition[]) => (index: number) => {
  const { proposalId, round, rank } = rows[index] as RecordPosition
  return `${proposalId}~${round}~${rank}`
}

const RECORD_LIST = {
  paging: 'numbered',
  pageSize: RECORDS_PER_PAGE,
  pagesPerReading: 10,
  positionPattern: POSITION_PATTERN,
} as const

/** The members about the proposal. The row of the proposal can be one commit behind. */
const toRecordFields = (
  row: RecordPosition,
  proposals: ReadRecords<RecordPosition>['proposals'],
): RecordFields => {
  const proposal = proposals.get(row.proposalId)
  return {
    proposalId: row.proposalId,
    title: proposal?.title ?? '',
    status: proposal?.status ?? 'voting_period',
    round: proposal && getKnownRound(proposal) === null ? null : row.round,
  }
}

const toRecordRange = ({ start, limit }: Range): RecordRange =>
  'page' in start
    ? { after: undefined, offset: start.page * RECORDS_PER_PAGE, limit }
    : { after: parsePosition(start.position), offset: 0, limit }

const findAccount = (names: readonly NamedPool[], operatorAddress: string): string | null =>
  names.find((pool) => pool.operatorAddress === operatorAddress)?.accountAddress ?? null

/** For language models: words of others, quoted. */
const describeProfile = (profile: PoolProfile | null, profileReason: string | null): string => {
  if (!profile) return `Its profile is not known: ${profileReason}.`
  const { website, details, identity, commission, height } = profile
  const said = Object.entries({ website, details, identity })
  const words = said.map(([name, text]) => `${name} ${text === null ? 'none' : quote(text)}`)
  const rate = commission ? commission.rate : 'not known'
  return `Its operator says of it, not verified, as of height ${height}: ${words.join(', ')}. Commission: ${rate}.`
}

export const poolVotes = defineList({
  ...RECORD_LIST,
  operationId: 'listPoolVotes',
  path: '/api/pools/:operatorAddress/votes',
  tag: 'Pools and voters',
  summary: 'List the votes of a pool',
  guide: 'votes of this pool, newest proposal first',
  description: `100 votes per page, newest proposal first, each with the proposal and the round. ${MISSED_MEANING}. These votes have \`missed\` true.`,
  queryParameters: ['page', 'cursor'],
  answer: PoolRecordPage,
  problems: ['pool-not-found', 'foreign-address'],
  columns: POOL_RECORD_COLUMNS,
  getWholePath: ({ proposalId }) => `/api/proposals/${proposalId}`,
  version: () => chainVersion,
  read: async (reads, { operatorAddress }, range) => {
    const [read, names, profile] = await Promise.all([
      readPoolRecord(reads, operatorAddress, toRecordRange(range)),
      reads.use(poolNames),
      readProfile(reads, operatorAddress),
    ])
    if (!read) throw notIssued()
    const { rows, proposals, total, participation } = read
    if (total === 0 && !(await hasPool(reads, operatorAddress))) {
      throw new ApiProblem('pool-not-found', `This chain has no pool ${operatorAddress}.`)
    }
    return {
      items: rows.map((row) => ({ ...row.record, ...toRecordFields(row, proposals) })),
      total,
      positionAfter: positionsOf(rows),
      extra: {
        participation,
        accountAddress: findAccount(names.value, operatorAddress),
        ...profile,
      },
    }
  },
  tool: {
    name: 'list_pool_votes',
    title: 'List the votes of a pool',
    description:
      'Lists how a pool voted, newest proposal first, and counts those that it voted on and missed. A missed vote has missed: true.',
    lines: ({ participation: { proposalsVoted, proposalsMissed }, profile, profileReason }) => [
      `It voted on ${proposalsVoted} proposals and missed ${proposalsMissed}.`,
      describeProfile(profile, profileReason),
    ],
    row: ({ proposalId, title, status, vote, votingPower, missed }) =>
      `${proposalId} ${quote(title)} (${status}): ${missed ? 'missed' : describeVote(vote)}, ${describePower(votingPower)}`,
  },
})

/** Only ballots of open votes are priced with the current pools. */
const isOpenBallot = (
  row: BallotRow,
  { proposals }: ReadRecords<BallotRow>,
  { watermarks }: Snapshot,
): boolean => {
  const current = proposals.get(row.proposalId)
  return (
    current?.round === row.round &&
    current.status === 'voting_period' &&
    row.votingPower === null &&
    watermarks.get(row.proposalId)?.final !== true
  )
}

/** The operator votes for the pool with its own account. */
const findOperatedPool = (names: readonly NamedPool[], address: string) => {
  const key = addressKey(address)
  const pool = names.find(({ accountAddress }) => addressKey(accountAddress) === key)
  return pool ? { operatorAddress: pool.operatorAddress, moniker: pool.moniker } : null
}

export const voterVotes = defineList({
  ...RECORD_LIST,
  operationId: 'listVoterVotes',
  path: '/api/voters/:address/votes',
  tag: 'Pools and voters',
  summary: 'List the votes of a voter',
  guide: 'votes of this account, newest proposal first',
  description:
    '100 ballots per page, newest proposal first. The list of an account without votes is empty. An operator address redirects to its account, and any address of an account that the log has to that account. Any other address of another chain is 404.',
  queryParameters: ['page', 'cursor'],
  answer: VoterBallotPage,
  problems: ['foreign-address'],
  columns: VOTER_BALLOT_COLUMNS,
  getWholePath: ({ proposalId }) => formatEventsPath(proposalId),
  version: () => chainVersion,
  read: async (reads, { address }, range) => {
    const { after, ...rest } = toRecordRange(range)
    const [read, names, isIssued] = await Promise.all([
      readVoterRecord(reads, address, { after, ...rest }),
      reads.use(poolNames),
      after === undefined || hasVoterRecordAt(reads, address, after),
    ])
    if (!isIssued) throw notIssued()
    const { rows } = read
    const open = new Set(rows.filter((row) => isOpenBallot(row, read, reads.snapshot)))
    const prices = open.size > 0 ? await readPoolPrices(reads) : undefined
    return {
      items: rows.map((row) => ({
        ...toBallot(row, open.has(row) ? prices : undefined),
        ...toRecordFields(row, read.proposals),
      })),
      total: read.total,
      positionAfter: positionsOf(rows),
      extra: { pool: findOperatedPool(names.value, address) },
    }
  },
  tool: {
    name: 'list_voter_votes',
    title: 'List the votes of a voter',
    description:
      'Lists how an account voted, newest proposal first, with its voting power. An account without votes has an empty list.',
    row: ({ proposalId, title, status, votingPower, ...vote }) =>
      `${proposalId} ${quote(title)} (${status}): ${describeVote(vote)}, ${describePower(votingPower)}`,
  },
})
