// The time left until an end time, as of the block that the page shows. The clock is the time of the chain.
// While no block comes, that clock stands still, and the time left is not known.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { timestamp, UNKNOWN } from '../document/html/inline.ts'
import { pluralize, splitDuration } from '../in-words.ts'

/** The two largest units: `2 days 3 hours`. */
export const spanInWords = (seconds: number): string => {
  const units = splitDuration(seconds)
  const first = units.findIndex(({ count }) => count > 0)
  if (first < 0) return pluralize(0, 'second')
  const shown = units.slice(first, first + 2).filter(({ count }) => count > 0)
  return shown.map(({ unit, count }) => pluralize(count, unit)).join(' ')
}

/** The attribute has the end time, from which a script counts down. */
export const endsIn = (
  time: string | null,
  now: string,
  { noBlockSince }: Pick<PageContext, 'noBlockSince'>,
): Html => {
  if (time === null) return UNKNOWN
  if (noBlockSince !== undefined)
    return html`with the first block after ${timestamp(time)} (no new block since ${timestamp(noBlockSince)})`
  const seconds = (Date.parse(time) - Date.parse(now)) / 1_000
  const words = seconds > 0 ? `in ${spanInWords(seconds)}` : 'with the next block'
  return html`<time class="left" datetime="${time}" title="${time}">${words}</time>`
}
