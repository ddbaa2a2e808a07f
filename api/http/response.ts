// A rendered response: its bytes in each coding, with entity tag and headers. It is created once and sent many times.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { hasAlready } from '../../infra/base/runtime/entity-tag.ts'
import { SHARED_HEADERS } from './headers.ts'
import { type Coding, chooseCoding } from './negotiate.ts'

/** The media type and further headers of a body, as an array: name, value, name, value. */
export type Kind = { mediaType: string; fields: readonly string[] }

export type Body = { bytes: Buffer; etag: string }

export type Response = {
  kind: Kind
  /** The body in the preferred coding. It is compressed at the first use. */
  body(acceptEncoding: string | undefined): Body & { coding: Coding }
  /** Memory in bytes, including compressed forms. */
  readonly memory: number
}

/** Compression of smaller bodies saves nothing. */
const MIN_COMPRESSED_BYTES = 1_024

const compress = (bytes: Buffer, coding: Coding): Buffer => {
  if (coding === 'gzip') return gzipSync(bytes, { level: 6 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotliCompressSync(bytes, { params })
}

/** The entity tag includes the headers, so that a client with the same bytes gets changed headers. */
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

/** Name, value, name, value: the format of `writeHead`. */
export type Fields = readonly string[]
export type PreparedResponse = { status: 200 | 304; fields: Fields; bytes: Buffer | undefined }

/** The response to a request with these headers. */
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
