// JSON of a request body, read strictly: no object has a member twice, and its nesting is bounded.
// `JSON.parse` keeps the last of two members, and other readers of the same body may keep the first.

/** `reason` continues the words "The body". */
export type StrictJson =
  | { ok: true; value: unknown }
  | { ok: false; isJson: boolean; reason: string }

export const MAX_JSON_DEPTH = 64

/** Of valid JSON: each string and each structural character that decides what a string is. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|[{}[\],]/g
/** A name that is safe in every error format. */
const PLAIN_NAME = /^[\w.$-]{1,64}$/

const describeDuplicate = (name: string): string =>
  PLAIN_NAME.test(name)
    ? `has the member ${name} more than once.`
    : 'has an object with a member more than once.'

/** Why valid JSON is refused, else undefined. */
const findFault = (json: string): string | undefined => {
  /** The names of each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (const [token] of json.matchAll(TOKENS)) {
    const names = open.at(-1)
    if (token === '{' || token === '[') {
      if (open.push(token === '{' ? new Set() : undefined) > MAX_JSON_DEPTH) {
        return `is nested deeper than ${MAX_JSON_DEPTH} levels.`
      }
      isName = token === '{'
    } else if (token === '}' || token === ']') {
      open.pop()
      isName = false
    } else if (token === ',') {
      isName = names !== undefined
    } else if (isName) {
      const name: string = JSON.parse(token)
      if (names?.has(name)) return describeDuplicate(name)
      names?.add(name)
      isName = false
    }
  }
  return undefined
}

export const parseStrictJson = (text: string): StrictJson => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, isJson: false, reason: 'must be JSON.' }
  }
  const fault = findFault(text)
  return fault === undefined ? { ok: true, value } : { ok: false, isJson: true, reason: fault }
}
