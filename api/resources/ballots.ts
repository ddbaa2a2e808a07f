// `GET /api/proposals/{proposalId}/ballots`: the votes on one proposal per voter. Without a filter all pages cost the same.
import { addressKey } from '../../ingest/contract/address.ts'
import { type Prices, toBallot } from '../read/queries/ballot-rows.ts'
import {
  type BallotFilter,
  type BallotOrder,
  ballotsOutsideState,
  countRanks,
  readBallots,
  searchBallots,
} from '../read/queries/ballots.ts'
import { formatEventsPath } from '../read/queries/events.ts'
import { readPoolPrices } from '../read/queries/pools.ts'
import { readRound } from '../read/queries/proposal-rounds.ts'
import { proposalVersion, type Reads } from '../read/query.ts'
import { BALLOT_COLUMNS, type Ballot, BallotPage } from '../schemas/ballot.ts'
import { notIssued } from './cursor.ts'
import { defineList } from './list.ts'
import type { Range, Slice } from './list-query.ts'

const BALLOTS_PER_PAGE = 1_000

/** The number of ballots before a page, or the rank at which the page of a filtered list begins. */
export const BALLOT_POSITION = /^[1-9][0-9]{0,8}$/

export const BALLOT_PARAMETERS = ['round', 'voter', 'option', 'delegatedTo', 'sort'] as const

export type BallotArguments = Omit<BallotFilter, 'voterKey'> & {
  proposalId: string
  voter?: string | undefined
  round?: number | undefined
  sort?: 'power' | undefined
}

/** The definition of the list has it too, with and without filters. */
export const createBallotScope = (args: BallotArguments): string[] => {
  const { proposalId, round, voter, option, delegatedTo, sort } = args
  const filters = [voter, option, delegatedTo, sort].map((value) => value ?? '')
  const isPlain = filters.every((value) => value === '')
  return ['ballots', proposalId, `${round ?? ''}`, ...(isPlain ? [] : filters)]
}

type Found = { round: number; prices: Prices; range: Range; pageSize: number }

/** All pages in order of rank cost the same. Requires that no ballot is outside the state. */
const readPlain = async (
  reads: Reads,
  { proposalId }: BallotArguments,
  { round, prices, range: { start, limit }, pageSize }: Found,
): Promise<Slice<Ballot>> => {
  const from = 'position' in start ? Number(start.position) : start.page * pageSize
  const [total, rows] = await Promise.all([
    countRanks(reads, { proposalId, round }),
    readBallots(reads, { proposalId, round, from, to: from + limit }),
  ])
  if ('position' in start && (from >= total || from % pageSize > 0)) throw notIssued()
  return {
    items: rows.map((row) => toBallot(row, prices)),
    total,
    getPositionAfter: (count) => (from + count < total ? `${from + count}` : null),
  }
}

/**
 * In order of rank, the position is the rank after the last ballot, so that a change of a vote shifts no page.
 * In order of power it is the number of ballots before the page.
 */
const readFiltered = async (
  reads: Reads,
  { proposalId, sort, ...filter }: BallotArguments,
  { round, prices, range: { start, limit }, pageSize }: Found,
): Promise<Slice<Ballot>> => {
  const { voter, option, delegatedTo } = filter
  const order: BallotOrder = sort === 'power' ? { by: 'power', prices } : { by: 'rank' }
  const position = 'position' in start ? Number(start.position) : undefined
  const offset = 'page' in start ? start.page * pageSize : 0
  const isByRank = order.by === 'rank'
  const from = isByRank ? offset : (position ?? offset)
  const { rows, total } = await searchBallots(reads, {
    proposalId,
    round,
    filter: { voterKey: voter && addressKey(voter), option, delegatedTo },
    order,
    fromRank: isByRank ? position : undefined,
    offset: from,
    // One additional row shows whether a next page exists.
    limit: limit + 1,
  })
  if (position !== undefined && rows.length === 0) throw notIssued()
  const getPositionAfter = (count: number): string | null => {
    const last = rows[count - 1]
    if (!last || count >= rows.length) return null
    return isByRank ? `${last.rank + 1}` : `${from + count}`
  }
  const items = rows.slice(0, limit).map((row) => toBallot(row, prices))
  // A client can construct any number of positions.
  return { items, total, getPositionAfter, isUncached: position !== undefined }
}

/** The read of a list of ballots, whatever its page size. */
export const readBallotList =
  (pageSize: number) =>
  async (reads: Reads, args: BallotArguments, range: Range): Promise<Slice<Ballot>> => {
    const { round, tally, hasAllBallots } = await readRound(reads, args)
    // The powers of an open vote are computed from the current pools.
    const isTallied = tally?.final ?? true
    const prices = isTallied ? undefined : await readPoolPrices(reads)
    const { proposalId, voter, option, delegatedTo, sort } = args
    const isFiltered = [voter, option, delegatedTo, sort].some((value) => value !== undefined)
    const hasGaps = async () => (await reads.use(ballotsOutsideState({ proposalId, round }))).value
    const isPlain = !isFiltered && !(await hasGaps())
    const read = isPlain ? readPlain : readFiltered
    const slice = await read(reads, args, { round, prices, range, pageSize })
    return slice.total === 0 && !hasAllBallots ? { ...slice, total: null } : slice
  }

export const proposalBallots = defineList({
  operationId: 'listProposalBallots',
  path: '/api/proposals/:proposalId/ballots',
  tag: 'Proposals',
  summary: 'List the votes per voter',
  guide: 'ballots, one per voter',
  description:
    '1,000 ballots per page in the order of the first ballot, with the power of each delegation. `voter` answers whether an address voted itself. `delegatedTo` has the delegators of one pool, who override its vote. With `sort=power` the largest voting power is first, and the pages of an open vote can shift.',
  queryParameters: ['cursor', ...BALLOT_PARAMETERS],
  answer: BallotPage,
  problems: ['round-not-found'],
  paging: 'cursor',
  pageSize: BALLOTS_PER_PAGE,
  // More pages would use much memory for a client that reads only one.
  pagesPerReading: 2,
  positionPattern: BALLOT_POSITION,
  columns: BALLOT_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  scope: createBallotScope,
  version: ({ proposalId }) => proposalVersion(proposalId),
  read: readBallotList(BALLOTS_PER_PAGE),
})
