// The CloudEvents of one proposal: `GET /api/proposals/{proposalId}/events`, in order and unchanged unless they are large, and
// `GET /api/proposals/{proposalId}/events/{height}/{index}`, one of them unchanged and whole.
import { EventEnvelope } from '../../ingest/contract/envelope.ts'
import {
  createEventChunkQuery,
  createEventCountQuery,
  createEventSizeQuery,
  type EventSize,
  getEventsEnd,
  readEvents,
  type StoredEvent,
} from '../read/queries/events.ts'
import type { Columns } from '../schemas/columns.ts'
import { EventPage } from '../schemas/evidence.ts'
import { inBytes, MAX_ITEM_BYTES, reduceBy, shortenToFit } from '../words/shortened.ts'
import { defineList } from './list.ts'
import { type Download, defineDownload } from './operation.ts'
import { formatPath } from './path-parameters.ts'

export const EVENT_PATH = '/api/proposals/:proposalId/events/:height/:index'

export const proposalEvent = defineDownload({
  operationId: 'getProposalEvent',
  path: EVENT_PATH,
  tag: 'Proposals',
  summary: 'Get an event',
  guide: 'one event, unchanged and whole',
  description:
    'One CloudEvent of the proposal, unchanged and whole. `height` and `index` are members of the event. An event never changes.',
  queryParameters: [],
  answer: EventEnvelope,
  problems: ['event-not-found'],
  query: (at) => ({
    ...createEventSizeQuery(at),
    complete: (event: EventSize): Download => ({
      ...event,
      chunkQuery: (chunk) => createEventChunkQuery(at, chunk),
      mediaType: 'application/json; charset=utf-8',
      fileName: null,
    }),
  }),
})

const EVENTS_PER_PAGE = 100
/** Limit of the events that are read for a page: chunks of evidence have up to 256 KiB. */
const MAX_READ_BYTES = 2 ** 20

/** The data says that it is shortened, because the names of an envelope are those of CloudEvents. */
const shorten = (proposalId: string, { event, ...rest }: StoredEvent): StoredEvent => {
  const { data, ...envelope }: EventEnvelope = JSON.parse(event)
  const { height, index } = envelope
  const wholeAt = formatPath(EVENT_PATH, { proposalId, height: `${height}`, index: `${index}` })
  const mark = { truncated: true, wholeAt }
  const limit = reduceBy(inBytes(MAX_ITEM_BYTES), { ...envelope, data: mark })
  const short = { ...(shortenToFit(data, wholeAt, limit) as object), ...mark }
  return { ...rest, event: JSON.stringify({ ...envelope, data: short }) }
}

const member =
  (name: 'height' | 'index' | 'time' | 'type' | 'id' | 'subject') =>
  ({ event }: StoredEvent) =>
    (JSON.parse(event) as EventEnvelope)[name]

const COLUMNS: Columns<StoredEvent> = {
  height: member('height'),
  index: member('index'),
  time: member('time'),
  type: member('type'),
  id: member('id'),
  subject: member('subject'),
  event: ({ event }) => event,
}

export const proposalEvents = defineList({
  operationId: 'listProposalEvents',
  path: '/api/proposals/:proposalId/events',
  tag: 'Proposals',
  summary: 'List the events',
  guide: 'events in order',
  description:
    'The CloudEvents of the proposal in order; up to 100 per page. Events are unchanged, except that the `data` of an event of more than 64 KiB is shortened. It then has `truncated: true`, and `wholeAt` is the URL of the whole event.',
  queryParameters: ['cursor'],
  answer: EventPage,
  paging: 'cursor',
  pageSize: EVENTS_PER_PAGE,
  pagesPerReading: 1,
  // A position in the log.
  positionPattern: /^[1-9][0-9]{0,18}$/,
  columns: COLUMNS,
  line: ({ event }) => event,
  read: async (reads, { proposalId }, { start }) => {
    const before = getEventsEnd(reads.snapshot, proposalId)
    const from = 'position' in start ? start.position : '0'
    const limits = { limit: EVENTS_PER_PAGE, maxBytes: MAX_READ_BYTES }
    const [{ events, hasMore }, count] = await Promise.all([
      readEvents(reads, { proposalId, from, before }, limits),
      reads.use(createEventCountQuery(proposalId, before)),
    ])
    return {
      items: events.map((each) => (each.size <= MAX_ITEM_BYTES ? each : shorten(proposalId, each))),
      total: count.value,
      positionAfter: (index) => `${BigInt(events[index]?.position ?? 0) + 1n}`,
      hasMore,
      // A cursor can name any position, and a page is large.
      isUncached: from !== '0',
    }
  },
})
