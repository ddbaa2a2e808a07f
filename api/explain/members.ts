// Reads members of JSON from the chain, where any member may have any type.

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const getMember = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

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
    isObject(value) &&
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
