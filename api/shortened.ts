// Shortens what others wrote: each text of an item by its member, and an item that is too large as a whole. Pure.
import { fits, inBytes, type SizeLimit } from './size.ts'

/** No item of a list is larger. */
export const MAX_ITEM_BYTES = 64 * 2 ** 10
/** Limit of all items of a page together. */
export const MAX_PAGE_BYTES = 2 ** 20

/** The bytes of the JSON of a value. */
export const measureJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** In UTF-16 code units. Chains allow 255 characters in a title and 10,200 bytes in a summary by default. */
const TEXT_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['title', 1_000],
  ['summary', 16_000],
  ['metadata', 16_000],
  ['memo', 16_000],
  ['failedReason', 2_000],
  ['historyReason', 2_000],
  ['matchesChainReason', 2_000],
  ['depositorReason', 2_000],
  ['incompleteReason', 2_000],
  ['proposer', 256],
  ['moniker', 256],
  ['denom', 256],
])

/** At most `maxLength` code units, without an unpaired surrogate at the end. A shortened text ends in "…". */
export const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`

type Limits = { getLength: (member: string) => number; entries: number }

const BY_MEMBER: Limits = {
  getLength: (member) => TEXT_LENGTHS.get(member) ?? Number.POSITIVE_INFINITY,
  entries: Number.POSITIVE_INFINITY,
}

/** Addresses, hashes and amounts have less than 128 characters. */
const STEPS: readonly Limits[] = (
  [
    [8_000, 1_000],
    [2_000, 200],
    [500, 50],
    [128, 20],
    [128, 5],
    [128, 1],
    [128, 0],
  ] as const
).map(([length, entries]) => ({ getLength: () => length, entries }))

/** The same value if nothing is longer than its limit. */
const shortenWith = (value: unknown, limits: Limits, member = ''): unknown => {
  if (typeof value === 'string') return cut(value, limits.getLength(member))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const kept = value.length > limits.entries ? value.slice(0, limits.entries) : value
    const shortened = kept.map((each) => shortenWith(each, limits, member))
    return kept === value && shortened.every((each, n) => each === value[n]) ? value : shortened
  }
  const members = Object.entries(value)
  const shortened = members.map(([name, each]) => [name, shortenWith(each, limits, name)] as const)
  return shortened.every(([, each], n) => each === members[n]?.[1])
    ? value
    : Object.fromEntries(shortened)
}

type Marked = { wholeAt: string; limit: SizeLimit }

const shortenUntilFits = <Item>(item: Item, first: Item, { wholeAt, limit }: Marked): Item => {
  const mark = { truncated: true, wholeAt }
  const finish = (short: Item): Item => (short === item ? item : { ...short, ...mark })
  let short = first
  for (const limits of STEPS) {
    if (fits(finish(short), limit)) break
    short = shortenWith(item, limits) as Item
  }
  return finish(short)
}

/** Each text of a value by its member, such as the monikers of many pools. */
export const shortenTexts = <Value>(value: Value): Value => shortenWith(value, BY_MEMBER) as Value

/** The item itself if it fits. Otherwise a shortened copy that says so, with the path of the whole. */
export const shortenToFit = <Item>(item: Item, wholeAt: string, limit: SizeLimit): Item =>
  shortenUntilFits(item, item, { wholeAt, limit })

/** The same for an item of a list, whose texts have limits of their own. */
export const shortenItem = <Item>(item: Item, wholeAt: string): Item =>
  shortenUntilFits(item, shortenTexts(item), { wholeAt, limit: inBytes(MAX_ITEM_BYTES) })

export type FittedItems<Item> = {
  /** Of all items together. */
  limit: SizeLimit
  /**
   * What happens to items that do not fit. Shortened items keep the next page by number. Shortened texts let a page have
   * more items, and the page ends early if that is not enough.
   */
  excess: 'shortens items' | 'shortens texts' | 'ends the page'
  toJson: (item: Item) => string
  /** Undefined for items that are always whole. */
  getWholePath: (item: Item) => string | undefined
}

/** In UTF-16 code units. Longer than any address or hash. */
const PREVIEW_LENGTHS = [2_000, 500, 160]

const shortenLongTexts = <Item>(item: Item, length: number, path: string | undefined): Item => {
  if (path === undefined) return item
  const limits = { getLength: () => length, entries: Number.POSITIVE_INFINITY }
  const short = shortenWith(item, limits) as Item
  return short === item ? item : { ...short, truncated: true, wholeAt: path }
}

/** The first items that fit together, at least one, and all of them if items are shortened. */
export const fitItems = <Item>(
  items: readonly Item[],
  fitted: FittedItems<Item>,
): readonly Item[] => {
  const { limit, excess, toJson, getWholePath } = fitted
  const { max, measure } = limit
  const measureAll = (all: readonly Item[]) => all.map((item) => measure(toJson(item)) + 1)
  const isWithin = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0) <= max
  let kept = items
  let sizes = measureAll(kept)
  for (const length of excess === 'shortens texts' ? PREVIEW_LENGTHS : []) {
    if (isWithin(sizes)) break
    kept = items.map((item) => shortenLongTexts(item, length, getWholePath(item)))
    sizes = measureAll(kept)
  }
  if (isWithin(sizes)) return kept
  const shorten = (item: Item, share: number): Item => {
    const path = getWholePath(item)
    return path === undefined ? item : shortenToFit(item, path, { max: share, measure })
  }
  if (excess === 'shortens items') {
    const share = Math.floor(max / items.length) - 1
    return items.map((item) => shorten(item, share))
  }
  let left = max
  const end = sizes.findIndex((size) => {
    left -= size
    return left < 0
  })
  return end === 0 ? kept.slice(0, 1).map((item) => shorten(item, max - 1)) : kept.slice(0, end)
}

/** Names and other short texts of a page that shows the summary and the messages in parts of their own. */
export const shortenNames = <Item extends { title: string; metadata: string }>(
  item: Item,
): Item => {
  const { title, metadata } = item
  const most = (member: string) => BY_MEMBER.getLength(member)
  return { ...item, title: cut(title, most('title')), metadata: cut(metadata, most('metadata')) }
}
