// Shortens what others wrote: each text of an item by its member, and an item or a page that is too large, in bytes or in tokens of a
// language model. Pure.

export type SizeLimit = { max: number; measure: (json: string) => number }

export const inBytes = (max: number): SizeLimit => ({ max, measure: Buffer.byteLength })

/** Two steps, because one expression for mixed characters would take quadratic time. */
const RUN = /[a-z\d+/=]{16,}/gi

/** Addresses and hashes have digits between letters; base64 also has letters of both cases. */
const classify = (run: string): 'words' | 'random' | 'base64' => {
  if (!/\d/.test(run) || !/[a-z]/i.test(run)) return 'words'
  return /[a-z]/.test(run) && /[A-Z]/.test(run) ? 'base64' : 'random'
}

/** Tokens per character, fitted to the JSON of this API with the encodings o200k and cl100k. */
const WEIGHTS = {
  base64: 0.72,
  random: 0.61,
  letter: 0.205,
  digit: 0.25,
  sign: 0.64,
  other: 1.5,
} as const

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0

/** An estimate of the tokens of a JSON text, which is rarely below those of both encodings. */
export const estimateTokens = (json: string): number => {
  const runs = { random: 0, base64: 0 }
  const readable = json.replace(RUN, (run) => {
    const kind = classify(run)
    if (kind === 'words') return run
    runs[kind] += run.length
    return ''
  })
  const letters = count(readable, /[a-z ]/gi)
  const digits = count(readable, /\d/g)
  const others = count(readable, /[\u0080-\uffff]/g)
  return Math.ceil(
    WEIGHTS.base64 * runs.base64 +
      WEIGHTS.random * runs.random +
      WEIGHTS.letter * letters +
      WEIGHTS.digit * digits +
      WEIGHTS.sign * (readable.length - letters - digits - others) +
      WEIGHTS.other * others,
  )
}

export const inTokens = (max: number): SizeLimit => ({ max, measure: estimateTokens })

/** The limit without what another part of the same answer takes. */
export const reduceBy = ({ max, measure }: SizeLimit, part: unknown): SizeLimit => ({
  max: max - measure(JSON.stringify(part)),
  measure,
})

export const fits = (value: unknown, { max, measure }: SizeLimit): boolean =>
  measure(JSON.stringify(value)) <= max

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

/** Most items are not: this is asked of each, without a copy of it. */
const isTooLong = (value: unknown, limits: Limits, member = ''): boolean => {
  if (typeof value === 'string') return value.length > limits.getLength(member)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    return value.length > limits.entries || value.some((each) => isTooLong(each, limits, member))
  }
  for (const name in value) {
    if (isTooLong((value as Record<string, unknown>)[name], limits, name)) return true
  }
  return false
}

/** The same value if nothing is longer than its limit. */
const shortenWith = (value: unknown, limits: Limits, member = ''): unknown => {
  if (!isTooLong(value, limits, member)) return value
  if (typeof value === 'string') return cut(value, limits.getLength(member))
  if (Array.isArray(value)) {
    return value.slice(0, limits.entries).map((each) => shortenWith(each, limits, member))
  }
  const members = Object.entries(value as object)
  return Object.fromEntries(members.map(([name, each]) => [name, shortenWith(each, limits, name)]))
}

type Marked = { wholeAt: string; limit: SizeLimit }
type Line<Item> = { item: Item; line: string }

/** With its JSON, which is serialised once if the first form fits. */
const shortenUntilFits = <Item>(
  item: Item,
  first: Item,
  { wholeAt, limit }: Marked,
): Line<Item> => {
  const toLine = (short: Item): Line<Item> => {
    const marked = short === item ? item : { ...short, truncated: true, wholeAt }
    return { item: marked, line: JSON.stringify(marked) }
  }
  let fitted = toLine(first)
  for (const limits of STEPS) {
    if (limit.measure(fitted.line) <= limit.max) break
    fitted = toLine(shortenWith(item, limits) as Item)
  }
  return fitted
}

/** Each text of a value by its member, such as the monikers of many pools. */
export const shortenTexts = <Value>(value: Value): Value => shortenWith(value, BY_MEMBER) as Value

/** The item itself if it fits. Otherwise a shortened copy that says so, with the path of the whole. */
export const shortenToFit = <Item>(item: Item, wholeAt: string, limit: SizeLimit): Item =>
  shortenUntilFits(item, item, { wholeAt, limit }).item

/** The same for an item of a list, whose texts have limits of their own. */
export function shortenItem<Item>(item: Item, wholeAt: string): Line<Item> {
  const limit = inBytes(MAX_ITEM_BYTES)
  return shortenUntilFits(item, shortenTexts(item), { wholeAt, limit })
}

/** Items with the JSON of each. */
export type Fitted<Item> = { items: readonly Item[]; lines: readonly string[] }

type Fitting<Item> = {
  /** Of all items together. */
  limit: SizeLimit
  /**
   * What happens to items that do not fit. Shortened items keep the next page by number. Shortened texts let a page have
   * more items, and the page ends early if that is not enough.
   */
  excess: 'shortens items' | 'shortens texts' | 'ends the page'
  /** Undefined for items that are always whole. */
  getWholePath: (item: Item) => string | undefined
}

/** In UTF-16 code units. Longer than any address or hash. */
const PREVIEW_LENGTHS = [2_000, 500, 160]

const shortenLongTexts = <Item>(item: Item, length: number, wholeAt: string): Item => {
  const limits = { getLength: () => length, entries: Number.POSITIVE_INFINITY }
  const short = shortenWith(item, limits) as Item
  return short === item ? item : { ...short, truncated: true, wholeAt }
}

/** The first items that fit together, at least one, and all of them if items are shortened. */
export function fitItems<Item>(
  page: Fitted<Item>,
  { limit: { max, measure }, excess, getWholePath }: Fitting<Item>,
): Fitted<Item> {
  const shortenAll = (shorten: (item: Item, wholeAt: string) => Item): Fitted<Item> => {
    const items = page.items.map((item) => {
      const path = getWholePath(item)
      return path === undefined ? item : shorten(item, path)
    })
    const lines = items.map((item, n) =>
      item === page.items[n] ? (page.lines[n] ?? '') : JSON.stringify(item),
    )
    return { items, lines }
  }
  const measureAll = ({ lines }: Fitted<Item>) => lines.map((line) => measure(line) + 1)
  const isWithin = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0) <= max
  let kept = page
  let sizes = measureAll(kept)
  for (const length of excess === 'shortens texts' ? PREVIEW_LENGTHS : []) {
    if (isWithin(sizes)) break
    kept = shortenAll((item, path) => shortenLongTexts(item, length, path))
    sizes = measureAll(kept)
  }
  if (isWithin(sizes)) return kept
  const shortenTo = (share: number) =>
    shortenAll((item, path) => shortenToFit(item, path, { max: share, measure }))
  if (excess === 'shortens items') return shortenTo(Math.floor(max / page.items.length) - 1)
  let left = max
  const end = sizes.findIndex((size) => {
    left -= size
    return left < 0
  })
  const [{ items, lines }, count] = end === 0 ? [shortenTo(max - 1), 1] : [kept, end]
  return { items: items.slice(0, count), lines: lines.slice(0, count) }
}

/** Names and other short texts of a page that shows the summary and the messages in parts of their own. */
export const shortenNames = <Item extends { title: string; metadata: string }>(
  item: Item,
): Item => {
  const { title, metadata } = item
  const most = (member: string) => BY_MEMBER.getLength(member)
  return { ...item, title: cut(title, most('title')), metadata: cut(metadata, most('metadata')) }
}
