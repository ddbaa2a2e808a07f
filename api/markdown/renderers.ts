// The Markdown renderer of each page, by name.
import { DEMO_NOTE } from '../../ingest/contract/demo-chain.ts'
import { pluralize } from '../in-words.ts'
import type { PageContext, PageData, PageName, Renderers } from '../resources/page-data.ts'
import {
  homeMarkdown,
  poolMarkdown,
  poolsMarkdown,
  proposalsMarkdown,
  voterMarkdown,
  votersMarkdown,
} from './lists.ts'
import { asOfLine, pageLinks, statusText, UNKNOWN } from './parts.ts'
import { proposalMarkdown } from './proposal.ts'
import { blocks, inline, list } from './text.ts'

const statusMarkdown = (health: PageData['status'], at: PageContext): string =>
  blocks(
    '# Status',
    list(
      `Status: **${statusText(health.status)}**`,
      `Version: ${inline(health.version)}`,
      `Chain height: ${health.tip ?? UNKNOWN}`,
      `Pending events: ${health.lagEvents ?? UNKNOWN}`,
      `Indexing lag: ${health.freshnessSeconds === null ? UNKNOWN : pluralize(health.freshnessSeconds, 'second')}`,
    ),
    health.chain ? asOfLine(health.chain, at) : 'No height is indexed yet.',
    pageLinks(at),
  )

const problemMarkdown = (problem: PageData['problem'], at: PageContext): string =>
  blocks(
    `# ${inline(problem.title)}`,
    inline(problem.detail),
    problem.errors
      ? list(...problem.errors.map(({ parameter, detail }) => inline(`${parameter} ${detail}`)))
      : null,
    list(
      `HTTP ${problem.status}, code ${inline(problem.code)}`,
      `Request ID: ${inline(problem.requestId)}`,
    ),
    pageLinks(at),
  )

const PAGES: Renderers = {
  home: homeMarkdown,
  proposals: proposalsMarkdown,
  proposal: proposalMarkdown,
  pools: poolsMarkdown,
  pool: poolMarkdown,
  voters: votersMarkdown,
  voter: voterMarkdown,
  status: statusMarkdown,
  problem: problemMarkdown,
}

/** With a notice above the page if its data is that of the demo chain. */
export const renderMarkdown = <Name extends PageName>(
  name: Name,
  data: PageData[Name],
  at: PageContext,
): string => blocks(at.isDemo ? `**${DEMO_NOTE}**` : null, PAGES[name](data, at))
