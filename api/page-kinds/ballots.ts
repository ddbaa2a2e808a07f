// Pages of one vote's ballots, voter by voter, in the order of first ballots: any page costs what the first one costs.
import type { Store } from '../../infra/clickhouse/client.ts'
import { cursorContent } from '../pages/cursor-content.ts'
import type { Content } from '../pages/page-content.ts'
import type { PageKind } from '../pages/page-kind.ts'
import { ballotOf } from '../queries/ballot-rows.ts'
import { countBallots, readBallots } from '../queries/list-ballots.ts'
import { readPoolPrices } from '../queries/list-pools.ts'
import { roundIn } from '../queries/vote-rounds.ts'
import { encodeCursor, notIssued, scopeOf } from '../request/cursor.ts'
import type { Served } from '../served/served.ts'
import { versionOf } from './known-proposal.ts'
import { type RoundsReader, roundOf } from './proposal-rounds.ts'

const BALLOTS_PER_PAGE = 1_000
/** Of 1,000 each: a third would be as much again to hold for who wants only one. */
const PAGES_READ_AHEAD = 2

/** From a rank on. `round` undefined: the current one. */
export type BallotsWish = { proposalId: string; round?: number | undefined; rank: number }

/** Pages begin at multiples of their size. */
export const BALLOTS_POSITION = /^[1-9][0-9]{0,5}000$/

export const ballotsScope = ({ proposalId, round }: Omit<BallotsWish, 'rank'>): string =>
  scopeOf('ballots', proposalId, `${round ?? ''}`)

const keyOf = (served: Served, { proposalId, round, rank }: BallotsWish): string =>
  `ballots/${proposalId}/${round ?? 'current'}/${rank}/${versionOf(served, proposalId)}`

type Described = { wish: BallotsWish; total: number; generation: number; baseUrl: string }

const contentOf = (items: readonly string[], described: Described): Content => {
  const { wish, total, generation, baseUrl } = described
  const { proposalId, round, rank } = wish
  const cursorAt = (at: number) =>
    encodeCursor({ generation, at: `${at}`, scope: ballotsScope(wish) })
  const next = rank + BALLOTS_PER_PAGE
  return cursorContent(
    items.join(','),
    {
      size: BALLOTS_PER_PAGE,
      totalItems: total,
      cursor: rank === 0 ? undefined : cursorAt(rank),
      next: next < total ? cursorAt(next) : null,
    },
    {
      address: {
        path: `${baseUrl}/api/proposals/${proposalId}/ballots`,
        filters: round === undefined ? [] : [['round', `${round}`]],
      },
    },
  )
}

export const createBallotsReader = (store: Store, baseUrl: string, rounds: RoundsReader) => {
  /** Powers of an open vote are those that its delegations would carry now. */
  const pricesFor = async (served: Served, isTallied: boolean) =>
    isTallied ? { prices: undefined, isSettled: true } : readPoolPrices({ store, served })

  const load = async (served: Served, wish: BallotsWish) => {
    const { proposalId } = wish
    const its = await rounds.get(served, proposalId)
    const round = roundOf(its, wish)
    const isTallied = roundIn(its, round)?.final ?? true
    const to = wish.rank + PAGES_READ_AHEAD * BALLOTS_PER_PAGE
    const [count, read, priced] = await Promise.all([
      countBallots({ store, served }, { proposalId, round }),
      readBallots({ store, served }, { proposalId, round, from: wish.rank, to }),
      pricesFor(served, isTallied),
    ])
    const { total } = count
    const isSettled = its.verdict === 'settled' && count.isSettled
    if (wish.rank > 0 && wish.rank >= total && isSettled) throw notIssued()
    const items = read.rows.map((row) => JSON.stringify(ballotOf(row, priced.prices)))
    const contents = new Map<string, Content>()
    for (let n = 0; n === 0 || n < items.length; n += BALLOTS_PER_PAGE) {
      const page = { ...wish, rank: wish.rank + n }
      const shown = items.slice(n, n + BALLOTS_PER_PAGE)
      const described = { wish: page, total, generation: served.generation, baseUrl }
      contents.set(keyOf(served, page), contentOf(shown, described))
    }
    const isWhole = count.isSettled && read.isSettled && priced.isSettled
    const verdict = its.verdict === 'settled' && !isWhole ? 'moving' : its.verdict
    return { contents, verdict } as const
  }
  return (wish: BallotsWish): PageKind => ({
    proposalId: wish.proposalId,
    key: (served) => keyOf(served, wish),
    load: (served) => load(served, wish),
  })
}
