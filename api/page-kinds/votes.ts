// Pages of one vote, pool by pool: one reading gives the page asked for and those an agent will ask for next.
import type { Store } from '../../infra/clickhouse/client.ts'
import { type Content, type Json, listContent, type PageAddress } from '../pages/page-content.ts'
import type { PageKind } from '../pages/page-kind.ts'
import { readPoolVotes } from '../queries/list-votes.ts'
import { roundIn } from '../queries/vote-rounds.ts'
import { encodeCursor, notIssued, scopeOf } from '../request/cursor.ts'
import type { Served } from '../served/served.ts'
import { refuseUnknown, versionOf } from './known-proposal.ts'
import { type RoundsReader, roundOf } from './proposal-rounds.ts'

const VOTES_PER_PAGE = 100
/** Rows cost little beside the query: one reading is the whole vote on almost any chain. */
const PAGES_READ_AHEAD = 20
const MAX_RANK = 2 ** 32 - 1
const MAX_ROUND = 2 ** 16 - 1
const NO_VOTES = { chunks: [], isSettled: true }

/** A page by number, or from a rank on where a cursor was followed. `round` undefined: the current one. */
export type VotesWish = {
  proposalId: string
  round?: number | undefined
  start: { page: number } | { rank: number }
}

export type VotesReader = {
  key(served: Served, wish: VotesWish): string
  kind(wish: VotesWish): PageKind
}

/** Pages begin at multiples of their size. */
export const VOTES_POSITION = /^[1-9][0-9]{0,6}00$/

export const votesScope = ({ proposalId, round }: Omit<VotesWish, 'start'>): string =>
  scopeOf('votes', proposalId, `${round ?? ''}`)

const firstRankOf = ({ start }: VotesWish): number =>
  'page' in start ? start.page * VOTES_PER_PAGE : start.rank

/** Past the end there is a page for every number that a visitor may ask for. */
const isBeyond = (wish: VotesWish, total: number): boolean =>
  firstRankOf(wish) > 0 && firstRankOf(wish) >= total

/** Ranks of the page wished for and of those read ahead, as far as there are any. */
const rangeOf = (wish: VotesWish, end: number): { from: number; to: number } => {
  const from = Math.min(firstRankOf(wish), end)
  return { from, to: Math.min(from + PAGES_READ_AHEAD * VOTES_PER_PAGE, end) }
}

const nth = ({ start, ...wish }: VotesWish, n: number): VotesWish =>
  'page' in start
    ? { ...wish, start: { page: start.page + n } }
    : { ...wish, start: { rank: start.rank + n * VOTES_PER_PAGE } }

const keyOf = (served: Served, wish: VotesWish): string => {
  const { proposalId, round, start } = wish
  const at = 'page' in start ? `p${start.page}` : `r${start.rank}`
  return `votes/${proposalId}/${round ?? 'current'}/${at}/${versionOf(served, proposalId)}`
}

const addressOf = (baseUrl: string, { proposalId, round }: VotesWish): PageAddress => ({
  path: `${baseUrl}/api/proposals/${proposalId}/votes`,
  filters: round === undefined ? [] : [['round', `${round}`]],
})

/** `end`: one more than the last rank. */
type Extent = { round: number; end: number }
type Described = { wish: VotesWish; total: number; generation: number; baseUrl: string }

const contentOf = (items: Json, described: Described): Content => {
  const { wish, total, generation, baseUrl } = described
  const scope = votesScope(wish)
  const from = firstRankOf(wish)
  const to = from + VOTES_PER_PAGE
  const cursorAt = (rank: number) => encodeCursor({ generation, at: `${rank}`, scope })
  return listContent(
    items,
    {
      number: 'page' in wish.start ? wish.start.page : null,
      size: VOTES_PER_PAGE,
      totalItems: total,
      nextCursor: to < total ? cursorAt(to) : null,
    },
    {
      address: addressOf(baseUrl, wish),
      cursor: 'rank' in wish.start ? cursorAt(wish.start.rank) : undefined,
    },
  )
}

/** The first pages of the votes before and after, for a walk from vote to vote. */
const neighboursOf = (
  { watermarks }: Served,
  { proposalId, round, start }: VotesWish,
): VotesWish[] => {
  if (round !== undefined || !('page' in start) || start.page !== 0) return []
  const ids = [-1n, 1n].map((step) => `${BigInt(proposalId) + step}`)
  return ids.filter((id) => watermarks.has(id)).map((id) => ({ proposalId: id, start }))
}

export const createVotesReader = (
  store: Store,
  baseUrl: string,
  rounds: RoundsReader,
): VotesReader => {
  /** The pages wished for and those read ahead, none of them beyond `end`. */
  const readPages = (served: Served, wish: VotesWish, { round, end }: Extent) => {
    const { from, to } = rangeOf(wish, end)
    if (from === to) return NO_VOTES
    const range = { proposalId: wish.proposalId, round, from, to }
    return readPoolVotes({ store, served }, range, VOTES_PER_PAGE)
  }
  const load = async (served: Served, wish: VotesWish) => {
    const { proposalId } = wish
    refuseUnknown(served, proposalId)
    // Most votes have one round: its rows are read together with what says so.
    const guess = Math.min(wish.round ?? 1, MAX_ROUND)
    const isKnown = rounds.find(served, proposalId) !== undefined
    const [its, guessed] = await Promise.all([
      rounds.get(served, proposalId),
      isKnown ? undefined : readPages(served, wish, { round: guess, end: MAX_RANK }),
    ])
    const round = roundOf(its, wish)
    const total = roundIn(its, round)?.pool_rows ?? 0
    const isUncached = isBeyond(wish, total)
    if (isUncached && 'rank' in wish.start && its.verdict === 'settled') throw notIssued()
    const { from, to } = rangeOf(wish, total)
    const isRead = round === guess && guessed?.isSettled
    const read = isRead ? guessed : await readPages(served, wish, { round, end: total })
    const contents = new Map<string, Content>()
    for (let n = 0; n === 0 || from + n * VOTES_PER_PAGE < to; n++) {
      const page = nth(wish, n)
      const described = { wish: page, total, generation: served.generation, baseUrl }
      contents.set(keyOf(served, page), contentOf(read.chunks[n] ?? '', described))
    }
    const verdict = its.verdict === 'settled' && !read.isSettled ? 'moving' : its.verdict
    return { contents, verdict, isUncached } as const
  }
  const kind = (wish: VotesWish): PageKind => ({
    proposalId: wish.proposalId,
    key: (served) => keyOf(served, wish),
    load: (served) => load(served, wish),
    neighbours: (served) => neighboursOf(served, wish).map(kind),
  })
  return { key: keyOf, kind }
}
