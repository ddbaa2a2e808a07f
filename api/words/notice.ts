// The notice about all data of a page, in every format of the web UI.

import { DEMO_NOTE } from '../../ingest/contract/demo-chain.ts'
import { LIMITATIONS } from '../../ingest/contract/limitations.ts'
import type { Health } from '../schemas/health.ts'
import { durationInWords, utcTime } from './in-words.ts'

/** What is unusual about the data. */
export type Unusual = {
  /** True if the data is that of the demo chain. */
  isDemo?: boolean
  /** What is still to come of the past. */
  catchUp?: Health['catchUp']
  /** Time of the last block, if no new one comes. */
  noBlockSince?: string | undefined
  /** True if the chain has no x/gov. */
  lacksGov?: boolean
}

type CatchUp = NonNullable<Health['catchUp']>

/** One line: how much of the past is there, and how long the rest takes. */
export const catchUpText = ({ of, done, total, secondsLeft }: CatchUp): string => {
  const left = secondsLeft === null ? '' : `, ${durationInWords(secondsLeft)} left`
  return of === 'heights'
    ? `Height ${done} of ${total}${left}: later proposals and votes are still to come.`
    : `${done} of ${total} earlier proposals${left}: the votes on the others are still to come.`
}

/** Of a chain, why is not known: the log has no block, and no reason for it. A recording has a last block. */
export const silenceText = (since: string, isDemo: boolean | undefined): string =>
  isDemo
    ? `The recording ends here, with its block of ${utcTime(since)}.`
    : `No new block since ${utcTime(since)}: the chain has halted, or its blocks do not reach Rollcall.`

/** Undefined without a notice. */
export const noticeText = ({
  isDemo,
  lacksGov,
  catchUp,
  noBlockSince,
}: Unusual): string | undefined => {
  const notices = [
    isDemo && DEMO_NOTE,
    lacksGov && LIMITATIONS.no_gov.message,
    catchUp && catchUpText(catchUp),
    noBlockSince && silenceText(noBlockSince, isDemo),
  ].filter((notice) => typeof notice === 'string' && notice !== '')
  return notices.length === 0 ? undefined : notices.join(' ')
}
