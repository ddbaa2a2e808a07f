// Parses a large JSON text in parts: the items of some lists as soon as they are received, and the rest at the end. Neither the
// text nor the items of a list are ever complete in memory. Streaming parsers from npm make a call for each token: the fastest
// one reads a quarter of the bytes per second.
import { invalidResponse } from './decode.ts'
import { LARGE_BYTES, MAX_VALUES } from './response-limits.ts'

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

export type JsonListReader = {
  /** Throws `RPC_INVALID_RESPONSE` and `SyntaxError`. */
  write(chunk: Buffer): void
  /** The value without the items: each of these lists is empty. */
  end(): unknown
  /** Text that is not parsed yet. */
  readonly pendingBytes: number
}

/** Items are parsed together: one call for each would cost more than the parsing. */
const BATCH_BYTES = 64 * 2 ** 10
/** Limit of one item, and of the value without the items. */
const MAX_PENDING_BYTES = 64 * 2 ** 20

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** The position of the quote that ends a string; the length of the text without one, and more if an escape follows. */
const closingQuote = (text: Uint8Array, from: number): number => {
  let at = from
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1
  return at
}

const tooManyValues = () =>
  invalidResponse(`the response has more than ${MAX_VALUES} values in one part`)

/** Parses a text that is complete. Counts its values from above before: each follows a bracket or a comma. */
export const parseCounted = (text: Buffer): unknown => {
  let values = text.length <= LARGE_BYTES ? Number.NEGATIVE_INFINITY : 0
  for (let at = 0; at < text.length && values >= 0; at++) {
    const byte = text[at]
    if (byte === QUOTE) at = closingQuote(text, at + 1)
    else if (byte === COMMA || byte === OPEN_BRACE || byte === OPEN_BRACKET) values++
    if (values > MAX_VALUES) throw tooManyValues()
  }
  return JSON.parse(text.toString('utf8'))
}

