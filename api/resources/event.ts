// `GET /api/proposals/{proposalId}/events/{height}/{index}`: one event of a proposal, unchanged and whole.
import { EventEnvelope } from '../../ingest/contract/envelope.ts'
import {
  createEventChunkQuery,
  createEventSizeQuery,
  type EventSize,
} from '../read/queries/events.ts'
import { type Download, defineDownload } from './operation.ts'

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
