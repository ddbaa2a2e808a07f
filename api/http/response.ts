// A finished answer: its bytes in each coding, with entity tag and header fields. Made once and sent to everyone who asks.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { hasAlready } from '../../infra/runtime/entity-tag.ts'
import { type Coding, chooseCoding } from './coding.ts'
import { SHARED_HEADERS } from './headers.ts'

/** How bytes are to be read: their media type, and the header fields that belong to them, name and value in turn. */
export type Kind = { mediaType: string; fields: readonly string[] }

export type Body = { bytes: Buffer; etag: string }

export type Response = {
  kind: Kind
  /** In the coding that the client wants, compressed when it is first asked for. */
  body(acceptEncoding: string | undefined): Body & { coding: Coding }
  /** Bytes of memory that it takes, with its compressed forms. */
  readonly memory: number
}

/** Below this a compressed body saves nothing. */
const MIN_COMPRESSED_BYTES = 1_024

const compress = (bytes: Buffer, coding: Coding): Buffer => {
  if (coding === 'gzip') return gzipSync(bytes, { level: 6 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotliCompressSync(bytes, { params })
}

/** The entity tag follows the fields, too: a client that has the bytes is to learn of a new field. */
export const createResponse = (identity: Buffer, kind: Kind): Response => {
  const hash = createHash('sha256').update(identity)
  for (const field of kind.fields) hash.update(field)
  const digest = hash.digest('base64url').slice(0, 22)
  const bodies = new Map<Coding, Body>([['identity', { bytes: identity, etag: `"${digest}"` }]])
  const bodyIn = (coding: Coding): Body => {
    const known = bodies.get(coding)
    if (known) return known
    const body = { bytes: compress(identity, coding), etag: `"${digest}-${coding}"` }
    bodies.set(coding, body)
    return body
  }
  return {
    kind,
    memory: 2 * identity.length,
    body: (acceptEncoding) => {
      const coding =
        identity.length < MIN_COMPRESSED_BYTES ? 'identity' : chooseCoding(acceptEncoding)
      return { ...bodyIn(coding), coding }
    },
  }
}

/** Names and values in turn, as `writeHead` takes them. */
export type Fields = readonly string[]
export type PreparedResponse = { status: 200 | 304; fields: Fields; bytes: Buffer | undefined }

/** The status, the fields and the bytes for a request with these headers. */
export const prepareResponse = (
  response: Response,
  cacheControl: string,
  headers: IncomingHttpHeaders,
): PreparedResponse => {
  const { bytes, etag, coding } = response.body(headers['accept-encoding'])
  const shared = [
    ...SHARED_FIELDS,
    'etag',
    etag,
    'cache-control',
    cacheControl,
    ...response.kind.fields,
  ]
  if (hasAlready(headers['if-none-match'], etag)) {
    return { status: 304, fields: shared, bytes: undefined }
  }
  const encoding = coding === 'identity' ? [] : ['content-encoding', coding]
  const type = ['content-type', response.kind.mediaType, 'content-length', `${bytes.length}`]
  return { status: 200, fields: [...shared, ...type, ...encoding], bytes }
}

const SHARED_FIELDS: Fields = Object.entries(SHARED_HEADERS).flat()
