// `GET /api/proposals/{proposalId}/messages/{message}/bytes`: the bytes of a long field of a message.

import {
  createBytesChunkQuery,
  createLongFieldQuery,
  type LongField,
} from '../read/queries/message-bytes.ts'
import type { Query } from '../read/query.ts'
import { defineItem } from './item.ts'
import type { Resource } from './operation.ts'

/** The field with the queries of its chunks. */
export type BytesBody = LongField & { chunkQuery: (chunk: number) => Query<Buffer> }

const PATH = '/api/proposals/:proposalId/messages/:message/bytes'
const REQUIRED = ['path'] as const

export const messageBytes: Resource<typeof PATH, 'path', BytesBody> = {
  ...defineItem({
    operationId: 'getMessageBytes',
    path: PATH,
    tag: 'Proposals',
    summary: 'Get the bytes of a message field',
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
        complete: (field: LongField): BytesBody => ({
          ...field,
          chunkQuery: (chunk) => createBytesChunkQuery(at, chunk),
        }),
      }
    },
  }),
  kind: 'bytes',
}
