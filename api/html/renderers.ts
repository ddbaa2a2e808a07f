// The HTML renderer of each page, by name.
import type { Renderers } from '../resources/page-data.ts'
import { ballotsHtml } from './ballots.ts'
import { blocksHtml } from './blocks.ts'
import { homeHtml } from './home.ts'
import { poolHtml, poolsHtml } from './pools.ts'
import { problemHtml } from './problem.ts'
import { proposalHtml } from './proposal.ts'
import { proposalsHtml } from './proposals.ts'
import { searchHtml } from './search.ts'
import { statusHtml } from './status.ts'
import { voterHtml, votersHtml } from './voters.ts'

export const HTML: Renderers = {
  blocks: blocksHtml,
  home: homeHtml,
  proposals: proposalsHtml,
  proposal: proposalHtml,
  ballots: ballotsHtml,
  pools: poolsHtml,
  pool: poolHtml,
  voters: votersHtml,
  voter: voterHtml,
  search: searchHtml,
  status: statusHtml,
  problem: problemHtml,
}
