// The pages for people as HTML, by name. A page that is not here yet is answered as Markdown.
import { PAGE_FIELDS } from '../infra/html/page-frame.ts'
import { homeHtml } from './html/home.ts'
import { poolHtml, poolsHtml } from './html/pools.ts'
import { problemHtml } from './html/problem.ts'
import { proposalHtml } from './html/proposal.ts'
import { proposalsHtml } from './html/proposals.ts'
import { statusHtml } from './html/status.ts'
import { voterHtml, votersHtml } from './html/voters.ts'
import type { Renderers } from './people-page.ts'

export const HTML: Partial<Renderers> = {
  home: homeHtml,
  proposals: proposalsHtml,
  proposal: proposalHtml,
  pools: poolsHtml,
  pool: poolHtml,
  voters: votersHtml,
  voter: voterHtml,
  status: statusHtml,
  problem: problemHtml,
}

/** Name and value in turn. */
export const HTML_FIELDS = PAGE_FIELDS
