// Streams bytes: long message fields and events in chunks, so that a whole one is never in memory; and the Parquet files under /data, whole
// or one range of their bytes (RFC 9110, section 14).

import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_PATHS } from '../../../auth/contract/service.ts'
import { NO_STORE } from '../../../infra/base/http/headers.ts'
import { createNegotiation, findRange } from '../../../infra/base/http/negotiate.ts'
import { hasAlready } from '../../../infra/base/http/response.ts'
import type { Handler, Request, Route } from '../../../infra/base/http/routes.ts'
import { waitUntilSettled } from '../../../infra/base/runtime/abort.ts'
import { FACT_FIELDS, JSON_MEDIA_TYPE } from '../../formats/rows.ts'
import { writeData } from '../../pages/data.tsx'
import type { DataFile, DataFileName } from '../../read/data-files.ts'
import { ApiProblem } from '../../read/problems.ts'
import { createReadingSlots } from '../../read/reading-slots.ts'
import { createDataList, dataFiles, writeDataSql } from '../../resources/data-files.ts'
import type { Download } from '../../resources/operation.ts'
import { DOWNLOADS } from '../../resources/operations.ts'
import { createPageContext, PAGE_TYPES, sendUncached } from '../page-answers.ts'
import { findCanonicalLocation, formatCacheControl, sendMoved } from '../send.ts'
import type { Service } from '../service.ts'

/** Limits of concurrent downloads. Each ends when all bytes are sent or its client has disconnected; a longer one is aborted. */
const createTransfers = (limits: { max: number; maxPerClient: number; maxMs: number }) => {
  const slots = createReadingSlots(limits)
  return {
    take: slots.take,
    send: async (chunks: AsyncIterable<Uint8Array>, reply: FastifyReply): Promise<void> => {
      const bytes = Readable.from(chunks, {
        objectMode: false,
        highWaterMark: 1,
        signal: AbortSignal.timeout(limits.maxMs),
      })
      reply.send(bytes)
      await waitUntilSettled(finished(bytes))
    },
  }
}

/** An empty text would replace the length. */
const sendNoBytes = (reply: FastifyReply): FastifyReply => reply.send(Readable.from([]))

const describeBytes = (request: FastifyRequest, { sha256, fileName }: Download) => ({
  etag: `"${sha256}"`,
  'cache-control': formatCacheControl(true, request.headers),
  ...(fileName === null ? {} : { 'content-disposition': `attachment; filename="${fileName}"` }),
})

export const createDownloadRoutes = ({ reader, baseUrl }: Service): Route[] => {
  // Each uses the memory of two chunks and of a socket buffer until its end.
  const transfers = createTransfers({ max: 32, maxPerClient: 4, maxMs: 5 * 60_000 })

  const readChunk = async ({ chunkQuery }: Download, chunk: number, client: string) =>
    (await reader.get(chunkQuery(chunk), client)).body

  async function* streamChunks(body: Download, first: Buffer, client: string) {
    yield first
    for (let chunk = 1; chunk < body.chunks; chunk++) yield await readChunk(body, chunk, client)
  }
  const sendBytes = async (
    body: Download,
    { client, reply }: { client: string; reply: FastifyReply },
  ): Promise<void> => {
    // A failure before the first byte becomes a problem response. A later failure can only abort the response.
    const first = await readChunk(body, 0, client)
    await transfers.send(streamChunks(body, first, client), reply)
  }
  const createRoute = ({ path, operationId, parseRequest }: (typeof DOWNLOADS)[number]): Route => {
    const download: Handler = async (request, reply) => {
      const { query, params } = parseRequest(request)
      const location = findCanonicalLocation(request.url, request.params, params)
      if (location !== undefined) return sendMoved(baseUrl + location, reply)
      const client = request.ip
      const { body } = await reader.get(query, client)
      const headers = describeBytes(request, body)
      if (hasAlready(request.headers['if-none-match'], headers.etag)) {
        return reply.code(304).headers(headers).send()
      }
      reply.headers({ ...headers, 'content-length': body.size }).type(body.mediaType)
      if (request.method === 'HEAD') return sendNoBytes(reply)
      await transfers.take(client, () => sendBytes(body, { client, reply }))
      return reply
    }
    return { path, operation: operationId, handlers: { GET: download } }
  }
  return DOWNLOADS.map(createRoute)
}

const CHUNK_BYTES = 128 * 1024

