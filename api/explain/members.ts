// Reads members of JSON from the chain, where any member may have any type. Pure.
import { isJsonObject } from '../../ingest/contract/json.ts'

/** `plan.height` is a member of a member. */
export function getMember(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) {
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}

/** Undefined if it is not a string or is empty. */
export function getText(value: unknown, path: string): string | undefined {
  const member = getMember(value, path)
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** Empty if it is not a list. */
export function getList(value: unknown, path: string): readonly unknown[] {
  const member = getMember(value, path)
  return Array.isArray(member) ? member : []
}

/** The texts of a list; other items are left out. */
export function getTexts(value: unknown, path: string): readonly string[] {
  return getList(value, path).filter((each) => typeof each === 'string')
}

/** More digits than any 256-bit integer; a longer number is shown as text. */
const MAX_DIGITS = 80

export function isDigits(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_DIGITS && /^[0-9]+$/.test(value)
}

/** A 64-bit integer is a string in JSON; a smaller one is a number. */
export function toInteger(value: unknown): string | undefined {
  if (isDigits(value)) return value
  return Number.isSafeInteger(value) && (value as number) >= 0 ? `${value}` : undefined
}

export type Coin = { denom: string; amount: string }

const MAX_DENOM = 128

export function isCoin(value: unknown): value is Coin {
  const [denom, amount] = [getMember(value, 'denom'), getMember(value, 'amount')]
  const isDenom = typeof denom === 'string' && denom !== '' && denom.length <= MAX_DENOM
  return isDenom && isDigits(amount) && Object.keys(value as object).length === 2
}

export function getCoins(value: unknown, path: string): readonly Coin[] {
  const member = getMember(value, path)
  return isCoin(member) ? [member] : getList(value, path).filter(isCoin)
}

const MAX_VISITS = 10_000

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The value and all lists and objects in it. The work is bounded, whatever the size of the value. */
export function* visitNested(value: unknown): Generator<object> {
  const stack = [value].filter(isNested)
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    const part = stack.pop()
    if (!part) return
    yield part
    stack.push(...Object.values(part).slice(0, MAX_VISITS).filter(isNested))
  }
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Long bytes, which ingest leaves out of a message. */
export function getOmittedBytes(value: unknown): { sha256: string; size: string } | undefined {
  const [sha256, size] = [getText(value, 'sha256'), toInteger(getMember(value, 'size'))]
  return sha256 !== undefined && size !== undefined ? { sha256, size } : undefined
}

/** `/cosmos.gov.v1.MsgUpdateParams` → `Update params`. */
export function messageName(type: string): string {
  const last = type.split(/[./]/).at(-1)?.replace(/^Msg/, '') ?? ''
  const words = last.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words === '' ? 'Message' : words[0]?.toUpperCase() + words.slice(1)
}

/** A version, or a word without a meaning for a reader. */
const WITHOUT_MEANING = /^(?:applications|core|v[0-9]+(?:(?:alpha|beta)[0-9]+)?)$/

/** `/cosmos.gov.v1.MsgUpdateParams` → `gov`: the package without its organization and its version. */
export function moduleName(type: string): string {
  const segments = type.replace(/^\//, '').split('.').slice(0, -1)
  const [first, ...rest] = segments.filter((segment) => !WITHOUT_MEANING.test(segment))
  return rest.length > 0 ? rest.join('.') : (first ?? type)
}
