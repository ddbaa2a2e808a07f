// `GET /feed.atom?validator=`: a page of the votes that one validator cast or missed, for feed readers.

import { TABLES } from '../../projections/contract/tables.ts'
import { buildLatestTable, type StoreReads, selectRows } from '../read/queries/as-of.ts'
import { formatTimestamp } from '../read/queries/values.ts'
import { chainVersion, type Query } from '../read/query.ts'
import type { PoolRecord, PoolRecordPage } from '../schemas/pool.ts'
import type { RequestParser } from './operation.ts'
import { parseQuery } from './parameters.ts'
import { poolVotes } from './pool-votes.ts'

export type ValidatorFeedData = PoolRecordPage & {
  operatorAddress: string
  /** When the vote ended, by the proposal of a missed vote. */
  ends: ReadonlyMap<string, string>
}

type EndRow = { proposal_id: string; ended: string | null }

const readEnds = async (
  reads: StoreReads,
  items: readonly PoolRecord[],
): Promise<ValidatorFeedData['ends']> => {
  const ids = items.filter(({ missed }) => missed).map(({ proposalId }) => BigInt(proposalId))
  if (ids.length === 0) return new Map()
  const rows = await selectRows<EndRow>(
    reads,
    `SELECT proposal_id, ifNull(closed_time, voting_end_time) AS ended
     FROM ${buildLatestTable(reads.snapshot, TABLES.proposals)}
     WHERE proposal_id IN {ids:Array(UInt64)}`,
    { ids },
  )
  const known = rows.map(({ proposal_id: id, ended }) => [id, formatTimestamp(ended)] as const)
  return new Map(known.filter((each): each is [string, string] => each[1] !== null))
}

type Value = { page: unknown; ends: ValidatorFeedData['ends'] }

const createQuery = (operatorAddress: string, page = 0): Query<Value, ValidatorFeedData> => {
  const votes = poolVotes.query({ operatorAddress, page })
  return {
    name: `feed of ${votes.name}`,
    proposalId: null,
    version: chainVersion,
    read: async (reads) => {
      const { value, isUncached = false } = await reads.use(votes)
      const { items } = value as Pick<ValidatorFeedData, 'items'>
      return { value: { page: value, ends: await readEnds(reads, items) }, isUncached }
    },
    complete: ({ page: value, ends }, completion) => ({
      ...votes.complete(value, completion),
      operatorAddress,
      ends,
    }),
  }
}

export const parseValidatorFeedRequest: RequestParser<ValidatorFeedData>['parseRequest'] = ({
  query,
}) => {
  const { validator = '', page } = parseQuery(query, ['validator', 'page'], {
    required: ['validator'],
  })
  return { query: createQuery(validator, page), params: {} }
}
