// Parts of a whole, exactly: for bars and for numbers beside them. Pure.
import { formatShare } from '../read/queries/values.ts'

/** To four places, cut; null where there is no whole. */
export const part = (some: bigint, whole: bigint): string | null =>
  whole === 0n ? null : formatShare(some, whole)

const PLACES = 4
const UNITS = 10n ** BigInt(PLACES)

const byRemainder = (left: { rest: bigint }, right: { rest: bigint }): number =>
  left.rest > right.rest ? -1 : left.rest < right.rest ? 1 : 0

/**
 * Parts that are shown together, to four places: they add up to 1, because what cutting leaves goes to the largest
 * remainders. `values` are all parts of a whole that is not 0.
 */
export const computeShares = (values: readonly bigint[]): string[] => {
  const whole = values.reduce((sum, value) => sum + value, 0n)
  const parts = values.map((value, index) => ({
    index,
    units: (value * UNITS) / whole,
    rest: (value * UNITS) % whole,
  }))
  const missing = UNITS - parts.reduce((sum, { units }) => sum + units, 0n)
  const raised = new Set(
    parts
      .toSorted(byRemainder)
      .slice(0, Number(missing))
      .map(({ index }) => index),
  )
  return parts.map(({ index, units }) => {
    const digits = `${units + (raised.has(index) ? 1n : 0n)}`.padStart(PLACES + 1, '0')
    return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
  })
}

/** For an attribute of a drawing: `12.34%`. Parts of one to four places, as `part` gives them. */
export const width = (share: string | null): string => {
  const [whole = '0', places = ''] = (share ?? '0').split('.')
  const digits = `${whole}${places.padEnd(4, '0').slice(0, 4)}`.padStart(5, '0')
  const percent = `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/^0+(?=[0-9])/, '')
  return `${percent}%`
}
