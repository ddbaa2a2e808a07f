// Pages of one record, newest proposal first, whoever's it is: a pool's votes or a voter's ballots.
import type { ByteCache } from '../pages/byte-cache.ts'
import { type Content, listContent } from '../pages/page-content.ts'
import type { Loaded, PageKind } from '../pages/page-kind.ts'
import type { ReadRecords, RecordPosition, RecordRange } from '../queries/list-records.ts'
import { knownRound } from '../queries/proposal-rows.ts'
import { encodeCursor, notIssued, scopeOf } from '../request/cursor.ts'
import type { Served } from '../served/served.ts'

const RECORDS_PER_PAGE = 100
const PAGES_READ_AHEAD = 10

/** A page by number, or what follows one record where a cursor was followed. */
export type RecordsStart = { page: number } | { after: string }
export type RecordsWish = { owner: string; start: RecordsStart }

/** What `after` looks like: proposal, round and rank. */
export const RECORD_POSITION =
  /^(?:0|[1-9][0-9]{0,18})~(?:0|[1-9][0-9]{0,3})~(?:0|[1-9][0-9]{0,8})$/

const parsePosition = (text: string): RecordPosition => {
  const [proposalId = '0', round, rank] = text.split('~')
  return { proposalId, round: Number(round), rank: Number(rank) }
}

export type KeyedRow = { proposal_id: string; round: number; rank: number }

export type RecordsOf<Row extends KeyedRow> = {
  /** Names the list in keys and cursors. */
  name: 'pool-votes' | 'voter-votes'
  pathOf: (owner: string) => string
  read: (served: Served, owner: string, range: RecordRange) => Promise<ReadRecords<Row>>
  /** Whether the record has a row at this very position. */
  has: (served: Served, owner: string, at: RecordPosition) => Promise<boolean>
  /** Rows → items, as JSON texts; may look up what else they need. */
  show: (
    served: Served,
    read: ReadRecords<Row>,
  ) => Promise<{ items: readonly string[]; isSettled: boolean }>
  /** What is said of the whole record, beside its items. */
  aside?: (served: Served, owner: string) => Promise<{ shown: object; isSettled: boolean }>
  /** Throws where there is no such owner: asked only where the record is empty. */
  checkOwner: (served: Served, owner: string) => Promise<void>
}

/** What a record was about; a proposal's own row may be a commit behind for a moment. */
export const aboutOf = (row: KeyedRow, about: ReadRecords<KeyedRow>['about']) => {
  const proposal = about.get(row.proposal_id)
  return {
    proposalId: row.proposal_id,
    title: proposal?.title ?? '',
    status: proposal?.status ?? 'voting_period',
    round: proposal && knownRound(proposal) === null ? null : row.round,
  }
}

export const recordsScope = (name: RecordsOf<KeyedRow>['name'], owner: string): string =>
  scopeOf(name, owner)

const positionOf = ({ proposal_id: id, round, rank }: KeyedRow): string => `${id}~${round}~${rank}`

const rangeOf = (start: RecordsStart): RecordRange => {
  // One row more tells whether anything follows.
  const limit = PAGES_READ_AHEAD * RECORDS_PER_PAGE + 1
  return 'page' in start
    ? { after: undefined, offset: start.page * RECORDS_PER_PAGE, limit }
    : { after: parsePosition(start.after), offset: 0, limit }
}

const nextStart = (start: RecordsStart, last: KeyedRow | undefined): RecordsStart => {
  if ('page' in start) return { page: start.page + 1 }
  return last ? { after: positionOf(last) } : start
}

/** What every page of a record says, so that one past the end needs no reading. */
type Known = { total: number; aside: object | undefined }
const KNOWN_BYTES = 200

export const createRecordsReader = <Row extends KeyedRow>(
  records: RecordsOf<Row>,
  memory: ByteCache,
) => {
  const knownOf = memory.area<Known>('record', () => KNOWN_BYTES)
  const versionOf = (served: Served, owner: string): string =>
    `${records.name}/${owner}/${served.generation}/${served.changedAt}`
  const keyOf = (served: Served, { owner, start }: RecordsWish): string => {
    const at = 'page' in start ? `p${start.page}` : `a${start.after}`
    return `${records.name}/${owner}/${at}/${served.generation}/${served.changedAt}`
  }
  const contentOf = (
    items: readonly string[],
    { owner, start }: RecordsWish,
    at: { served: Served; total: number; next: Row | undefined; aside: object | undefined },
  ): Content => {
    const scope = recordsScope(records.name, owner)
    const { generation } = at.served
    const cursorAt = (position: string) => encodeCursor({ generation, at: position, scope })
    return listContent(
      items.join(','),
      {
        number: 'page' in start ? start.page : null,
        size: RECORDS_PER_PAGE,
        totalItems: at.total,
        nextCursor: at.next ? cursorAt(positionOf(at.next)) : null,
      },
      {
        address: { path: records.pathOf(owner), filters: [] },
        cursor: 'after' in start ? cursorAt(start.after) : undefined,
        aside: at.aside,
      },
    )
  }
  const isBeyond = ({ start }: RecordsWish, total: number): boolean =>
    'page' in start && start.page > 0 && start.page * RECORDS_PER_PAGE >= total

  /** Undefined for a page that there is, or where how many there are is not known. */
  const pagePastEnd = (served: Served, wish: RecordsWish): Loaded | undefined => {
    const known = knownOf.get(versionOf(served, wish.owner))
    if (!known || !isBeyond(wish, known.total)) return undefined
    const content = contentOf([], wish, { served, ...known, next: undefined })
    const contents = new Map([[keyOf(served, wish), content]])
    return { contents, verdict: 'settled', isUncached: true }
  }
  const checkPosition = async (served: Served, { owner, start }: RecordsWish): Promise<void> => {
    if ('page' in start) return
    if (!(await records.has(served, owner, parsePosition(start.after)))) throw notIssued()
  }
  const load = async (served: Served, wish: RecordsWish): Promise<Loaded> => {
    const pastEnd = pagePastEnd(served, wish)
    if (pastEnd) return pastEnd
    const { owner } = wish
    const [read, aside] = await Promise.all([
      records.read(served, owner, rangeOf(wish.start)),
      records.aside?.(served, owner),
      checkPosition(served, wish),
    ])
    const { rows, total } = read
    if (total === 0) await records.checkOwner(served, owner)
    const shown = await records.show(served, read)
    const contents = new Map<string, Content>()
    let { start } = wish
    const end = Math.min(rows.length, PAGES_READ_AHEAD * RECORDS_PER_PAGE)
    for (let from = 0; from === 0 || from < end; from += RECORDS_PER_PAGE) {
      const to = Math.min(from + RECORDS_PER_PAGE, end)
      const last = rows[to - 1]
      const page = { owner, start }
      const next = to < rows.length ? last : undefined
      const items = shown.items.slice(from, to)
      const at = { served, total, next, aside: aside?.shown }
      contents.set(keyOf(served, page), contentOf(items, page, at))
      start = nextStart(start, last)
    }
    const isSettled = read.isSettled && shown.isSettled && aside?.isSettled !== false
    if (isSettled) knownOf.set(versionOf(served, owner), { total, aside: aside?.shown })
    return {
      contents,
      verdict: isSettled ? 'settled' : 'moving',
      isUncached: isBeyond(wish, total),
    }
  }
  return (wish: RecordsWish): PageKind => ({
    proposalId: null,
    key: (served) => keyOf(served, wish),
    load: (served) => load(served, wish),
  })
}
