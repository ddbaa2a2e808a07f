// The time left until an end time, as of the block that the page shows. The clock is the time of the chain.
// While no block comes, that clock stands still, and the time left is not known.
import { pluralize, splitDuration } from '../words/in-words.ts'
import type { PageContext } from './context.ts'
import { Time, Unknown } from './parts.tsx'

/** The two largest units: `2 days 3 hours`. */
const spanInWords = (seconds: number): string => {
  const units = splitDuration(seconds)
  const first = units.findIndex(({ count }) => count > 0)
  if (first < 0) return pluralize(0, 'second')
  const shown = units.slice(first, first + 2).filter(({ count }) => count > 0)
  return shown.map(({ unit, count }) => pluralize(count, unit)).join(' ')
}

/** The attribute has the end time, from which a script counts down. */
export function TimeLeft({ until, now }: { until: string | null; now: string }, at: PageContext) {
  if (until === null) return <Unknown />
  if (at.noBlockSince !== undefined)
    return (
      <>
        with the first block after <Time of={until} /> (no new block since{' '}
        <Time of={at.noBlockSince} />)
      </>
    )
  const seconds = (Date.parse(until) - Date.parse(now)) / 1_000
  return (
    <time class="left" datetime={until} title={until}>
      {seconds > 0 ? `in ${spanInWords(seconds)}` : 'with the next block'}
    </time>
  )
}
