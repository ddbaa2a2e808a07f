// The text of a list's JSON, taken apart without reading what its items say: they go on as they are, to the byte.

const START = '{"items":['

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** The index behind a string that begins at `from`. */
const endOfString = (json: string, from: number): number => {
  let at = from + 1
  while (json.charCodeAt(at) !== QUOTE) {
    if (at >= json.length) throw new Error('a string of a list has no end')
    at += json.charCodeAt(at) === BACKSLASH ? 2 : 1
  }
  return at + 1
}

/** The items as they stand there, and where their array ends. Throws for what is no list of ours. */
const splitItems = (json: string): { items: string[]; end: number } => {
  if (!json.startsWith(START)) throw new Error('a list does not begin with its items')
  const items: string[] = []
  let depth = 0
  let from = START.length
  let at = from
  while (at < json.length) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(json, at)
      continue
    }
    if (depth === 0 && (code === COMMA || CLOSING.has(code))) {
      if (at > from) items.push(json.slice(from, at))
      if (code !== COMMA) return { items, end: at }
      from = at + 1
    }
    if (OPENING.has(code)) depth += 1
    else if (CLOSING.has(code)) depth -= 1
    at += 1
  }
  throw new Error('the items of a list have no end')
}

/** What stands around the items, in the terms of every envelope. */
export type ListFacts = {
  page: { totalItems: number; nextCursor?: string | null }
  links: { self: string; next: string | null; prev?: string | null }
  asOf: { chainId: string; height: number; time: string }
}

export const readList = (json: string): { items: string[]; facts: ListFacts } => {
  const { items, end } = splitItems(json)
  const facts = JSON.parse(`{${json.slice(end + '],'.length)}`) as ListFacts
  // A line end within JSON stands between tokens: no item has two lines.
  return { items: items.map((item) => item.replace(/[\r\n]+/g, ' ')), facts }
}
