// `GET /api/pools/{operatorAddress}/votes`: the votes of one pool with those that it missed, newest proposal first.
import { ApiProblem } from '../problem.ts'
import { type PoolName, poolNames } from '../read/queries/pool-names.ts'
import { hasPoolRecordAt, readPoolRecord } from '../read/queries/pool-record.ts'
import { hasPool, readParticipation, readProfile } from '../read/queries/pools.ts'
import { chainVersion } from '../read/query.ts'
import { MISSED, POOL_RECORD_COLUMNS, type PoolProfile, PoolRecordPage } from '../schemas/pool.ts'
import { defineList } from './list.ts'
import { describePower, describeVote, quote } from './reading.ts'
import {
  checkPosition,
  createPositionLookup,
  RECORD_LIST,
  toRecordFields,
  toRecordRange,
} from './records.ts'

const findAccount = (names: readonly PoolName[], operatorAddress: string): string | null =>
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
  description: `100 votes per page, newest proposal first, each with the proposal and the round. ${MISSED}. These votes have \`missed\` true.`,
  queryParameters: ['page', 'cursor'],
  answer: PoolRecordPage,
  problems: ['pool-not-found', 'foreign-address'],
  columns: POOL_RECORD_COLUMNS,
  getWholePath: ({ proposalId }) => `/api/proposals/${proposalId}`,
  scope: ({ operatorAddress }) => ['pool-votes', operatorAddress],
  version: () => chainVersion,
  read: async (reads, { operatorAddress }, range) => {
    const [read, participation, names, profile] = await Promise.all([
      readPoolRecord(reads, operatorAddress, toRecordRange(range)),
      readParticipation(reads, operatorAddress),
      reads.use(poolNames),
      readProfile(reads, operatorAddress),
      checkPosition(range, (at) => hasPoolRecordAt(reads, operatorAddress, at)),
    ])
    const { rows, proposals, total } = read
    if (total === 0 && !(await hasPool(reads, operatorAddress))) {
      throw new ApiProblem('pool-not-found', `This chain has no pool ${operatorAddress}.`)
    }
    const { voted, missed } = participation
    return {
      items: rows
        .slice(0, range.limit)
        .map((row) => ({ ...row.record, ...toRecordFields(row, proposals) })),
      total,
      getPositionAfter: createPositionLookup(rows),
      extra: {
        participation: { proposalsVoted: voted, proposalsMissed: missed },
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
