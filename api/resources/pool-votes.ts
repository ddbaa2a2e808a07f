// `GET /api/pools/{operatorAddress}/votes`: the votes of one pool, newest proposal first.
import { ApiProblem } from '../problem.ts'
import { hasPool, readParticipation } from '../read/queries/pools.ts'
import { hasPoolRecordAt, readPoolRecord } from '../read/queries/records.ts'
import { toVoteRecord } from '../read/queries/votes.ts'
import { chainVersion } from '../read/query.ts'
import { POOL_RECORD_COLUMNS, PoolRecordPage } from '../schemas/pool.ts'
import { defineList } from './list.ts'
import {
  checkPosition,
  createPositionLookup,
  RECORD_LIST,
  toRecordFields,
  toRecordRange,
} from './records.ts'

export const poolVotes = defineList({
  ...RECORD_LIST,
  operationId: 'listPoolVotes',
  path: '/api/pools/:operatorAddress/votes',
  tag: 'Pools and voters',
  summary: 'List the votes of a pool',
  description: '100 votes per page, newest proposal first, each with the proposal and the round.',
  queryParameters: ['page', 'cursor'],
  answer: PoolRecordPage,
  problems: ['pool-not-found'],
  columns: POOL_RECORD_COLUMNS,
  getWholePath: ({ proposalId }) => `/api/proposals/${proposalId}`,
  scope: ({ operatorAddress }) => ['pool-votes', operatorAddress],
  version: () => chainVersion,
  read: async (reads, { operatorAddress }, range) => {
    const [read, participation] = await Promise.all([
      readPoolRecord(reads, operatorAddress, toRecordRange(range)),
      readParticipation(reads, operatorAddress),
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
        .map((row) => ({ ...toVoteRecord(row), ...toRecordFields(row, proposals) })),
      total,
      getPositionAfter: createPositionLookup(rows),
      extra: { participation: { proposalsVoted: voted, proposalsMissed: missed } },
    }
  },
})
