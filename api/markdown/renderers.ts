// The Markdown renderer of each page, by name.
import type { PageContext } from '../document/context.ts'
import { asOfLine, pageLinks, statusText, UNKNOWN } from '../document/markdown/inline.ts'
import { blocks, inline, link, list } from '../document/markdown/text.ts'
import { describeHistory, plainReason, pluralize } from '../in-words.ts'
import type { PageData, PageName, Renderers } from '../resources/page-data.ts'
import { noticeText, silenceText } from '../site-notice.ts'
import { homeMarkdown, proposalsMarkdown, searchMarkdown, votersMarkdown } from './lists.ts'
import { proposalMarkdown } from './proposal.ts'

const limitationText = ({ message, since, reason }: PageData['status']['limitations'][number]) =>
  inline(`${message} Since block ${since}: ${plainReason(reason)}`)

const historyText = (history: PageData['status']['history']): string | null => {
  if (history === null) return null
  const reason = history.reason === null ? '' : ` Reason: ${inline(history.reason)}.`
  return `History: ${describeHistory(history)}${reason}`
}

const statusMarkdown = (health: PageData['status'], at: PageContext): string =>
  blocks(
    '# Status',
    list(
      `Status: **${health.noBlockSince === null ? statusText(health.status) : 'no new block'}**`,
      health.noBlockSince === null ? null : silenceText(health.noBlockSince, at.isDemo),
      `Version: ${inline(health.version)}`,
      `Chain height: ${health.tip ?? UNKNOWN}`,
      `Blocks behind: ${health.behind.heights ?? UNKNOWN}`,
      `Pending events: ${health.lagEvents ?? UNKNOWN}`,
      `Indexing lag: ${health.freshnessSeconds === null ? UNKNOWN : pluralize(health.freshnessSeconds, 'second')}`,
    ),
    health.limitations.length === 0 ? null : list(...health.limitations.map(limitationText)),
    historyText(health.history),
    health.chain ? asOfLine(health.chain, at) : 'No block is indexed yet.',
    pageLinks(at),
  )

const problemMarkdown = (problem: PageData['problem'], at: PageContext): string =>
  blocks(
    `# ${inline(problem.title)}`,
    inline(problem.detail),
    problem.errors
      ? list(...problem.errors.map(({ parameter, detail }) => inline(`${parameter} ${detail}`)))
      : null,
    problem.links?.suggested
      ? `Go to ${link(problem.links.suggested, problem.links.suggested)}.`
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
  voters: votersMarkdown,
  search: searchMarkdown,
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
