// A whole page as Markdown: the notice, the heading, the content, and what the page is as of.
import { noticeText } from '../../site-notice.ts'
import type { PageContext } from '../context.ts'
import type { Document } from '../tree.ts'
import { renderBlocks, renderInline } from './render.ts'
import { inline, joinBlocks, link } from './text.ts'

const PAGES = [
  ['/', 'Rollcall'],
  ['/proposals', 'proposals'],
  ['/pools', 'validators'],
  ['/voters', 'voters'],
  ['/status', 'status'],
] as const

const describeUnit = ({ unit }: PageContext): string => {
  if (!unit) return 'Amounts are in the smallest unit of the chain.'
  const [name, denom] = [inline(unit.name), inline(unit.denom)]
  const inBase = `1 ${name} = ${10n ** BigInt(unit.decimals)} ${denom}`
  return `Amounts are exact, in ${name}; the JSON has ${denom} (${inBase}).`
}

const writeAsOf = ({ asOf }: Document, at: PageContext): string | null =>
  asOf
    ? `As of block ${asOf.height} of ${inline(asOf.chainId)}, ${inline(asOf.time)}. ${describeUnit(at)}`
    : null

/** With the notice, if there is one, above the page. */
export const renderMarkdown = (document: Document, at: PageContext): string => {
  const { heading, title, above, blocks } = document
  const notice = noticeText(at)
  const whole = joinBlocks(
    notice ? `**${notice}**` : null,
    `# ${renderInline(heading ?? title, at)}`,
    renderInline(above, at),
    renderBlocks(blocks, at),
    writeAsOf(document, at),
    PAGES.map(([path, label]) => link(label, at.baseUrl + path)).join(' · '),
  )
  return `${whole}\n`
}
