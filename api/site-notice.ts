// The notice about all data of a page, in every format of the web UI.
import { DEMO_NOTE } from '../ingest/contract/demo-chain.ts'
import { LIMITATIONS } from '../ingest/contract/limitations.ts'
import type { PageContext } from './resources/page-data.ts'

/** Undefined without a notice. */
export const noticeText = ({ isDemo, lacksGov }: PageContext): string | undefined => {
  if (isDemo) return DEMO_NOTE
  return lacksGov ? LIMITATIONS.no_gov.message : undefined
}
