// Reads the attributes of an ABCI event, which are a list: a key may repeat.
import type { AbciEvent } from '../comet/blocks/block.ts'

export const hasAnyKey = (event: AbciEvent, keys: readonly string[]): boolean =>
  event.attributes.some(({ key }) => keys.includes(key))

/** The value of a key; undefined if it is absent, empty, or has two different values. */
export const attribute = (event: AbciEvent, key: string): string | undefined => {
  const values = new Set(event.attributes.filter((each) => each.key === key).map((a) => a.value))
  const [value] = values
  return values.size === 1 && value !== '' ? value : undefined
}

/** Like `attribute`, but an empty value is valid. */
export const textAttribute = (event: AbciEvent, key: string): string | undefined =>
  event.attributes.find((each) => each.key === key)?.value

const MAX_UINT64 = 2n ** 64n - 1n

/** The proposal ID under `key`, canonical: no leading zeros, within uint64. */
export const idAttribute = (event: AbciEvent, key: string): string | undefined => {
  const value = attribute(event, key)
  if (value === undefined || !/^\d{1,20}$/.test(value)) return undefined
  const id = BigInt(value)
  return id <= MAX_UINT64 ? id.toString() : undefined
}
