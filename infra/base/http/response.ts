// A rendered response: its bytes in each coding, with entity tag and headers. It is created once and sent many times.

import { createHash } from 'node:crypto'
import { isDeepStrictEqual, promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsIdentity, type Coding, chooseCoding } from './negotiate.ts'

/** The media type and further headers of a body, as an array: name, value, name, value. */
export type Kind = { mediaType: string; fields: Fields }

export type Response = {
  kind: Kind
  chooseCoding(acceptEncoding: string | undefined): Coding
  etag(coding: Coding): string
  /** The body in a coding; undefined if it was not compressed yet. */
  ready(coding: Coding): Buffer | undefined
  /** Compresses it at the first use, beside the event loop; requests at the same time share the work. */
  body(coding: Coding): Promise<Buffer>
  /** Memory in bytes, including compressed forms. */
  readonly memory: number
}

/** Compression of smaller bodies saves nothing: they are compressed only for clients that refuse the plain body. */
const MIN_COMPRESSED_BYTES = 1_024

const compressGzip = promisify<Buffer, object, Buffer>(gzip)
const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress)

const compress = (bytes: Buffer, coding: Coding): Promise<Buffer> => {
  if (coding === 'gzip') return compressGzip(bytes, { level: 6 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return compressBrotli(bytes, { params })
}

/** The entity tag includes the headers, so that a client with the same bytes gets changed headers. */
export const createResponse = (identity: Buffer, kind: Kind): Response => {
  const hash = createHash('sha256').update(identity)
  for (const field of kind.fields) hash.update(field)
  const digest = hash.digest('base64url').slice(0, 22)
  const bodies = new Map<Coding, Buffer>([['identity', identity]])
  const pending = new Map<Coding, Promise<Buffer>>()
  const share = async (coding: Coding): Promise<Buffer> => {
    const started = pending.get(coding) ?? compress(identity, coding)
    pending.set(coding, started)
    try {
      bodies.set(coding, await started)
      return await started
    } finally {
      pending.delete(coding)
    }
  }
  return {
    kind,
    memory: 2 * identity.length,
    chooseCoding: (acceptEncoding) =>
      identity.length < MIN_COMPRESSED_BYTES && acceptsIdentity(acceptEncoding)
        ? 'identity'
        : chooseCoding(acceptEncoding),
    etag: (coding) => (coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`),
    ready: (coding) => bodies.get(coding),
    body: async (coding) => bodies.get(coding) ?? (await share(coding)),
  }
}

/** Name, value, name, value: the format of `writeHead`. */
export type Fields = readonly string[]

export const toHeaders = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? '']] : [])),
  )

/** What a client gets in a coding: `found`, or `known` if it has the body already. */
export type ReadyResponse = { etag: string; found: Fields; known: Fields; bytes: Buffer }

const createReady = (
  { kind, etag: tag }: Response,
  coding: Coding,
  { cacheControl, bytes, more = [] }: { cacheControl: string; bytes: Buffer; more?: Fields },
): ReadyResponse => {
  const etag = tag(coding)
  const known = [...more, 'etag', etag, 'cache-control', cacheControl, ...kind.fields]
  const encoding = coding === 'identity' ? [] : ['content-encoding', coding]
  const type = ['content-type', kind.mediaType, 'content-length', `${bytes.length}`]
  return { etag, known, found: [...known, ...type, ...encoding], bytes }
}

/** The response for each `Accept-Encoding`, made once; undefined if the body must be compressed first. */
export function createReadyResponses(
  response: Response,
  cacheControl: string,
  more: Fields,
): (acceptEncoding: string | undefined) => ReadyResponse | undefined {
  const made = new Map<Coding, ReadyResponse>()
  return (acceptEncoding) => {
    const coding = response.chooseCoding(acceptEncoding)
    const known = made.get(coding)
    if (known) return known
    const bytes = response.ready(coding)
    if (!bytes) return undefined
    const ready = createReady(response, coding, { cacheControl, bytes, more })
    made.set(coding, ready)
    return ready
  }
}

/** Compares `If-None-Match` with the entity tag of the response; weak comparison (RFC 9110, section 13.1.2). */
export function hasAlready(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

export const sendResponse = async (
  response: Response,
  cacheControl: string,
  { request: { headers }, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> => {
  const coding = response.chooseCoding(headers['accept-encoding'])
  const bytes = await response.body(coding)
  const { etag, known, found } = createReady(response, coding, { cacheControl, bytes })
  return hasAlready(headers['if-none-match'], etag)
    ? reply.code(304).headers(toHeaders(known)).send()
    : reply.code(200).headers(toHeaders(found)).send(bytes)
}

/** The response for a source. It is written and compressed again only when the source has changed. */
export const rememberResponse = <Source>(
  mediaType: string,
  write: (source: Source) => string,
): ((source: Source) => Response) => {
  let known: { source: Source; response: Response } | undefined
  return (source) => {
    if (known && isDeepStrictEqual(known.source, source)) return known.response
    const response = createResponse(Buffer.from(write(source)), { mediaType, fields: [] })
    known = { source, response }
    return response
  }
}
