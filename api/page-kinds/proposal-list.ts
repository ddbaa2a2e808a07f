// Pages of proposals, newest first, with filters: one reading gives the pages that follow, too.
import { type Content, listContent, type PageAddress } from '../pages/page-content.ts'
import type { Loaded, PageKind, PageSources } from '../pages/page-kind.ts'
import {
  type ListedProposals,
  type ProposalFilter,
  readProposals,
} from '../queries/list-proposals.ts'
import { summaryOf } from '../queries/proposal-rows.ts'
import { isClosing } from '../queries/read.ts'
import { encodeCursor, notIssued, scopeOf } from '../request/cursor.ts'
import type { Served } from '../served/served.ts'

const PROPOSALS_PER_PAGE = 20
const PAGES_READ_AHEAD = 10

/** A page by number, or those below a proposal id where a cursor was followed. */
export type ListStart = { page: number } | { below: string }
export type ListWish = { filter: ProposalFilter; start: ListStart }

const filtersOf = ({ statuses, proposer, text }: ProposalFilter): [string, string][] => {
  const given: [string, string | undefined][] = [
    ['status', statuses?.join(',')],
    ['proposer', proposer],
    ['q', text],
  ]
  return given.filter((entry): entry is [string, string] => entry[1] !== undefined)
}

/** The id below which a page begins. */
export const LIST_POSITION = /^(?:0|[1-9][0-9]{0,19})$/

export const listScope = (filter: ProposalFilter): string =>
  scopeOf('proposals', JSON.stringify(filtersOf(filter)))

const keyOf = (served: Served, { filter, start }: ListWish): string => {
  const at = 'page' in start ? `p${start.page}` : `b${start.below}`
  return `list/${JSON.stringify(filtersOf(filter))}/${at}/${served.generation}/${served.changedAt}`
}

type Chunk = { ids: readonly string[]; items: readonly string[] }

const chunksOf = (read: ListedProposals, served: Served): Chunk[] => {
  const chunks: Chunk[] = []
  for (let from = 0; from === 0 || from < read.rows.length; from += PROPOSALS_PER_PAGE) {
    const rows = read.rows.slice(from, from + PROPOSALS_PER_PAGE)
    const items = rows.map((row) => {
      const { proposal_id: id, version } = row
      const watermark = served.watermarks.get(id) ?? { position: BigInt(version) }
      return JSON.stringify(summaryOf(row, read.tallies.get(id), watermark))
    })
    chunks.push({ ids: rows.map((row) => row.proposal_id), items })
  }
  return chunks
}

const nextStart = (start: ListStart, { ids }: Chunk): ListStart =>
  'page' in start ? { page: start.page + 1 } : { below: ids.at(-1) ?? start.below }

type Total = { total: number }
const TOTAL_BYTES = 50

export const createProposalList = ({ store, baseUrl, memory }: PageSources) => {
  const totals = memory.area<Total>('list total', () => TOTAL_BYTES)
  const totalKey = (served: Served, filter: ProposalFilter): string =>
    `${JSON.stringify(filtersOf(filter))}/${served.generation}/${served.changedAt}`
  const addressOf = (filter: ProposalFilter): PageAddress => ({
    path: `${baseUrl}/api/proposals`,
    filters: filtersOf(filter),
  })
  const contentOf = (
    { items, ids }: Chunk,
    { filter, start }: ListWish,
    at: { served: Served; total: number; hasMore: boolean },
  ): Content => {
    const scope = listScope(filter)
    const { generation } = at.served
    const cursorAt = (below: string) => encodeCursor({ generation, at: below, scope })
    const last = ids.at(-1)
    return listContent(
      items.join(','),
      {
        number: 'page' in start ? start.page : null,
        size: PROPOSALS_PER_PAGE,
        totalItems: at.total,
        nextCursor: at.hasMore && last !== undefined ? cursorAt(last) : null,
      },
      {
        address: addressOf(filter),
        cursor: 'below' in start ? cursorAt(start.below) : undefined,
      },
    )
  }
  const isBeyond = ({ start }: ListWish, total: number): boolean =>
    'page' in start && start.page > 0 && start.page * PROPOSALS_PER_PAGE >= total

  /** Undefined for a page that there is, or where how many there are is not known. */
  const pagePastEnd = (served: Served, wish: ListWish): Loaded | undefined => {
    const known = totals.get(totalKey(served, wish.filter))
    if (!known || !isBeyond(wish, known.total)) return undefined
    const none = { ids: [], items: [] }
    const content = contentOf(none, wish, { served, total: known.total, hasMore: false })
    const contents = new Map([[keyOf(served, wish), content]])
    return { contents, verdict: 'settled', isUncached: true }
  }
  const load = async (served: Served, wish: ListWish): Promise<Loaded> => {
    const pastEnd = pagePastEnd(served, wish)
    if (pastEnd) return pastEnd
    const { filter, start } = wish
    // A page begins below a proposal that was shown: whatever was shown has a watermark.
    if ('below' in start && !served.watermarks.has(start.below)) throw notIssued()
    const limit = PAGES_READ_AHEAD * PROPOSALS_PER_PAGE
    const offset = 'page' in start ? start.page * PROPOSALS_PER_PAGE : 0
    const below = 'below' in start ? start.below : undefined
    // One row more tells whether anything follows.
    const read = await readProposals({ store, served }, filter, { below, offset, limit: limit + 1 })
    const { total } = read
    const follows = read.rows.length > limit
    const chunks = chunksOf({ ...read, rows: read.rows.slice(0, limit) }, served)
    const contents = new Map<string, Content>()
    let at: ListWish = wish
    for (const [n, chunk] of chunks.entries()) {
      const hasMore = n < chunks.length - 1 || follows
      contents.set(keyOf(served, at), contentOf(chunk, at, { served, total, hasMore }))
      at = { filter, start: nextStart(at.start, chunk) }
    }
    const isWhole = read.isSettled && read.rows.every((row) => !isClosing(row, served))
    if (isWhole) totals.set(totalKey(served, filter), { total })
    return {
      contents,
      verdict: isWhole ? 'settled' : 'moving',
      isUncached: isBeyond(wish, total),
    }
  }
  return (wish: ListWish): PageKind => ({
    proposalId: null,
    key: (served) => keyOf(served, wish),
    load: (served) => load(served, wish),
  })
}
