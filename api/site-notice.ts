// The notice about all data of a page, in every format of the web UI.
import { DEMO_NOTE } from '../ingest/contract/demo-chain.ts'
import { LIMITATIONS } from '../ingest/contract/limitations.ts'
import type { PageContext } from './resources/page-data.ts'

export const BEHIND_NOTE =
  'Rollcall is behind the chain: recent proposals and votes may be missing. The status page says how far.'

/** Undefined without a notice. */
export const noticeText = ({ isDemo, lacksGov, isBehind }: PageContext): string | undefined => {
  if (isDemo) return DEMO_NOTE
  if (lacksGov) return LIMITATIONS.no_gov.message
  return isBehind ? BEHIND_NOTE : undefined
}
