// Every page for people as Markdown, by its name.
import type { PageAt, PageData, Renderers } from '../resources/page-data.ts'
import {
  homeMarkdown,
  poolMarkdown,
  poolsMarkdown,
  proposalsMarkdown,
  voterMarkdown,
  votersMarkdown,
} from './lists.ts'
import { asOfLine, pageLinks, UNKNOWN } from './parts.ts'
import { proposalMarkdown } from './proposal.ts'
import { blocks, inline, list } from './text.ts'

const statusMarkdown = (health: PageData['status'], at: PageAt): string =>
  blocks(
    '# Status',
    list(
      `Status: **${inline(health.status)}**`,
      `Version: ${inline(health.version)}`,
      `Height of the chain: ${health.tip ?? UNKNOWN}`,
      `Events not yet served: ${health.lagEvents ?? UNKNOWN}`,
      `Seconds that the oldest height not yet served has waited: ${health.freshnessSeconds ?? UNKNOWN}`,
    ),
    health.chain ? asOfLine(health.chain) : 'Nothing is served yet.',
    pageLinks(at),
  )

const problemMarkdown = (problem: PageData['problem'], at: PageAt): string =>
  blocks(
    `# ${inline(problem.title)}`,
    inline(problem.detail),
    problem.errors
      ? list(...problem.errors.map(({ parameter, detail }) => inline(`${parameter} ${detail}`)))
      : null,
    list(
      `HTTP ${problem.status}, code ${inline(problem.code)}`,
      `Request ${inline(problem.requestId)}`,
    ),
    pageLinks(at),
  )

export const MARKDOWN: Renderers = {
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
