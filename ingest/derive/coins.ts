// Parses coins as the SDK writes them in events: `10stake,5ibc/27394F…`.
import type { Coin } from '../contract/facts.ts'

const COIN = /^(\d+)([a-zA-Z][a-zA-Z0-9/:._-]*)$/

/** Undefined if any part is not a coin; an empty text means no coins. */
export const parseCoins = (text: string): Coin[] | undefined => {
  const coins: Coin[] = []
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, amount, denom] = COIN.exec(part.trim()) ?? []
    if (amount === undefined || denom === undefined) return undefined
    coins.push({ denom, amount })
  }
  return coins
}
