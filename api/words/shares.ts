// Shares of a whole, for bars and for the numbers next to them, with the one rule by which they are rounded. Pure.
import type { Tally } from '../schemas/tally.ts'
import { toPercent, truncateTo } from './display-unit.ts'
import { findVoted } from './options.ts'

const SHARE_PLACES = 4
/** The units of a share. */
const SHARE_UNITS = 10n ** BigInt(SHARE_PLACES)

/** `3340n` → `"0.3340"`. */
const formatShareUnits = (units: bigint): string => {
  const digits = units.toString().padStart(SHARE_PLACES + 1, '0')
  return `${digits.slice(0, -SHARE_PLACES)}.${digits.slice(-SHARE_PLACES)}`
}

/** Truncated to four places, so that a share below the quorum never looks equal to it. */
export const formatShare = (part: bigint, whole: bigint): string =>
  formatShareUnits((part * SHARE_UNITS) / whole)

/** Truncated to four places. Null if the whole is 0. */
export const toShare = (some: bigint, whole: bigint): string | null =>
  whole === 0n ? null : formatShare(some, whole)

const byRemainder = (left: { rest: bigint }, right: { rest: bigint }): number =>
  left.rest > right.rest ? -1 : left.rest < right.rest ? 1 : 0

/**
 * Shares of all parts of a whole that is not 0, to four places. They add up to 1: the largest remainder method
 * distributes what truncation leaves.
 */
export const computeShares = (values: readonly bigint[]): string[] => {
  const whole = values.reduce((sum, value) => sum + value, 0n)
  const parts = values.map((value, index) => ({
    index,
    units: (value * SHARE_UNITS) / whole,
    rest: (value * SHARE_UNITS) % whole,
  }))
  const missing = SHARE_UNITS - parts.reduce((sum, { units }) => sum + units, 0n)
  const raised = new Set(
    parts
      .toSorted(byRemainder)
      .slice(0, Number(missing))
      .map(({ index }) => index),
  )
  return parts.map(({ index, units }) => formatShareUnits(units + (raised.has(index) ? 1n : 0n)))
}

/** A share with up to four places, from `toShare`, as an SVG length such as `12.34%`. */
export const toLength = (share: string | null): string => {
  const [whole = '0', places = ''] = (share ?? '0').split('.')
  const digits = `${whole}${places.padEnd(4, '0').slice(0, 4)}`.padStart(5, '0')
  const percent = `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/^0+(?=[0-9])/, '')
  return `${percent}%`
}

export const SHOWN_PLACES = 2

/** Truncated to two places. A small value that is not 0 is shown as less than 0.01 %. */
const shownShare = (value: string | null, isSome: boolean): string => {
  const shown = truncateTo(toPercent(value ?? '0') ?? '0', SHOWN_PLACES)
  return isSome && shown === '0' ? '<\u202f0.01\u202f%' : `${shown}\u202f%`
}

/** A share in words. `whole` is not 0. */
export const shareText = (some: bigint, whole: bigint): string =>
  shownShare(toShare(some, whole), some > 0n)

/** Parts of one whole in words: the shown values add up to 100 %. */
export const shareTexts = (values: readonly bigint[]): string[] => {
  if (values.every((value) => value === 0n)) return []
  return computeShares(values).map((each, n) => shownShare(each, (values[n] ?? 0n) > 0n))
}

/** Undefined if it is not known. */
export const turnoutText = (tally: Tally): string | undefined => {
  const { turnout } = tally
  return turnout === null ? undefined : shownShare(turnout, findVoted(tally) > 0n)
}
