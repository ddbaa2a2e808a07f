// The notice about all data of a page, in every format of the web UI.

import { DEMO_NOTE } from '../ingest/contract/demo-chain.ts'
import { LIMITATIONS } from '../ingest/contract/limitations.ts'
import type { PageContext } from './document/context.ts'
import { utcTime } from './in-words.ts'

export const BEHIND_NOTE =
  'Rollcall is behind the chain: recent proposals and votes may be missing. The status page says how far.'

/** Why is not known: the log has no block, and no reason for it. */
export const silenceText = (since: string, isDemo: boolean | undefined): string =>
  `No new block since ${utcTime(since)}: ${
    isDemo
      ? 'the recording of the demo chain has ended.'
      : 'the chain has halted, or its blocks do not reach Rollcall.'
  }`

/** Undefined without a notice. */
export const noticeText = (at: PageContext): string | undefined => {
  const { isDemo, lacksGov, isBehind, noBlockSince } = at
  const notices = [
    isDemo && DEMO_NOTE,
    lacksGov && LIMITATIONS.no_gov.message,
    isBehind && !isDemo && BEHIND_NOTE,
    noBlockSince && silenceText(noBlockSince, isDemo),
  ].filter((notice) => notice !== undefined && notice !== false && notice !== '')
  return notices.length === 0 ? undefined : notices.join(' ')
}
