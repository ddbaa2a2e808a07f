// The messages of one proposal: `GET /api/proposals/{proposalId}/messages`, in order, each with its explanation, and
// `GET /api/proposals/{proposalId}/messages/{message}/bytes`, the bytes of a long field.
import { formatEventsPath } from '../read/queries/events.ts'
import {
  createBytesChunkQuery,
  createLongFieldQuery,
  type FieldAt,
  type LongField,
  readMessages,
} from '../read/queries/messages.ts'
import { MESSAGE_COLUMNS, MessagePage } from '../schemas/message.ts'
import { defineList, notIssued } from './list.ts'
import { type Download, defineDownload } from './operation.ts'

const MESSAGES_PER_PAGE = 100

export const proposalMessages = defineList({
  operationId: 'listProposalMessages',
  path: '/api/proposals/:proposalId/messages',
  tag: 'Proposals',
  summary: 'List the messages',
  guide: 'messages in order, each with an explanation',
  description:
    'The messages that the chain executes if the proposal passes, in order, each with its explanation; up to 100 per page. The proposal itself has only the first messages if there are very many.',
  queryParameters: ['cursor'],
  answer: MessagePage,
  paging: 'cursor',
  pageSize: MESSAGES_PER_PAGE,
  pagesPerReading: 1,
  // The index of a message.
  positionPattern: /^[1-9][0-9]{0,6}$/,
  columns: MESSAGE_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  read: async (reads, { proposalId }, { start }) => {
    const from = 'position' in start ? Number(start.position) : 0
    const { items, total } = await readMessages(reads, proposalId, {
      from,
      limit: MESSAGES_PER_PAGE,
    })
    if (from > 0 && from >= total) throw notIssued()
    return {
      items,
      total,
      positionAfter: (index) => `${from + index + 1}`,
      hasMore: from + items.length < total,
      // A cursor can name any position, and a page is large.
      isUncached: from > 0,
    }
  },
})

const PATH = '/api/proposals/:proposalId/messages/:message/bytes'
const REQUIRED = ['path'] as const

/** The field name is sanitized, because it is a text of a third party. */
const createFileName = ({ proposalId, message, path }: FieldAt): string => {
  const field = path.slice(path.lastIndexOf('/') + 1).replace(/[^A-Za-z0-9_-]+/g, '_')
  return `proposal-${proposalId}-message-${message}-${field.slice(0, 64)}.bin`
}

export const messageBytes = defineDownload({
  operationId: 'getMessageBytes',
  path: PATH,
  tag: 'Proposals',
  summary: 'Get the bytes of a message field',
  guide: 'a long field of a message, such as the code of a contract',
  description:
    'The bytes of a long field, such as the code of a contract. `messages` has `{ sha256, size, href }` in place of the field. The bytes never change.',
  queryParameters: REQUIRED,
  requiredParameters: REQUIRED,
  answer: null,
  problems: ['message-bytes-not-found'],
  query: ({ proposalId, message, path = '' }) => {
    const at = { proposalId, message: Number(message), path }
    return {
      ...createLongFieldQuery(at),
      complete: ({ sha256, size, chunks }: LongField): Download => ({
        sha256,
        size,
        chunks,
        chunkQuery: (chunk) => createBytesChunkQuery(at, chunk),
        mediaType: 'application/octet-stream',
        fileName: createFileName(at),
      }),
    }
  },
})
