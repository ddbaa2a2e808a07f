// Decodes JSON in a bytes field, such as the message of a contract. Keeps the text if a number would lose digits.
import { isNestedWithin } from '../contract/json.ts'

const TOKENS = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g

/** A double rounds a number with this many digits without an error. */
const losesDigits = (token: string): boolean =>
  !token.startsWith('"') && token.replace(/[^0-9]/g, '').length > 15

/** Deeper JSON is kept as text. */
const MAX_DEPTH = 64

/** The value of the text; the text itself if a number does not fit a double; undefined if it is not JSON. */
export const inlineJson = (text: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const numbers = text.match(TOKENS) ?? []
  return numbers.some(losesDigits) || !isNestedWithin(MAX_DEPTH, value) ? text : value
}
