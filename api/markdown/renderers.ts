// The Markdown renderer of each page, by name.
import { pluralize } from '../in-words.ts'
import type { PageContext, PageData, PageName, Renderers } from '../resources/page-data.ts'
import { noticeText } from '../site-notice.ts'
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

const limitationText = ({ message, since, reason }: PageData['status']['limitations'][number]) =>
  inline(`${message} Since height ${since}: ${reason}`)

const statusMarkdown = (health: PageData['status'], at: PageContext): string =>
  blocks(
    '# Status',
    list(
      `Status: **${statusText(health.status)}**`,
      `Version: ${inline(health.version)}`,
      `Chain height: ${health.tip ?? UNKNOWN}`,
      `Blocks behind: ${health.behind.heights ?? UNKNOWN}`,
      `Pending events: ${health.lagEvents ?? UNKNOWN}`,
      `Indexing lag: ${health.freshnessSeconds === null ? UNKNOWN : pluralize(health.freshnessSeconds, 'second')}`,
    ),
    health.limitations.length === 0 ? null : list(...health.limitations.map(limitationText)),
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

/** With the notice, if there is one, above the page. */
export const renderMarkdown = <Name extends PageName>(
  name: Name,
  data: PageData[Name],
  at: PageContext,
): string => {
  const notice = noticeText(at)
  return blocks(notice ? `**${notice}**` : null, PAGES[name](data, at))
}