/** The member whose value begins at the end of the text. */
const MEMBER = /[{,]\s*"([a-z_]+)"\s*:\s*$/
const MEMBER_BYTES = 64

/** A text that is not parsed yet: the value without the items, or items of one list. */
type Pending = {
  list: { name: string; parent: number | null } | undefined
  paths: ListPaths | undefined
  /** The depth inside the list; 0 for the value as a whole. */
  depth: number
  parts: Buffer[]
  bytes: number
  values: number
  /** Complete items. */
  items: number
  isParsed: boolean
}

const createPending = (from: Pick<Pending, 'list' | 'paths' | 'depth'>): Pending => ({
  ...from,
  parts: [],
  bytes: 0,
  values: 0,
  items: 0,
  isParsed: false,
})

const tailOf = ({ parts }: Pending): string => {
  let tail = ''
  for (let at = parts.length - 1; at >= 0 && tail.length < MEMBER_BYTES; at--) {
    tail = parts[at]!.toString('latin1', Math.max(0, parts[at]!.length - MEMBER_BYTES)) + tail
  }
  return tail
}

class ListReader implements JsonListReader {
  readonly #onItems: (taken: TakenItems) => void
  readonly #stack: Pending[]
  /** By depth: which lists may follow below; undefined if none. */
  readonly #paths: (ListPaths | undefined)[] = []
  /** The parent of the last list of each name. */
  readonly #taken = new Map<string, number | null>()
  #depth = 0
  #isString = false
  #isEscaped = false

  constructor(paths: ListPaths, onItems: (taken: TakenItems) => void) {
    this.#onItems = onItems
    this.#stack = [createPending({ list: undefined, paths, depth: 0 })]
  }

  get pendingBytes(): number {
    return this.#stack.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  write(chunk: Buffer): void {
    let from = 0
    let at = 0
    while (at < chunk.length) {
      if (this.#isString) {
        at = this.#endOfString(chunk, at)
        continue
      }
      const byte = chunk[at]!
      if (byte === QUOTE) this.#isString = true
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) from = this.#open(chunk, { from, at })
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET)
        from = this.#close(chunk, { from, at })
      else if (byte === COMMA) from = this.#separate(chunk, { from, at })
      at++
    }
    this.#append(chunk, { from, to: chunk.length })
  }

  end(): unknown {
    return JSON.parse(this.#takeText(this.#stack[0]!))
  }

  /** The position after the string, or the end of the chunk. */
  #endOfString(chunk: Buffer, start: number): number {
    let at = start
    if (this.#isEscaped) {
      this.#isEscaped = false
      at++
    }
    at = closingQuote(chunk, at)
    this.#isString = at >= chunk.length
    this.#isEscaped = at > chunk.length
    return at + 1
  }

  #open(chunk: Buffer, { from, at }: { from: number; at: number }): number {
    this.#countValue()
    const above = this.#depth === 0 ? this.#stack[0]!.paths : this.#paths[this.#depth]
    this.#depth++
    this.#paths[this.#depth] = undefined
    if (!above) return from
    const pending = this.#stack.at(-1)!
    // An item, or the value as a whole, has no name.
    if (this.#depth === pending.depth + 1 && (pending.list || this.#depth === 1)) {
      this.#paths[this.#depth] = above
      return from
    }
    this.#append(chunk, { from, to: at + 1 })
    const name = MEMBER.exec(tailOf(pending).slice(0, -1))?.[1] ?? ''
    const below = Object.hasOwn(above, name) ? above[name] : undefined
    if (below === undefined) return at + 1
    const lists = below === true ? undefined : below
    const isItemList = chunk[at] === OPEN_BRACKET
    if (isItemList) this.#begin(name, { pending, lists })
    this.#paths[this.#depth] = lists
    return at + 1
  }

  #begin(name: string, { pending, lists }: { pending: Pending; lists: ListPaths | undefined }) {
    const parent = pending.list ? pending.items : null
    if (this.#taken.get(name) === parent) throw invalidResponse(`the response has ${name} twice`)
    this.#taken.set(name, parent)
    this.#stack.push(createPending({ list: { name, parent }, paths: lists, depth: this.#depth }))
  }

  #close(chunk: Buffer, { from, at }: { from: number; at: number }): number {
    const pending = this.#stack.at(-1)!
    const endsList = pending.list !== undefined && this.#depth === pending.depth
    this.#depth--
    if (!endsList) return from
    this.#append(chunk, { from, to: at })
    this.#parseItems(pending, true)
    this.#stack.pop()
    return at
  }

  #separate(chunk: Buffer, { from, at }: { from: number; at: number }): number {
    this.#countValue()
    const pending = this.#stack.at(-1)!
    if (pending.list === undefined || this.#depth !== pending.depth) return from
    pending.items++
    if (pending.bytes + at - from < BATCH_BYTES) return from
    this.#append(chunk, { from, to: at })
    this.#parseItems(pending, false)
    return at + 1
  }

  #countValue(): void {
    const pending = this.#stack.at(-1)!
    if (++pending.values > MAX_VALUES) throw tooManyValues()
  }

  #append(chunk: Buffer, { from, to }: { from: number; to: number }): void {
    if (from === to) return
    const pending = this.#stack.at(-1)!
    // A copy: a small part must not keep the whole chunk.
    pending.parts.push(Buffer.from(chunk.subarray(from, to)))
    pending.bytes += to - from
    if (pending.bytes > MAX_PENDING_BYTES) {
      throw invalidResponse(`a part of the response is larger than ${MAX_PENDING_BYTES} bytes`)
    }
  }

  #takeText(pending: Pending): string {
    const text = Buffer.concat(pending.parts).toString('utf8')
    pending.parts = []
    pending.bytes = 0
    pending.values = 0
    return text
  }

  #parseItems(pending: Pending, isEnd: boolean): void {
    const text = this.#takeText(pending)
    // Only an empty list ends without an item.
    if (isEnd && !pending.isParsed && !/\S/.test(text)) return
    pending.isParsed = true
    const items = JSON.parse(`[${text}]`) as unknown[]
    if (items.length === 0) throw invalidResponse('the response is not JSON')
    this.#onItems({ ...pending.list!, items })
  }
}

export const createJsonListReader = (
  paths: ListPaths,
  onItems: (taken: TakenItems) => void,
): JsonListReader => new ListReader(paths, onItems)