const describeFile = (
  { headers }: Request,
  { kind, path }: DataFileName,
  { asOf, sha256 }: DataFile,
): Record<string, string> => ({
  etag: `"${sha256}"`,
  'accept-ranges': 'bytes',
  'cache-control': formatCacheControl(kind === 'closed', headers),
  'content-disposition': `attachment; filename="${path.replace('/', '-')}"`,
  [FACT_FIELDS.chainId]: asOf.chainId,
  [FACT_FIELDS.height]: `${asOf.height}`,
  [FACT_FIELDS.time]: asOf.time,
  ...(asOf.demo ? { [FACT_FIELDS.demo]: 'true' } : {}),
})

/** A stream of Node would close the file, which others read too, when its client disconnects. */
async function* readBytes(handle: FileHandle, start: number, end: number) {
  for (let at = start; at <= end; ) {
    const length = Math.min(CHUNK_BYTES, end - at + 1)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
    if (bytesRead === 0) throw new Error(`the file ends at ${at}`)
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

const negotiate = createNegotiation([...PAGE_TYPES, 'application/json'])

/** The routes of the JSON and the files. */
export const createDataRoutes = (options: Service): Route[] => {
  const { files, baseUrl, getServiceUrl } = options
  // Each has a chunk and a socket buffer in memory; the client of one that is aborted continues with a range.
  const transfers = createTransfers({ max: 64, maxPerClient: 8, maxMs: 30 * 60_000 })
  const sendList: Handler = async (_request, reply) =>
    reply
      .headers({ ...NO_STORE, 'content-type': JSON_MEDIA_TYPE })
      .send(JSON.stringify(await createDataList(options)))

  const sendSql: Handler = (_request, reply) =>
    reply
      .headers({ ...NO_STORE, 'content-type': 'application/sql; charset=utf-8' })
      .send(writeDataSql(getServiceUrl() ?? baseUrl))

  const send =
    (request: Request, reply: Parameters<Handler>[1]) =>
    async (file: DataFile, name: DataFileName): Promise<void> => {
      const headers = describeFile(request, name, file)
      const { etag = '' } = headers
      if (hasAlready(request.headers['if-none-match'], etag)) {
        reply.code(304).headers(headers).send()
        return
      }
      const { method } = request
      const range =
        method === 'GET' ? findRange(request.headers, { etag, size: file.bytes }) : undefined
      if (range === 'none') {
        throw new ApiProblem('range-not-satisfiable', `The file has ${file.bytes} bytes.`, {
          headers: { 'content-range': `bytes */${file.bytes}`, etag },
        })
      }
      const { start, end } = range ?? { start: 0, end: file.bytes - 1 }
      if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${file.bytes}`)
      reply
        .headers({ ...headers, 'content-length': end - start + 1 })
        .type('application/vnd.apache.parquet')
      if (method === 'HEAD') {
        sendNoBytes(reply)
        return
      }
      await transfers.send(readBytes(file.handle, start, end), reply)
    }

  const sendFile: Handler = async (request, reply) => {
    const { table, part } = request.params
    const path = part === undefined ? `${table}` : `${table}/${part}`
    await transfers.take(request.ip, () => files.read(path, send(request, reply)))
    return reply
  }
  const operation = 'getDataFile'
  return [
    { path: dataFiles.path, operation: dataFiles.operationId, handlers: { GET: sendList } },
    { path: '/data', handlers: { GET: (_, reply) => sendMoved(baseUrl + API_PATHS.data, reply) } },
    { path: API_PATHS.dataSql, operation, handlers: { GET: sendSql } },
    { path: `${API_PATHS.data}:table`, operation, handlers: { GET: sendFile } },
    { path: `${API_PATHS.data}:table/:part`, operation, handlers: { GET: sendFile } },
  ]
}

/** `/data/`, as HTML, Markdown or JSON. */
export const createDataPage = (options: Service): Route => {
  const sendPage: Handler = async (request, reply) => {
    const list = await createDataList(options)
    if (negotiate(request.headers.accept) === 'application/json') {
      return reply
        .headers({ ...NO_STORE, 'content-type': JSON_MEDIA_TYPE })
        .send(JSON.stringify(list))
    }
    const at = createPageContext(request, options)
    return sendUncached({ document: writeData(list, at), status: 200, at }, request, reply)
  }
  return { path: API_PATHS.data, operation: 'dataPage', handlers: { GET: sendPage } }
}
