// Shortens what others wrote: each text of an item by its member, and an item that is too large as a whole. Pure.

/** No item of a list and no JSON of an MCP result is larger. */
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

const shortenUntilFits = <Item>(
  item: Item,
  first: Item,
  { wholeAt, maxBytes }: { wholeAt: string; maxBytes: number },
): Item => {
  const mark = { truncated: true, wholeAt }
  const finish = (short: Item): Item => (short === item ? item : { ...short, ...mark })
  let short = first
  for (const limits of STEPS) {
    if (measureJson(finish(short)) <= maxBytes) break
    short = shortenWith(item, limits) as Item
  }
  return finish(short)
}

/** Each text of a value by its member, such as the monikers of many pools. */
export const shortenTexts = <Value>(value: Value): Value => shortenWith(value, BY_MEMBER) as Value

/** The item itself if it fits. Otherwise a shortened copy that says so, with the path of the whole. */
export const shortenToFit = <Item>(item: Item, wholeAt: string, maxBytes: number): Item =>
  shortenUntilFits(item, item, { wholeAt, maxBytes })

/** The same for an item of a list, whose texts have limits of their own. */
export const shortenItem = <Item>(item: Item, wholeAt: string): Item =>
  shortenUntilFits(item, shortenTexts(item), {
    wholeAt,
    maxBytes: MAX_ITEM_BYTES,
  })

export type FittedItems<Item> = {
  /** Of all items together. */
  maxBytes: number
  /** Shortens items instead of the page, so that the next page by number follows. */
  keepsAll: boolean
  toJson: (item: Item) => string
  /** Undefined for items that are always whole. */
  getWholePath: (item: Item) => string | undefined
}

/** The first items that fit together, at least one, and all of them if `keepsAll`. */
export const fitItems = <Item>(
  items: readonly Item[],
  fitted: FittedItems<Item>,
): readonly Item[] => {
  const { maxBytes, keepsAll, toJson, getWholePath } = fitted
  const sizes = items.map((item) => Buffer.byteLength(toJson(item)) + 1)
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxBytes) return items
  const shorten = (item: Item, bytes: number): Item => {
    const path = getWholePath(item)
    return path === undefined ? item : shortenToFit(item, path, bytes)
  }
  if (keepsAll) {
    const share = Math.floor(maxBytes / items.length) - 1
    return items.map((item) => shorten(item, share))
  }
  let left = maxBytes
  const end = sizes.findIndex((size) => {
    left -= size
    return left < 0
  })
  return end === 0
    ? items.slice(0, 1).map((item) => shorten(item, maxBytes - 1))
    : items.slice(0, end)
}

/** Names and other short texts of a page that shows the summary and the messages in parts of their own. */
export const shortenNames = <Item extends { title: string; metadata: string }>(
  item: Item,
): Item => {
  const { title, metadata } = item
  const most = (member: string) => BY_MEMBER.getLength(member)
  return { ...item, title: cut(title, most('title')), metadata: cut(metadata, most('metadata')) }
}
