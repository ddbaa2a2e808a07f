// `GET /api/voters/{address}/votes`: the ballots of one voter, newest proposal first.

import { addressKey } from '../../ingest/contract/address.ts'
import type { BallotRow } from '../../projections/contract/tables/votes.ts'
import { toBallot } from '../read/queries/ballot-rows.ts'
import { formatEventsPath } from '../read/queries/events.ts'
import { type PoolName, poolNames } from '../read/queries/pool-names.ts'
import { readPoolPrices } from '../read/queries/pools.ts'
import { hasVoterRecordAt, type ReadRecords, readVoterRecord } from '../read/queries/records.ts'
import { chainVersion } from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { VOTER_BALLOT_COLUMNS, VoterBallotPage } from '../schemas/ballot.ts'
import { defineList } from './list.ts'
import { describePower, describeVote, quote } from './reading.ts'
import {
  checkPosition,
  createPositionLookup,
  RECORD_LIST,
  toRecordFields,
  toRecordRange,
} from './records.ts'

/** Only ballots of open votes are priced with the current pools. */
const isOpen = (
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
const findOperatedPool = (names: readonly PoolName[], address: string) => {
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
  scope: ({ address }) => ['voter-votes', address],
  version: () => chainVersion,
  read: async (reads, { address }, range) => {
    const [read, names] = await Promise.all([
      readVoterRecord(reads, address, toRecordRange(range)),
      reads.use(poolNames),
      checkPosition(range, (at) => hasVoterRecordAt(reads, address, at)),
    ])
    const rows = read.rows.slice(0, range.limit)
    const open = new Set(rows.filter((row) => isOpen(row, read, reads.snapshot)))
    const prices = open.size > 0 ? await readPoolPrices(reads) : undefined
    return {
      items: rows.map((row) => ({
        ...toBallot(row, open.has(row) ? prices : undefined),
        ...toRecordFields(row, read.proposals),
      })),
      total: read.total,
      getPositionAfter: createPositionLookup(read.rows),
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
