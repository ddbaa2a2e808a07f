// The HTML renderer of each page, by name.
import type { Renderers } from '../resources/page-data.ts'
import { homeHtml } from './home.ts'
import { problemHtml } from './problem.ts'
import { proposalHtml } from './proposal.ts'
import { proposalsHtml } from './proposals.ts'
import { searchHtml } from './search.ts'
import { statusHtml } from './status.ts'
import { votersHtml } from './voters.ts'

export const HTML: Renderers = {
  home: homeHtml,
  proposals: proposalsHtml,
  proposal: proposalHtml,
  voters: votersHtml,
  search: searchHtml,
  status: statusHtml,
  problem: problemHtml,
}
