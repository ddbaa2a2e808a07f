// One pool's votes: the vote records of `votes`, each with its proposal.
import type { Store } from '../../infra/clickhouse/client.ts'
import type { PoolVoteRow } from '../../projections/contract/read-model.ts'
import { ApiProblem } from '../problem.ts'
import { hasPool } from '../queries/list-pools.ts'
import { readPoolRecord } from '../queries/list-records.ts'
import { voteRecordOf } from '../queries/vote-rows.ts'
import { aboutOf, createRecordsReader } from './records.ts'

export const createPoolRecord = (store: Store, baseUrl: string) =>
  createRecordsReader<PoolVoteRow>({
    name: 'pool-votes',
    pathOf: (operator) => `${baseUrl}/api/pools/${operator}/votes`,
    read: (served, operator, range) => readPoolRecord({ store, served }, operator, range),
    show: async (_served, { rows, about }) => ({
      items: rows.map((row) => JSON.stringify({ ...voteRecordOf(row), ...aboutOf(row, about) })),
      isSettled: true,
    }),
    checkOwner: async (served, operator) => {
      if (await hasPool({ store, served }, operator)) return
      throw new ApiProblem('pool-not-found', `This chain has no pool ${operator}.`)
    },
  })
