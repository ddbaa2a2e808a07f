// The bytes of a page: everything but the stamp that says when it was read, so that a new stamp costs no new read.

import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { AsOf } from '../schemas/common.ts'

/** Where a page says when it was read. */
export const STAMP = Symbol('asOf')

/** JSON, whole or in part: a text, or its bytes as the store gave them. */
export type Json = string | Buffer

/** The JSON of a page in pieces; an `asOf` object takes the place of each stamp. */
export type Content = readonly (Json | typeof STAMP)[]

const lengthOf = (piece: Content[number]): number => {
  if (piece === STAMP) return 0
  // A string is held as UTF-16 at worst.
  return typeof piece === 'string' ? 2 * piece.length : piece.length
}

/** Bytes of memory that a content takes. */
export const sizeOf = (content: Content): number =>
  content.reduce((sum, piece) => sum + lengthOf(piece), 0)

export type PageFrame = {
  /** Null where a cursor was followed: such a page has no number. */
  number: number | null
  size: number
  totalItems: number
  nextCursor: string | null
}

/** `path` carries the filters, without `page` and `cursor`. */
export type PageAddress = { path: string; filters: readonly (readonly [string, string])[] }

const urlOf = ({ path, filters }: PageAddress, name: string, value: string | number): string => {
  const query = new URLSearchParams([
    ...filters.map(([key, text]): [string, string] => [key, text]),
  ])
  query.append(name, `${value}`)
  return `${path}?${query}`
}

const linksOf = (frame: PageFrame, address: PageAddress, self: string) => {
  const { number, size, totalItems, nextCursor } = frame
  const last = Math.max(Math.ceil(totalItems / size) - 1, 0)
  const page = (target: number) => urlOf(address, 'page', target)
  const byCursor = nextCursor === null ? null : urlOf(address, 'cursor', nextCursor)
  return {
    self,
    next: number === null ? byCursor : number < last ? page(number + 1) : null,
    prev: number === null || number === 0 ? null : page(Math.min(number - 1, last)),
    first: page(0),
    last: page(last),
  }
}

/** The envelope of every list. `items` stand with commas between them; `self` is the address as asked for, `aside` what is said of all of them. */
export const listContent = (
  items: Json,
  frame: PageFrame,
  at: { address: PageAddress; cursor: string | undefined; aside?: object | undefined },
): Content => {
  const { number, size, totalItems, nextCursor } = frame
  const self =
    at.cursor === undefined
      ? urlOf(at.address, 'page', number ?? 0)
      : urlOf(at.address, 'cursor', at.cursor)
  const totalPages = Math.ceil(totalItems / size)
  const page = { number, size, totalItems, totalPages, nextCursor }
  const links = linksOf(frame, at.address, self)
  const rest = `"page":${JSON.stringify(page)},"links":${JSON.stringify(links)}`
  const aside = at.aside ? `,${JSON.stringify(at.aside).slice(1, -1)}` : ''
  return ['{"items":[', items, `],${rest}${aside},"asOf":`, STAMP, '}']
}

/** A proposal with its first page of votes inside. */
export const detailContent = (proposal: string, votes: Content): Content => [
  `${proposal.slice(0, -1)},"votes":`,
  ...votes,
  ',"asOf":',
  STAMP,
  '}',
]

/** A member more at the end of a page: anything that is JSON, stamped with the rest. */
export const withMember = (content: Content, name: string, member: Content): Content => [
  ...content.slice(0, -1),
  `,${JSON.stringify(name)}:`,
  ...member,
  '}',
]

export type Coding = 'identity' | 'br' | 'gzip'
export type Body = { bytes: Buffer; etag: string }

/** How bytes are to be read: their media type, and the header fields that belong to them, name and value in turn. */
export type Kind = { mediaType: string; fields: readonly string[] }

/** One stamped page, compressed when first asked for and kept so. */
export type StampedPage = {
  body(coding: Coding): Body
  readonly bytes: number
  readonly kind: Kind
}

/** Less than this, and a compressed body saves nothing. */
const MIN_COMPRESSED_BYTES = 1_024

const compress = (bytes: Buffer, coding: Coding): Buffer => {
  if (coding === 'gzip') return gzipSync(bytes, { level: 6 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotliCompressSync(bytes, { params })
}

export const isWorthCompressing = (page: StampedPage): boolean => page.bytes >= MIN_COMPRESSED_BYTES

const JSON_KIND: Kind = { mediaType: 'application/json; charset=utf-8', fields: [] }

/** The entity tag follows the fields, too: who has the bytes is to learn of a new field. */
export const stampBytes = (identity: Buffer, kind: Kind): StampedPage => {
  const hash = createHash('sha256').update(identity)
  for (const field of kind.fields) hash.update(field)
  const digest = hash.digest('base64url').slice(0, 22)
  const bodies = new Map<Coding, Body>([['identity', { bytes: identity, etag: `"${digest}"` }]])
  return {
    kind,
    bytes: identity.length,
    body: (coding) => {
      const known = bodies.get(coding)
      if (known) return known
      const body = { bytes: compress(identity, coding), etag: `"${digest}-${coding}"` }
      bodies.set(coding, body)
      return body
    },
  }
}

/** Bytes of memory that a stamped page takes, with its compressed forms. */
export const stampedBytes = ({ bytes }: StampedPage): number => 2 * bytes

export const stampPage = (content: Content, asOf: AsOf): StampedPage => {
  const stamp = JSON.stringify(asOf)
  const pieces = content.map((piece) => {
    const json = piece === STAMP ? stamp : piece
    return typeof json === 'string' ? Buffer.from(json) : json
  })
  return stampBytes(Buffer.concat(pieces), JSON_KIND)
}
