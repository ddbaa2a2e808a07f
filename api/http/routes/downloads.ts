// Streams long message fields and events in chunks, so that a whole one is never in memory.
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasAlready } from '../../../infra/base/http/response.ts'
import type { Handler, Route } from '../../../infra/base/http/routes.ts'
import { waitUntilSettled } from '../../../infra/base/runtime/abort.ts'
import type { Reader } from '../../read/reader.ts'
import { createReadingSlots } from '../../read/reading-slots.ts'
import type { Download } from '../../resources/operation.ts'
import { DOWNLOADS } from '../../resources/operations.ts'
import { findCanonicalLocation } from '../canonical-id.ts'
import { formatCacheControl, sendMoved } from '../send.ts'

/** Each download uses the memory of two chunks and of a socket buffer until its end. */
const MAX_DOWNLOADS = 32
const MAX_DOWNLOADS_PER_ADDRESS = 4
/** A longer download is aborted. */
const MAX_DOWNLOAD_MS = 5 * 60_000

const createHeaders = (request: FastifyRequest, { sha256, fileName }: Download) => ({
  etag: `"${sha256}"`,
  'cache-control': formatCacheControl(true, request.headers),
  ...(fileName === null ? {} : { 'content-disposition': `attachment; filename="${fileName}"` }),
})

export const createDownloadRoutes = ({
  reader,
  baseUrl,
}: {
  reader: Reader
  baseUrl: string
}): Route[] => {
  const downloads = createReadingSlots({
    max: MAX_DOWNLOADS,
    maxPerClient: MAX_DOWNLOADS_PER_ADDRESS,
  })

  const readChunk = async ({ chunkQuery }: Download, chunk: number, client: string) =>
    (await reader.get(chunkQuery(chunk), client)).body

  async function* streamChunks(body: Download, first: Buffer, client: string) {
    yield first
    for (let chunk = 1; chunk < body.chunks; chunk++) yield await readChunk(body, chunk, client)
  }
  /** Ends when all bytes are sent or the client has disconnected, so the slot is in use until then. */
  const sendBytes = async (
    body: Download,
    { client, reply }: { client: string; reply: FastifyReply },
  ): Promise<void> => {
    // A failure before the first byte becomes a problem response. A later failure can only abort the response.
    const first = await readChunk(body, 0, client)
    const bytes = Readable.from(streamChunks(body, first, client), {
      objectMode: false,
      highWaterMark: 1,
      signal: AbortSignal.timeout(MAX_DOWNLOAD_MS),
    })
    reply.send(bytes)
    await waitUntilSettled(finished(bytes))
  }
  const createRoute = ({ path, operationId, parseRequest }: (typeof DOWNLOADS)[number]): Route => {
    const download: Handler = async (request, reply) => {
      const { query, params } = parseRequest(request)
      const location = findCanonicalLocation(request.url, request.params, params)
      if (location !== undefined) return sendMoved(baseUrl + location, reply)
      const client = request.ip
      const { body } = await reader.get(query, client)
      const headers = createHeaders(request, body)
      if (hasAlready(request.headers['if-none-match'], headers.etag)) {
        return reply.code(304).headers(headers).send()
      }
      reply.headers({ ...headers, 'content-length': body.size }).type(body.mediaType)
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      await downloads.take(client, () => sendBytes(body, { client, reply }))
      return reply
    }
    return { path, operation: operationId, handlers: { GET: download } }
  }
  return DOWNLOADS.map(createRoute)
}
