// Paginates lists as the chain does: its two paginators differ in ways that clients can see.
import type { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { refuse } from './query.ts'
import { bytesField, concat, fields, uintField } from './raw-message.ts'
import type { Entry } from './state.ts'

export type Page = { items: Uint8Array[]; nextKey: Uint8Array; total: bigint }

const DEFAULT_LIMIT = 100n
const NO_KEY = new Uint8Array()

/** Without a limit the total is counted. `most`: the most items on a page of this node. */
export function readPage(asked: PageRequest | undefined, most?: number): PageRequest {
  const { key = NO_KEY, offset = 0n, limit = 0n, countTotal = false, reverse = false } = asked ?? {}
  if (offset > 0n && key.length > 0) {
    refuse('unknown', 'invalid request, either offset or key is expected, got both')
  }
  const wanted = limit === 0n ? DEFAULT_LIMIT : limit
  return {
    key,
    offset,
    limit: most !== undefined && wanted > BigInt(most) ? BigInt(most) : wanted,
    countTotal: limit === 0n || countTotal,
    reverse,
  }
}

export function writePage(page: Page): Buffer {
  const items = fields(page.items.map((item) => [1, item]))
  const next = page.nextKey.length > 0 ? bytesField(1, page.nextKey) : NO_KEY
  return concat([items, bytesField(2, concat([next, uintField(2, page.total)]))])
}

/** Entries from the key of the page on, in its direction; includes the key. */
function fromKey(entries: readonly Entry[], request: PageRequest): Entry[] {
  const ordered = request.reverse ? [...entries].reverse() : [...entries]
  if (request.key.length === 0) return ordered
  const sign = request.reverse ? -1 : 1
  return ordered.filter(({ key }) => Buffer.compare(key, request.key) * sign >= 0)
}

type Include = (entry: Entry) => boolean

/** x/gov: the offset counts raw entries before the filter, and the limit counts matches. */
export function paginateCollection(
  entries: readonly Entry[],
  request: PageRequest,
  include: Include = () => true,
): Page {
  const ordered = fromKey(entries, request)
  if (request.offset > BigInt(ordered.length)) return { items: [], nextKey: NO_KEY, total: 0n }
  const hits = ordered.slice(Number(request.offset)).filter(include)
  const limit = Number(request.limit < 2n ** 31n ? request.limit : 2n ** 31n)
  if (request.key.length > 0) {
    return { items: hits.slice(0, limit).map(bytesOf), nextKey: keyOf(hits[limit]), total: 0n }
  }
  return {
    items: hits.slice(0, limit).map(bytesOf),
    nextKey: keyOf(nextAfter(ordered, hits, { limit, isCounting: request.countTotal })),
    total: request.countTotal ? BigInt(hits.length) + request.offset : 0n,
  }
}

/**
 * The start of the page after `hits[limit - 1]`. Without a count the chain takes the next entry, match or not.
 * With a count it takes the next match, or the last entry of all.
 */
function nextAfter(
  ordered: readonly Entry[],
  hits: readonly Entry[],
  { limit, isCounting }: { limit: number; isCounting: boolean },
) {
  const last = hits[limit - 1]
  if (!last) return undefined
  if (!isCounting) return ordered[ordered.indexOf(last) + 1]
  const rest = ordered.slice(ordered.indexOf(last) + 1)
  return hits[limit] ?? rest.at(-1)
}

/** The pools of x/staking: the offset counts matches. After a page by key, the next entry follows, match or not. */
export function paginateFiltered(
  entries: readonly Entry[],
  request: PageRequest,
  include: Include = () => true,
): Page {
  const ordered = fromKey(entries, request)
  const limit = Number(request.limit < 2n ** 31n ? request.limit : 2n ** 31n)
  const hits = ordered.filter(include)
  if (request.key.length > 0) {
    const last = hits[limit - 1]
    const next = last ? ordered[ordered.indexOf(last) + 1] : undefined
    return { items: hits.slice(0, limit).map(bytesOf), nextKey: keyOf(next), total: 0n }
  }
  const offset = Number(request.offset)
  return {
    items: hits.slice(offset, offset + limit).map(bytesOf),
    nextKey: keyOf(hits[offset + limit]),
    total: request.countTotal ? BigInt(hits.length) : 0n,
  }
}

const bytesOf = ({ value }: Entry): Uint8Array => value
const keyOf = (entry: Entry | undefined): Uint8Array => entry?.key ?? NO_KEY
