// Streams the bytes of long message fields in chunks, so that a whole field is never in memory.
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasAlready } from '../../../infra/runtime/entity-tag.ts'
import { waitUntilSettled } from '../../../infra/runtime/promises.ts'
import type { ApiMetrics } from '../../api-metrics.ts'
import type { Reader } from '../../read/reader.ts'
import { createReadingSlots } from '../../read/reading-slots.ts'
import { type BytesBody, messageBytes } from '../../resources/message-bytes.ts'
import type { RawQuery } from '../../resources/parameters.ts'
import { findCanonicalLocation } from '../canonical-id.ts'
import { commonHeaders } from '../headers.ts'
import { formatCacheControl, sendMoved } from '../send.ts'

/** Each download uses the memory of two chunks and of a socket buffer until its end. */
const MAX_DOWNLOADS = 32
const MAX_DOWNLOADS_PER_ADDRESS = 4
/** A longer download is aborted. */
const MAX_DOWNLOAD_MS = 5 * 60_000

type Raw = { Params: Record<string, string>; Querystring: RawQuery }

/** The field name is sanitized, because it is a text of a third party. */
const createFileName = (
  { proposalId }: Record<string, string>,
  { message, path }: BytesBody,
): string => {
  const field = path.slice(path.lastIndexOf('/') + 1).replace(/[^A-Za-z0-9_-]+/g, '_')
  return `proposal-${proposalId}-message-${message}-${field.slice(0, 64)}.bin`
}

const createHeaders = (
  request: FastifyRequest,
  params: Record<string, string>,
  body: BytesBody,
) => ({
  ...commonHeaders(request),
  etag: `"${body.sha256}"`,
  'cache-control': formatCacheControl(true, request.headers),
  'content-disposition': `attachment; filename="${createFileName(params, body)}"`,
})

export const addMessageBytes = (
  app: FastifyInstance,
  { reader, metrics }: { reader: Reader; metrics: ApiMetrics },
): void => {
  const count = metrics.answers(messageBytes.operationId)
  const downloads = createReadingSlots({
    max: MAX_DOWNLOADS,
    maxPerClient: MAX_DOWNLOADS_PER_ADDRESS,
  })

  const readChunk = async ({ chunkQuery }: BytesBody, chunk: number, client: string) =>
    (await reader.get(chunkQuery(chunk), client)).body

  async function* streamChunks(body: BytesBody, first: Buffer, client: string) {
    yield first
    for (let chunk = 1; chunk < body.chunks; chunk++) yield await readChunk(body, chunk, client)
  }
  /** Ends when all bytes are sent or the client has disconnected, so the slot is in use until then. */
  const sendBytes = async (body: BytesBody, client: string, reply: FastifyReply): Promise<void> => {
    // A failure before the first byte becomes a problem response. A later failure can only abort the response.
    const first = await readChunk(body, 0, client)
    const bytes = Readable.from(streamChunks(body, first, client), {
      objectMode: false,
      highWaterMark: 1,
      signal: AbortSignal.timeout(MAX_DOWNLOAD_MS),
    })
    count(200)
    reply.send(bytes)
    await waitUntilSettled(finished(bytes))
  }
  app.get<Raw>(
    messageBytes.path,
    { config: { operation: messageBytes.operationId } },
    async (request, reply) => {
      const { query, params } = messageBytes.parseRequest(request)
      const location = findCanonicalLocation(request.url, request.params, params)
      if (location !== undefined) {
        count(308)
        return sendMoved(location, request, reply)
      }
      const { body } = await reader.get(query, request.ip)
      const headers = createHeaders(request, params, body)
      if (hasAlready(request.headers['if-none-match'], headers.etag)) {
        count(304)
        return reply.code(304).headers(headers).send()
      }
      const sent = { ...headers, 'content-length': body.size }
      reply.headers(sent).type('application/octet-stream')
      if (request.method === 'HEAD') {
        count(200)
        return reply.send(Readable.from([]))
      }
      await downloads.take(request.ip, () => sendBytes(body, request.ip, reply))
      return reply
    },
  )
}
