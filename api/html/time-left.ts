// The time left until an end time, as of the block that the page shows. The clock is the time of the chain.
import { type Html, html } from '../../infra/html/html.ts'
import { UNKNOWN } from './parts.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const pluralize = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** The two largest units: `2 days 3 hours`. */
export const spanInWords = (seconds: number): string => {
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  if (first < 0) return pluralize(0, 'second')
  let rest = Math.floor(seconds)
  const words: string[] = []
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) words.push(pluralize(count, unit))
  }
  return words.join(' ')
}

/** The attribute has the end time, from which a script counts down. */
export const endsIn = (time: string | null, now: string): Html => {
  if (time === null) return UNKNOWN
  const seconds = (Date.parse(time) - Date.parse(now)) / 1_000
  const words = seconds > 0 ? `in ${spanInWords(seconds)}` : 'with the next block'
  return html`<time class="left" datetime="${time}" title="${time}">${words}</time>`
}
