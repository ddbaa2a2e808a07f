// `GET /api/proposals/{proposalId}/events`: the CloudEvents of one proposal, unchanged and in order.
import type { EventEnvelope } from '../../ingest/contract/envelope.ts'
import {
  createEventCountQuery,
  getEventsEnd,
  readEvents,
  type StoredEvent,
} from '../read/queries/events.ts'
import { proposalVersion } from '../read/query.ts'
import type { Columns } from '../schemas/columns.ts'
import { EventPage } from '../schemas/evidence.ts'
import { defineList } from './list.ts'

const EVENTS_PER_PAGE = 100
/** A page with large events can be shorter than its size: chunks of evidence have up to 256 KiB. */
const MAX_PAGE_BYTES = 1024 * 1024

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
  description: 'The CloudEvents of the proposal, unchanged and in order; up to 100 per page.',
  queryParameters: ['cursor'],
  answer: EventPage,
  paging: 'cursor',
  pageSize: EVENTS_PER_PAGE,
  pagesPerReading: 1,
  // A position in the log.
  positionPattern: /^[1-9][0-9]{0,18}$/,
  columns: COLUMNS,
  line: ({ event }) => event,
  scope: ({ proposalId }) => ['events', proposalId],
  version: ({ proposalId }) => proposalVersion(proposalId),
  read: async (reads, { proposalId }, { start }) => {
    const before = getEventsEnd(reads.snapshot, proposalId)
    const from = 'position' in start ? start.position : '0'
    const limits = { limit: EVENTS_PER_PAGE, maxBytes: MAX_PAGE_BYTES }
    const [{ events, hasMore }, count] = await Promise.all([
      readEvents(reads, { proposalId, from, before }, limits),
      reads.use(createEventCountQuery(proposalId, before)),
    ])
    const last = events.at(-1)
    return {
      items: events,
      total: count.value,
      getPositionAfter: () => (last && hasMore ? `${BigInt(last.position) + 1n}` : null),
      // A cursor can name any position, and a page is large.
      isUncached: from !== '0',
    }
  },
})
