// One pool's votes: the vote records of `votes`, each with its proposal.
import type { PageSources } from '../pages/page-kind.ts'
import { ApiProblem } from '../problem.ts'
import { hasPool, readParticipation } from '../queries/list-pools.ts'
import { hasPoolRecordAt, type PoolRecordRow, readPoolRecord } from '../queries/list-records.ts'
import { aboutOf, createRecordsReader } from './records.ts'

/** One object of both: `record` is the text of an object that is never empty. */
const withAbout = (record: string, about: object): string =>
  `${record.slice(0, -1)},${JSON.stringify(about).slice(1)}`

export const createPoolRecord = ({ store, baseUrl, memory }: PageSources) =>
  createRecordsReader<PoolRecordRow>(
    {
      name: 'pool-votes',
      pathOf: (operator) => `${baseUrl}/api/pools/${operator}/votes`,
      read: (served, operator, range) => readPoolRecord({ store, served }, operator, range),
      has: (served, owner, at) => hasPoolRecordAt({ store, served }, owner, at),
      show: async (_served, { rows, about }) => ({
        items: rows.map((row) => withAbout(row.record, aboutOf(row, about))),
        isSettled: true,
      }),
      aside: async (served, operator) => {
        const { counts, isSettled } = await readParticipation({ store, served }, operator)
        const participation = { proposalsVoted: counts.voted, proposalsMissed: counts.missed }
        return { shown: { participation }, isSettled }
      },
      checkOwner: async (served, operator) => {
        if (await hasPool({ store, served }, operator)) return
        throw new ApiProblem('pool-not-found', `This chain has no pool ${operator}.`)
      },
    },
    memory,
  )
