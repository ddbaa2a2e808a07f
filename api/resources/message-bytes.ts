// `GET /api/proposals/{proposalId}/messages/{message}/bytes`: the bytes of a long field of a message.

import {
  createBytesChunkQuery,
  createLongFieldQuery,
  type FieldAt,
  type LongField,
} from '../read/queries/messages.ts'
import { type Download, defineDownload } from './operation.ts'

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
