// JSON inside a field of bytes, such as the message of a contract: as JSON where no number loses a digit, else its text.
import { isNestedWithin } from '../contract/json.ts'

const TOKENS = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g

/** Far more digits than a double keeps are rounded without a word. */
const losesDigits = (token: string): boolean =>
  !token.startsWith('"') && token.replace(/[^0-9]/g, '').length > 15

/** Deeper JSON is kept as text. */
const MAX_DEPTH = 64

/** The value of the text; the text itself where it has a number that no double holds; undefined where it is not JSON. */
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
