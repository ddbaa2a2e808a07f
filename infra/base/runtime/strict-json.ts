// JSON of a request body, read strictly: no object has a member twice, and its nesting is bounded.
// `JSON.parse` keeps the last of two members, and other readers of the same body may keep the first.

/** `reason` continues the words "The body". */
export type StrictJson =
  | { ok: true; value: unknown }
  | { ok: false; isJson: boolean; reason: string }

export const MAX_JSON_DEPTH = 64

/** Of valid JSON. What remains has a colon for each member. */
const STRINGS = /"(?:[^"\\]+|\\.)*"/g

/** The number of members in all objects of a value; not a number if it is nested deeper than the limit. */
const countMembers = (value: unknown, depth = 0): number => {
  if (typeof value !== 'object' || value === null) return 0
  if (depth === MAX_JSON_DEPTH) return Number.NaN
  const parts: unknown[] = Object.values(value)
  const own = Array.isArray(value) ? 0 : parts.length
  return parts.reduce<number>((sum, part) => sum + countMembers(part, depth + 1), own)
}

/** Why valid JSON is refused, else undefined. */
const findFault = (text: string, value: unknown): string | undefined => {
  const members = countMembers(value)
  if (Number.isNaN(members)) return `is nested deeper than ${MAX_JSON_DEPTH} levels.`
  const written = text.replace(STRINGS, '').split(':').length - 1
  return members === written ? undefined : 'has an object with a member more than once.'
}

export const parseStrictJson = (text: string): StrictJson => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, isJson: false, reason: 'must be JSON.' }
  }
  const fault = findFault(text, value)
  return fault === undefined ? { ok: true, value } : { ok: false, isJson: true, reason: fault }
}
