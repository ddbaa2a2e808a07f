// Tests valid times against the calendar of `Date`, day by day.
import { expect, it } from 'vitest'
import { isTimestamp } from '../../../../projections/contract/timestamps.ts'

const YEARS = [1900, 1999, 2000, 2023, 2024, 2100, 2261]
const CLOCKS = ['00:00:00', '23:59:59', '24:00:00', '12:60:00', '12:00:60']

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** `Date` reads 30 February as 2 March, so a time is valid if its text is unchanged after a round trip. */
const comesBack = (text: string): boolean => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, -1))
}

it('a time is valid only if it exists in the calendar, also in leap years and at the end of days', () => {
  for (const year of YEARS) {
    for (let at = 0; at < 14 * 33; at++) {
      const date = `${year}-${twoDigits(Math.floor(at / 33))}-${twoDigits(at % 33)}`
      for (const clock of CLOCKS) {
        const isReal = comesBack(`${date}T${clock}Z`)
        expect([date, clock, isTimestamp(`${date} ${clock}`)]).toEqual([date, clock, isReal])
      }
    }
  }
})
