// Coins as the SDK writes them in events: `10stake,5ibc/27394F…`.
import type { Coin } from '../contract/facts.ts'

const COIN = /^(\d+)([a-zA-Z][a-zA-Z0-9/:._-]*)$/

/** Undefined where any part is no coin; the empty text is no coins at all. */
export const parseCoins = (text: string): Coin[] | undefined => {
  const coins: Coin[] = []
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, amount, denom] = COIN.exec(part.trim()) ?? []
    if (amount === undefined || denom === undefined) return undefined
    coins.push({ denom, amount })
  }
  return coins
}
