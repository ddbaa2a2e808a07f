// Finds pools by name or address. Pure.
import { addressKey } from '../../ingest/contract/address.ts'
import type { Pool } from '../schemas/pool.ts'
import { toCanonical } from './address.ts'
import { quote } from './reading.ts'

/** Without accents, capital letters and repeated spaces, which people leave out. */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

/** In the order of `pools`: an address starts with the text or has its bytes, or the moniker contains it. */
export const searchPools = (pools: readonly Pool[], text: string): Pool[] => {
  const part = fold(text)
  const key = toCanonical(text) && addressKey(text)
  return pools.filter(
    ({ operatorAddress, accountAddress, moniker }) =>
      operatorAddress.startsWith(part) ||
      accountAddress.startsWith(part) ||
      addressKey(operatorAddress) === key ||
      fold(moniker).includes(part),
  )
}

/** The pools with this name. Monikers are not unique. */
export const findNamedPools = <Named extends Pick<Pool, 'moniker'>>(
  pools: readonly Named[],
  text: string,
): Named[] => {
  const name = fold(text)
  return pools.filter(({ moniker }) => fold(moniker) === name)
}

/** Words alone, between spaces. */
const toWords = (text: string): string =>
  ` ${fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** The pools that a sentence names. */
export function findMentionedPools(pools: readonly Pool[], text: string): Pool[] {
  const words = toWords(text)
  return pools.filter(({ moniker }) => {
    const name = toWords(moniker)
    return name.trim().length > 2 && words.includes(name)
  })
}

/** A repeated pair counts once. */
const findPairs = (text: string): Set<string> => {
  const signs = [...text]
  return new Set(signs.slice(1).map((sign, at) => `${signs[at]}${sign}`))
}

/** From 0 to 1: the share of pairs of characters that both have (Dice coefficient). */
const measureSimilarity = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const common = [...left].filter((pair) => right.has(pair)).length
  return (2 * common) / Math.max(left.size + right.size, 1)
}

const MAX_NEAREST = 3

const findNearest = (pools: readonly Pool[], text: string): Pool[] => {
  const pairs = findPairs(fold(text))
  return pools
    .map((pool) => ({
      pool,
      similarity: measureSimilarity(pairs, findPairs(fold(pool.moniker))),
    }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_NEAREST)
    .map(({ pool }) => pool)
}

/** A moniker that equals the text is preferred to those that contain it. */
export const findPoolsByName = (
  pools: readonly Pool[],
  text: string,
): { pools: Pool[]; nearest: Pool[] } => {
  const equal = findNamedPools(pools, text)
  const found = equal.length > 0 || fold(text) === '' ? equal : searchPools(pools, text)
  return { pools: found, nearest: found.length > 0 ? [] : findNearest(pools, text) }
}

const MAX_MONIKER_LENGTH = 100

export const quoteMoniker = (moniker: string): string => quote(moniker, MAX_MONIKER_LENGTH)

const MAX_LISTED = 10

/** `"Two Rivers" cosmosvaloper1…`, one entry per pool, and how many are left out. */
export const listPools = (
  pools: readonly Pick<Pool, 'operatorAddress' | 'moniker'>[],
): string[] => [
  ...pools
    .slice(0, MAX_LISTED)
    .map(({ operatorAddress, moniker }) => `${quoteMoniker(moniker)} ${operatorAddress}`),
  ...(pools.length > MAX_LISTED ? [`and ${pools.length - MAX_LISTED} more`] : []),
]
