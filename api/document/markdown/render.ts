// The Markdown of what a page says: its plain text with markup, and every text of others escaped.
import { describePage } from '../../in-words.ts'
import { outcomeName } from '../../proposal-status.ts'
import type { PageContext } from '../context.ts'
import { type Inline, type InlinePart, type InlineParts, isInlineList } from '../line.ts'
import { addFormat, poolPath, proposalPath } from '../paths.ts'
import { renderInline as renderText } from '../text.ts'
import type { Block, BlockParts, Field } from '../tree.ts'
import { escapeMarkup, fenced, inline, joinBlocks, linkTo, list, table } from './text.ts'

type Renderers<Parts> = { [Kind in keyof Parts]: (part: Parts[Kind], at: PageContext) => string }

const pageLink = (path: string, label: string, { baseUrl }: PageContext): string =>
  linkTo(label, baseUrl + path)

/** The kinds with markup. Of any other kind, the plain text is escaped. */
const INLINE: Partial<Renderers<InlineParts>> = {
  quoted: ({ text, otherwise }, at) => inline(text ?? '') || renderInline(otherwise, at),
  command: ({ text }) => `\`${text}\``,
  link: ({ path, label }, at) => pageLink(path, renderInline(label, at), at),
  anchor: ({ label }, at) => renderInline(label, at),
  strong: ({ of }, at) => `**${renderInline(of, at)}**`,
  soft: ({ of }, at) => renderInline(of, at),
  small: ({ of }, at) => renderInline(of, at),
  lineBreak: () => '; ',
  status: ({ outcome }) => inline(outcomeName(outcome).toLowerCase()),
  proposal: ({ proposalId, title, round }, at) => {
    const number = pageLink(proposalPath(proposalId), inline(proposalId), at)
    return `${number} ${inline(title) || '(no title)'}${(round ?? 1) > 1 ? ` (round ${round})` : ''}`
  },
  pool: ({ operatorAddress, moniker }, at) => {
    const [name, address] = [inline(moniker), inline(operatorAddress)]
    const shown = pageLink(poolPath(operatorAddress), name || address, at)
    return name === '' ? shown : `${shown} ${address}`
  },
  drawn: ({ instead }, at) => renderInline(instead, at),
}

const renderPart = (part: InlinePart, at: PageContext): string => {
  const render = INLINE[part.kind] as ((part: InlinePart, at: PageContext) => string) | undefined
  return render ? render(part, at) : escapeMarkup(renderText(part, at))
}

/** Pages group digits by narrow spaces, and keep a number and its unit on one line. */
const plainSpaces = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

export const renderInline = (value: Inline, at: PageContext): string => {
  if (value === null || value === undefined || value === false) return ''
  if (isInlineList(value)) return value.map((each) => renderInline(each, at)).join('')
  return typeof value === 'object' ? renderPart(value, at) : escapeMarkup(plainSpaces(`${value}`))
}

const describeField = (field: Field): string => {
  const values = 'options' in field ? field.options.map(([value]) => value).filter(Boolean) : []
  const known = values.length === 0 ? '' : `: ${values.map((value) => `\`${value}\``).join(', ')}`
  return `\`${field.name}\` (${escapeMarkup(field.label)})${known}`
}

/** The items in formats for programs. */
const formats = (url: string): string =>
  list(
    `JSON: \`GET ${url}\``,
    `CSV: \`GET ${addFormat(url, 'csv')}\`; the \`Link\` header has the next page`,
    `NDJSON: \`GET ${addFormat(url, 'ndjson')}\`; the \`Link\` header has the next page`,
  )

const pages = (
  { list: { page, links }, itemNames, toPath }: BlockParts['paging'],
  at: PageContext,
): string => {
  const onward = [
    links.prev === null ? null : pageLink(toPath(links.prev), 'previous page', at),
    links.next === null ? null : pageLink(toPath(links.next), 'next page', at),
  ].filter((found) => found !== null)
  return `${describePage(page, itemNames)}.${onward.length > 0 ? ` ${onward.join(', ')}.` : ''}`
}

const BLOCKS: Renderers<BlockParts> = {
  heading: ({ level, text }, at) => `${'#'.repeat(level)} ${renderInline(text, at)}`,
  paragraph: ({ of }, at) => renderInline(of, at),
  facts: ({ facts }, at) =>
    list(
      ...facts.flatMap((each) => {
        if (!each) return []
        const [name, ...values] = each
        return values.map((value) => `${renderInline(name, at)}: ${renderInline(value, at)}`)
      }),
    ),
  list: ({ items }, at) => list(...items.map((item) => renderInline(item, at))),
  listing: ({ text }) => fenced(text),
  verbatim: ({ text }) => fenced(text),
  table: ({ caption, columns, rows }, at) =>
    joinBlocks(
      caption,
      table(
        columns.map(({ name }) => escapeMarkup(name)),
        rows.map((cells) => cells.map((cell) => renderInline(cell, at))),
      ),
    ),
  numbers: ({ caption, columns, rows, totals }, at) =>
    joinBlocks(
      caption,
      table(
        columns.map(escapeMarkup),
        [...rows, ...totals].map((cells) => columns.map((_, n) => renderInline(cells[n], at))),
      ),
    ),
  sortable: ({ columns, rows }, at) =>
    table(
      columns.map(({ name }) => escapeMarkup(name)),
      rows.map(({ cells }) => cells.map(({ of }) => renderInline(of, at))),
    ),
  filters: ({ fields }) => `Filters, in the query: ${fields.map(describeField).join('; ')}.`,
  section: ({ title, blocks }, at) =>
    joinBlocks(`## ${renderInline(title, at)}`, renderBlocks(blocks, at)),
  part: ({ blocks }, at) => renderBlocks(blocks, at),
  subsection: ({ heading, blocks }, at) =>
    joinBlocks(`### ${renderInline(heading, at)}`, renderBlocks(blocks, at)),
  article: ({ blocks }, at) => renderBlocks(blocks, at),
  folded: ({ summary, blocks }, at) =>
    joinBlocks(`**${escapeMarkup(summary)}**`, renderBlocks(blocks, at)),
  paging: (parts, at) => joinBlocks(pages(parts, at), formats(parts.source)),
  picture: ({ instead }, at) => renderBlocks(instead, at),
}

const renderBlock = (block: Block, at: PageContext): string =>
  block ? (BLOCKS[block.kind] as (part: typeof block, at: PageContext) => string)(block, at) : ''

export const renderBlocks = (blocks: readonly Block[], at: PageContext): string =>
  joinBlocks(...blocks.map((block) => renderBlock(block, at)))
