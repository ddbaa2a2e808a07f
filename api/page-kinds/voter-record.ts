// One voter's ballots, each with its proposal. Whoever never voted has an empty record: nobody knows all accounts.

import type { BallotRow } from '../../projections/contract/read-model.ts'
import type { PageSources } from '../pages/page-kind.ts'
import { ballotOf } from '../queries/ballot-rows.ts'
import { readPoolPrices } from '../queries/list-pools.ts'
import { hasVoterRecordAt, readVoterRecord } from '../queries/list-records.ts'
import type { Served } from '../served/served.ts'
import { aboutOf, createRecordsReader } from './records.ts'

/** Only the ballots of votes that are still open are priced with the pools of today. */
const isOpen = (served: Served, row: BallotRow, currentStatus: string): boolean =>
  currentStatus === 'voting_period' &&
  row.voting_power_atto === null &&
  served.watermarks.get(row.proposal_id)?.final !== true

export const createVoterRecord = ({ store, baseUrl, memory }: PageSources) =>
  createRecordsReader<BallotRow>(
    {
      name: 'voter-votes',
      pathOf: (voter) => `${baseUrl}/api/voters/${voter}/votes`,
      read: (served, voter, range) => readVoterRecord({ store, served }, voter, range),
      has: (served, owner, at) => hasVoterRecordAt({ store, served }, owner, at),
      show: async (served, { rows, about }) => {
        const open = new Set(
          rows.filter((row) => {
            const current = about.get(row.proposal_id)
            const isCurrent = current !== undefined && current.round === row.round
            return isCurrent && isOpen(served, row, current.status)
          }),
        )
        const priced =
          open.size > 0
            ? await readPoolPrices({ store, served })
            : { prices: undefined, isSettled: true }
        const items = rows.map((row) => {
          const prices = open.has(row) ? priced.prices : undefined
          return JSON.stringify({ ...ballotOf(row, prices), ...aboutOf(row, about) })
        })
        return { items, isSettled: priced.isSettled }
      },
      checkOwner: async () => undefined,
    },
    memory,
  )
