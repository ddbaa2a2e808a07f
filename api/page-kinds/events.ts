// Pages of the CloudEvents behind one proposal, in their order and as the log has them.
import type { Store } from '../../infra/clickhouse/client.ts'
import { heightOfPosition, positionOf } from '../../ingest/contract/envelope.ts'
import { cursorContent } from '../pages/cursor-content.ts'
import type { PageKind } from '../pages/page-kind.ts'
import { readEvents } from '../queries/list-events.ts'
import { encodeCursor, scopeOf } from '../request/cursor.ts'
import type { Served } from '../served/served.ts'
import { createEventCounts } from './event-counts.ts'
import { notFound, versionOf } from './known-proposal.ts'

const EVENTS_PER_PAGE = 100
/** A page may be shorter than its size where events are large: evidence comes in chunks of 256 KiB. */
const MAX_PAGE_BYTES = 1024 * 1024

/** From a position on. */
export type EventsWish = { proposalId: string; from: string }

/** A position in the log. */
export const EVENTS_POSITION = /^[1-9][0-9]{0,18}$/

export const eventsScope = (proposalId: string): string => scopeOf('events', proposalId)

const keyOf = (served: Served, { proposalId, from }: EventsWish): string =>
  `events/${proposalId}/${from}/${versionOf(served, proposalId)}`

/** Heights are committed whole: all events up to what is served are there, and none later is shown. */
const endOf = (served: Served, proposalId: string): string => {
  const watermark = served.watermarks.get(proposalId)
  if (!watermark) throw notFound(proposalId)
  const height = watermark.final ? heightOfPosition(watermark.position) : served.height
  return positionOf({ height: height + 1, index: 0 }).toString()
}

export const createEventsReader = (store: Store, baseUrl: string) => {
  const counts = createEventCounts(store)
  const load = async (served: Served, wish: EventsWish) => {
    const { proposalId, from } = wish
    const before = endOf(served, proposalId)
    const limits = { limit: EVENTS_PER_PAGE, maxBytes: MAX_PAGE_BYTES }
    const [{ events, hasMore }, totalItems] = await Promise.all([
      readEvents({ store, served }, { proposalId, from, before }, limits),
      counts.count(served, proposalId, before),
    ])
    const last = events.at(-1)
    const { generation } = served
    const cursorAt = (at: string) =>
      encodeCursor({ generation, at, scope: eventsScope(proposalId) })
    const next = last && hasMore ? (BigInt(last.position) + 1n).toString() : undefined
    const content = cursorContent(
      events.map(({ event }) => event).join(','),
      {
        size: EVENTS_PER_PAGE,
        totalItems,
        cursor: from === '0' ? undefined : cursorAt(from),
        next: next === undefined ? null : cursorAt(next),
      },
      { address: { path: `${baseUrl}/api/proposals/${proposalId}/events`, filters: [] } },
    )
    const contents = new Map([[keyOf(served, wish), content]])
    // Any position may be written into a cursor, and a page is large.
    return { contents, verdict: 'settled', isUncached: from !== '0' } as const
  }
  return (wish: EventsWish): PageKind => ({
    proposalId: wish.proposalId,
    key: (served) => keyOf(served, wish),
    load: (served) => load(served, wish),
  })
}
