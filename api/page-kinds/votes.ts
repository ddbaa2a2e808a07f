// Pages of one vote, pool by pool: one reading gives the page asked for and those an agent will ask for next.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/clickhouse/client.ts'
import { type Content, listContent, type PageAddress } from '../pages/page-content.ts'
import type { PageKind } from '../pages/pages.ts'
import { ApiProblem } from '../problem.ts'
import { readPoolVotes } from '../queries/list-votes.ts'
import { readVoteRounds, roundIn, type VoteRounds } from '../queries/vote-rounds.ts'
import { encodeCursor, scopeOf } from '../request/cursor.ts'
import type { Served } from '../served/served-state.ts'

const VOTES_PER_PAGE = 100
/** Rows cost little beside the query: one reading is the whole vote on almost any chain. */
const PAGES_READ_AHEAD = 20
const MAX_RANK = 2 ** 32 - 1
const MAX_ROUND = 2 ** 16 - 1
const NO_RECORDS = { records: [], isSettled: true }
const MAX_KNOWN = 200

/** A page by number, or from a rank on where a cursor was followed. `round` undefined: the current one. */
export type VotesWish = {
  proposalId: string
  round?: number | undefined
  start: { page: number } | { rank: number }
}

export type VotesReader = {
  /** Throws `proposal-not-found`. */
  rounds(served: Served, proposalId: string): Promise<VoteRounds>
  key(served: Served, wish: VotesWish): string
  kind(wish: VotesWish): PageKind
}

export const votesScope = ({ proposalId, round }: Omit<VotesWish, 'start'>): string =>
  scopeOf('votes', proposalId, `${round ?? ''}`)

export const notFound = (proposalId: string): ApiProblem =>
  new ApiProblem('proposal-not-found', `This chain has no proposal ${proposalId}.`)

/** Changes with every fact of the proposal. */
export const versionOf = (served: Served, proposalId: string): string =>
  `${served.generation}/${served.watermarks.get(proposalId)?.position}`

/** Whatever has a fact has a watermark: an id without one costs no query. */
const refuseUnknown = ({ watermarks }: Served, proposalId: string): void => {
  if (!watermarks.has(proposalId)) throw notFound(proposalId)
}

const roundsKeyOf = (served: Served, proposalId: string): string =>
  `${proposalId}/${versionOf(served, proposalId)}`

const firstRankOf = ({ start }: VotesWish): number =>
  'page' in start ? start.page * VOTES_PER_PAGE : start.rank

const nth = ({ start, ...wish }: VotesWish, n: number): VotesWish =>
  'page' in start
    ? { ...wish, start: { page: start.page + n } }
    : { ...wish, start: { rank: start.rank + n * VOTES_PER_PAGE } }

const keyOf = (served: Served, wish: VotesWish): string => {
  const { proposalId, round, start } = wish
  const at = 'page' in start ? `p${start.page}` : `r${start.rank}`
  return `votes/${proposalId}/${round ?? 'current'}/${at}/${versionOf(served, proposalId)}`
}

/** The current round, or the one asked for. Throws `round-not-found`. */
export const roundOf = (
  { current }: VoteRounds,
  { proposalId, round }: Pick<VotesWish, 'proposalId' | 'round'>,
): number => {
  if (round === undefined) return current
  if (round <= current) return round
  const had = current === 0 ? 'no vote was held yet' : `the latest is round ${current}`
  throw new ApiProblem('round-not-found', `Proposal ${proposalId} has no round ${round}: ${had}.`)
}

const addressOf = (baseUrl: string, { proposalId, round }: VotesWish): PageAddress => ({
  path: `${baseUrl}/api/proposals/${proposalId}/votes`,
  filters: round === undefined ? [] : [['round', `${round}`]],
})

type Described = { wish: VotesWish; total: number; generation: number; baseUrl: string }

const contentOf = (items: readonly string[], described: Described): Content => {
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
): readonly [VotesWish, VotesWish] | undefined => {
  if (round !== undefined || !('page' in start) || start.page !== 0) return undefined
  const at = (step: bigint) => `${BigInt(proposalId) + step}`
  if (!watermarks.has(at(-1n)) || !watermarks.has(at(1n))) return undefined
  return [
    { proposalId: at(-1n), start },
    { proposalId: at(1n), start },
  ]
}

export const createVotesReader = (store: Store, baseUrl: string): VotesReader => {
  const known = new LRUCache<string, VoteRounds>({ max: MAX_KNOWN })
  const loading = new Map<string, Promise<VoteRounds>>()

  const readRounds = async (served: Served, proposalId: string): Promise<VoteRounds> => {
    const read = await readVoteRounds({ store, served }, proposalId)
    if (!read) throw notFound(proposalId)
    if (read.verdict === 'settled') known.set(roundsKeyOf(served, proposalId), read)
    return read
  }
  const rounds = async (served: Served, proposalId: string): Promise<VoteRounds> => {
    refuseUnknown(served, proposalId)
    const key = roundsKeyOf(served, proposalId)
    const found = known.get(key) ?? (await loading.get(key))
    if (found) return found
    const started = readRounds(served, proposalId).finally(() => loading.delete(key))
    loading.set(key, started)
    return await started
  }
  const readRange = (served: Served, wish: VotesWish, round: number) => {
    const from = Math.min(firstRankOf(wish), MAX_RANK)
    const to = Math.min(from + PAGES_READ_AHEAD * VOTES_PER_PAGE, MAX_RANK)
    const range = { proposalId: wish.proposalId, round, from, to }
    return readPoolVotes({ store, served }, range)
  }
  const load = async (served: Served, wish: VotesWish) => {
    const { proposalId } = wish
    refuseUnknown(served, proposalId)
    // Most votes have one round: its rows are read together with what says so.
    const guess = Math.min(wish.round ?? 1, MAX_ROUND)
    const isKnown = known.has(roundsKeyOf(served, proposalId))
    const [its, guessed] = await Promise.all([
      rounds(served, proposalId),
      isKnown ? undefined : readRange(served, wish, guess),
    ])
    const round = roundOf(its, wish)
    const total = roundIn(its, round)?.pool_rows ?? 0
    const from = Math.min(firstRankOf(wish), total)
    const to = Math.min(from + PAGES_READ_AHEAD * VOTES_PER_PAGE, total)
    const again = () => (from < to ? readRange(served, wish, round) : NO_RECORDS)
    const read = guessed && round === guess ? guessed : await again()
    const items = read.records.slice(0, to - from)
    const contents = new Map<string, Content>()
    for (let n = 0; n === 0 || from + n * VOTES_PER_PAGE < to; n++) {
      const page = nth(wish, n)
      const shown = items.slice(n * VOTES_PER_PAGE, (n + 1) * VOTES_PER_PAGE)
      const described = { wish: page, total, generation: served.generation, baseUrl }
      contents.set(keyOf(served, page), contentOf(shown, described))
    }
    const verdict = its.verdict === 'settled' && !read.isSettled ? 'moving' : its.verdict
    return { contents, verdict } as const
  }
  const kind = (wish: VotesWish): PageKind => ({
    proposalId: wish.proposalId,
    key: (served) => keyOf(served, wish),
    load: (served) => load(served, wish),
    neighbours: (served) => {
      const found = neighboursOf(served, wish)
      return found && [kind(found[0]), kind(found[1])]
    },
  })
  return { rounds, key: keyOf, kind }
}
