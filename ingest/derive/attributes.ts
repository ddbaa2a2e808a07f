// Reads the attributes of an ABCI event, which are a list: a key may repeat.
import type { AbciEvent } from '../comet/blocks/block.ts'
import type { Coin } from '../contract/facts.ts'

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

/** The `message` event directly after an event, in the same transaction or phase: modules of SDK 0.46 and earlier name themselves so. */
export const findNext = (events: readonly AbciEvent[], position: number): AbciEvent | undefined => {
  const [event, next] = [events[position]!, events[position + 1]]
  const isNext =
    next?.type === 'message' &&
    next.ordinal === event.ordinal + 1 &&
    next.txIndex === event.txIndex &&
    next.phase === event.phase
  return isNext ? next : undefined
}

const MAX_UINT64 = 2n ** 64n - 1n

/** The proposal ID under `key`, canonical: no leading zeros, within uint64. x/gov numbers from 1. */
export const idAttribute = (event: AbciEvent, key: string): string | undefined => {
  const value = attribute(event, key)
  if (value === undefined || !/^\d{1,20}$/.test(value)) return undefined
  const id = BigInt(value)
  return id > 0n && id <= MAX_UINT64 ? id.toString() : undefined
}

const COIN = /^(\d+)([a-zA-Z][a-zA-Z0-9/:._-]*)$/

/** Coins as the SDK writes them: `10stake,5ibc/27394F…`. Undefined if any part is not a coin; an empty text means no coins. */
export const parseCoins = (text: string): Coin[] | undefined => {
  const coins: Coin[] = []
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, amount, denom] = COIN.exec(part.trim()) ?? []
    if (amount === undefined || denom === undefined) return undefined
    coins.push({ denom, amount })
  }
  return coins
}
