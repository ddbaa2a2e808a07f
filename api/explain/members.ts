// Reads members of JSON from the chain, where any member may have any type.
import { isJsonObject } from '../../ingest/contract/json.ts'

export const getMember = (value: unknown, name: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Undefined if it is not a string or is empty. */
export const getText = (value: unknown, name: string): string | undefined => {
  const member = getMember(value, name)
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** Empty if it is not a list. */
export const getList = (value: unknown, name: string): readonly unknown[] => {
  const member = getMember(value, name)
  return Array.isArray(member) ? member : []
}

/** The texts of a list; other items are left out. */
export const getTexts = (value: unknown, name: string): readonly string[] =>
  getList(value, name).filter((each) => typeof each === 'string')

/** More digits than any 256-bit integer; a longer number is shown as text. */
const MAX_DIGITS = 80
const DIGITS = /^[0-9]+$/

export const isDigits = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_DIGITS && DIGITS.test(value)

/** A 64-bit integer is a string in JSON; a smaller one is a number. */
export const getInteger = (value: unknown, name: string): string | undefined => {
  const member = getMember(value, name)
  if (isDigits(member)) return member
  return typeof member === 'number' && Number.isSafeInteger(member) && member >= 0
    ? `${member}`
    : undefined
}

export type Coin = { denom: string; amount: string }

const MAX_DENOM = 128

export const isCoin = (value: unknown): value is Coin => {
  const [denom, amount] = [getMember(value, 'denom'), getMember(value, 'amount')]
  return (
    isJsonObject(value) &&
    Object.keys(value).length === 2 &&
    typeof denom === 'string' &&
    denom !== '' &&
    denom.length <= MAX_DENOM &&
    isDigits(amount)
  )
}

export const getCoins = (value: unknown, name: string): readonly Coin[] => {
  const member = getMember(value, name)
  if (isCoin(member)) return [member]
  return Array.isArray(member) ? member.filter(isCoin) : []
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
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
