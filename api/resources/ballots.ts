// `GET /api/proposals/{proposalId}/ballots` and the page `/proposals/{proposalId}/ballots`: the votes on one proposal per voter.
// Without a filter all pages cost the same.
import { addressKey } from '../../ingest/contract/address.ts'
import {
  type BallotFilter,
  type BallotOrder,
  ballotsOutsideState,
  countRanks,
  type Prices,
  readBallots,
  searchBallots,
  toBallot,
} from '../read/queries/ballots.ts'
import { formatEventsPath } from '../read/queries/events.ts'
import {
  type NamedPool,
  poolNames,
  readPoolChoices,
  readPoolPrices,
} from '../read/queries/pools.ts'
import { createVoteRoundsQuery, readRound } from '../read/queries/proposal-rounds.ts'
import { readRecordProposals } from '../read/queries/records.ts'
import type { Reads } from '../read/query.ts'
import { BALLOT_COLUMNS, type Ballot, BallotPage, BallotTablePage } from '../schemas/ballot.ts'
import {
  defineList,
  notIssued,
  OFFSET,
  type Range,
  type Slice,
  toOffsetRange,
  toOffsetSlice,
} from './list.ts'

const BALLOTS_PER_PAGE = 1_000

const BALLOT_PARAMETERS = ['round', 'voter', 'option', 'delegatedTo', 'sort'] as const

type BallotArguments = Omit<BallotFilter, 'voterKey'> & {
  proposalId: string
  voter?: string | undefined
  round?: number | undefined
  sort?: 'power' | undefined
}

type BallotReading = { round: number; prices: Prices; range: Range; pageSize: number }

/** All pages in order of rank cost the same. Requires that no ballot is outside the state. */
const readPlain = async (
  reads: Reads,
  { proposalId }: BallotArguments,
  { round, prices, range, pageSize }: BallotReading,
): Promise<Slice<Ballot>> => {
  const { from, limit } = toOffsetRange(range, pageSize)
  const [total, rows] = await Promise.all([
    countRanks(reads, { proposalId, round }),
    readBallots(reads, { proposalId, round, from, to: from + limit }),
  ])
  const items = rows.map((row) => toBallot(row, prices))
  return toOffsetSlice({ items, total }, { start: range.start, from, pageSize })
}

/**
 * In order of rank, the position is the rank after the last ballot, so that a change of a vote shifts no page.
 * In order of power it is the number of ballots before the page.
 */
const readFiltered = async (
  reads: Reads,
  { proposalId, sort, ...filter }: BallotArguments,
  { round, prices, range: { start, limit }, pageSize }: BallotReading,
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
    limit,
  })
  if (position !== undefined && rows.length === 0) throw notIssued()
  return {
    items: rows.map((row) => toBallot(row, prices)),
    total,
    positionAfter: (index) => `${isByRank ? (rows[index]?.rank ?? 0) + 1 : from + index + 1}`,
    // A client can construct any number of positions.
    isUncached: position !== undefined,
  }
}

/** The read of a list of ballots, whatever its page size. */
const readBallotList =
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
  positionPattern: OFFSET,
  columns: BALLOT_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  read: readBallotList(BALLOTS_PER_PAGE),
})

/** Fewer than in the API, because the page is for people. */
const ROWS_PER_PAGE = 100

/** A validator with its own vote; null if it did not vote itself. */
export type BallotPool = NamedPool & {
  options: readonly { option: string; weight: string }[] | null
}

/** The facts of the page besides the ballots. */
export type BallotPageFacts = {
  vote: { title: string; status: string; shownRound: number; rounds: number[] }
  pools: readonly BallotPool[]
}

const readFacts = async (reads: Reads, args: BallotArguments): Promise<BallotPageFacts> => {
  const { proposalId } = args
  const { round } = await readRound(reads, args)
  const [names, choices, rounds, proposals] = await Promise.all([
    reads.use(poolNames),
    readPoolChoices(reads, { proposalId, round }),
    reads.use(createVoteRoundsQuery(proposalId)),
    readRecordProposals(reads, [{ proposalId }]),
  ])
  const { title = '', status = '' } = proposals.get(proposalId) ?? {}
  const byOperator = new Map(choices.map((choice) => [choice.operatorAddress, choice]))
  return {
    vote: {
      title,
      status,
      shownRound: round,
      rounds: rounds.value.rounds.map((each) => each.round).sort((a, b) => a - b),
    },
    pools: names.value.map((pool) => ({
      ...pool,
      options: byOperator.get(pool.operatorAddress)?.options ?? null,
    })),
  }
}

export const ballotTable = defineList({
  operationId: 'ballotsPage',
  path: '/proposals/:proposalId/ballots',
  tag: 'Proposals',
  summary: 'The votes per voter as a page',
  guide: 'ballots, one per voter',
  description: '100 ballots per page.',
  queryParameters: ['page', 'cursor', ...BALLOT_PARAMETERS],
  answer: BallotTablePage,
  problems: ['round-not-found'],
  paging: 'numbered',
  pageSize: ROWS_PER_PAGE,
  pagesPerReading: 5,
  positionPattern: OFFSET,
  columns: BALLOT_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  read: async (reads, args, range) => {
    const [slice, extra] = await Promise.all([
      readBallotList(ROWS_PER_PAGE)(reads, args, range),
      readFacts(reads, args),
    ])
    return { ...slice, extra }
  },
})
