// Parses a large JSON text: the items of some lists in parts, then the rest, so that their values are never in memory together. Counts
// the values before each parse. Streaming parsers from npm make a call for each token: the fastest one reads a quarter of the bytes a
// second.
import { invalidResponse } from './wire.ts'

/** The lists to take out, by member. `true` is a list; an object has the lists in the members of a value or in each item. */
export type ListPaths = { readonly [member: string]: true | ListPaths }

export type TakenItems = {
  /** The name of the list. */
  name: string
  /** In order; a list comes in any number of parts. */
  items: readonly unknown[]
  /** The index of the item that has the list, if it is an item of a list that is taken out too. */
  parent: number | null
}

/** A shorter text is parsed at once and without a count: even `{},{},…` becomes less than 32 MiB. */
export const LARGE_BYTES = 2 ** 20
/** Limit of the values that are parsed at once. One of three bytes, such as `{},`, takes some 64 bytes then. */
const MAX_VALUES = 1_000_000
/** Items are parsed together: one call for each would cost more than the parsing. */
const BATCH_BYTES = 64 * 2 ** 10

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

const notJson = () => invalidResponse('the response is not JSON')

class Cursor {
  readonly text: Buffer
  at = 0
  /** Values of the part that is not parsed yet. */
  values = 0

  constructor(text: Buffer) {
    this.text = text
  }

  /** The next byte that is no white space. */
  peek(): number | undefined {
    while (this.text[this.at]! <= 0x20) this.at++
    return this.text[this.at]
  }

  take(byte: number): void {
    if (this.peek() !== byte) throw notJson()
    this.at++
  }

  /** Whether the byte is next; then it is taken. */
  takes(byte: number): boolean {
    const isNext = this.peek() === byte
    if (isNext) this.at++
    return isNext
  }

  countValue(): void {
    if (++this.values > MAX_VALUES)
      throw invalidResponse(`the response has more than ${MAX_VALUES} values in one part`)
  }

  skipString(): void {
    const { text } = this
    this.take(QUOTE)
    while (this.at < text.length && text[this.at] !== QUOTE)
      this.at += text[this.at] === BACKSLASH ? 2 : 1
    this.at++
  }

  /** Counts the values in it from above: each follows a bracket or a comma. */
  skipValue(): void {
    const { text } = this
    for (let depth = 0; this.at < text.length; this.at++) {
      const byte = text[this.at]
      if (byte === QUOTE) {
        this.skipString()
        this.at--
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.countValue()
        depth++
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (depth === 0) return
        depth--
      } else if (byte === COMMA) {
        if (depth === 0) return
        this.countValue()
      }
    }
  }
}

/** Parses a text that is complete. */
export function parseCounted(text: Buffer): unknown {
  if (text.length > LARGE_BYTES) new Cursor(text).skipValue()
  return JSON.parse(text.toString('utf8'))
}

/** A text without the items of its lists. */
type Rest = { cursor: Cursor; parts: Buffer[]; from: number }

function cutAt({ cursor, parts, from }: Rest): void {
  parts.push(cursor.text.subarray(from, cursor.at))
}

function* takeItems(
  cursor: Cursor,
  { name, parent, lists }: Pick<TakenItems, 'name' | 'parent'> & { lists: true | ListPaths },
): Generator<TakenItems> {
  if (cursor.peek() === CLOSE_BRACKET) return
  for (let index = 0, from = cursor.at; ; ) {
    if (lists === true) cursor.skipValue()
    else {
      yield { name, parent, items: [yield* takeValue(cursor, lists, index)] }
      index++
      from = cursor.at
    }
    const isLast = cursor.peek() !== COMMA
    if (lists === true && (isLast || cursor.at - from >= BATCH_BYTES)) {
      const text = cursor.text.toString('utf8', from, cursor.at)
      cursor.values = 0
      const items = JSON.parse(`[${text}]`) as unknown[]
      if (items.length === 0) throw notJson()
      yield { name, parent, items }
      from = cursor.at + 1
    }
    if (isLast) return
    cursor.at++
    cursor.countValue()
  }
}

function* takeMembers(rest: Rest, lists: ListPaths, parent: number | null): Generator<TakenItems> {
  const { cursor } = rest
  const seen = new Set<string>()
  cursor.take(OPEN_BRACE)
  if (cursor.takes(CLOSE_BRACE)) return
  do {
    cursor.countValue()
    cursor.peek()
    const from = cursor.at + 1
    cursor.skipString()
    const name = cursor.text.toString('latin1', from, Math.min(cursor.at - 1, from + 64))
    cursor.take(COLON)
    const first = cursor.peek()
    const below = Object.hasOwn(lists, name) ? lists[name]! : undefined
    if (below !== undefined && first === OPEN_BRACKET) {
      if (seen.has(name)) throw invalidResponse(`the response has ${name} twice`)
      seen.add(name)
      cursor.at++
      cutAt(rest)
      const outer = cursor.values
      cursor.values = 0
      yield* takeItems(cursor, { name, parent, lists: below })
      cursor.values = outer
      rest.from = cursor.at
      cursor.take(CLOSE_BRACKET)
    } else if (typeof below === 'object' && first === OPEN_BRACE)
      yield* takeMembers(rest, below, parent)
    else cursor.skipValue()
  } while (cursor.takes(COMMA))
  cursor.take(CLOSE_BRACE)
}

/** One value, without the items of its lists. */
function* takeValue(
  cursor: Cursor,
  lists: ListPaths,
  parent: number | null,
): Generator<TakenItems, unknown> {
  cursor.peek()
  const rest: Rest = { cursor, parts: [], from: cursor.at }
  cursor.values = 0
  if (cursor.peek() === OPEN_BRACE) yield* takeMembers(rest, lists, parent)
  else cursor.skipValue()
  cutAt(rest)
  return JSON.parse(Buffer.concat(rest.parts).toString('utf8'))
}

/** The value without the items: each of these lists is empty. Throws `RPC_INVALID_RESPONSE` and `SyntaxError`. */
export function* parseInParts(text: Buffer, lists: ListPaths): Generator<TakenItems, unknown> {
  const cursor = new Cursor(text)
  const value = yield* takeValue(cursor, lists, null)
  if (cursor.peek() !== undefined) throw notJson()
  return value
}
