// The HTML of what a page says: one element, or a few, for each part of the tree.
import {
  escapeHtml,
  type Html,
  type HtmlValue,
  html,
  trustedHtml,
} from '../../../infra/base/html/html.ts'
import type { PageContext } from '../context.ts'
import {
  type Inline,
  type InlinePart,
  type InlineParts,
  isInlineList,
  type Nothing,
} from '../line.ts'
import type { Block, BlockParts, Column, Field } from '../tree.ts'
import {
  fact,
  field,
  folded,
  numbersHead,
  numbersRow,
  scrollable,
  section,
  totalsRow,
} from './elements.ts'
import {
  amount,
  amountColumnName,
  choices,
  code,
  coinList,
  exactAmount,
  explorerLink,
  link,
  occurrence,
  outcomeTag,
  paging,
  poolLink,
  recordedProposal,
  share,
  timestamp,
  toHref,
  untrustedText,
} from './inline.ts'
import { recordTable } from './record-table.ts'
import { sortableTable } from './sortable-table.ts'

type Renderers<Parts> = { [Kind in keyof Parts]: (part: Parts[Kind], at: PageContext) => Html }

const INLINE: Renderers<InlineParts> = {
  quoted: ({ text, otherwise }, at) => untrustedText(text, renderInline(otherwise, at)),
  code: ({ text }) => code(text),
  command: ({ text }) => html`<code>${text}</code>`,
  link: ({ path, label, look }, at) => link(path, renderInline(label, at), at, look),
  anchor: ({ section, label }, at) => html`<a href="#${section}">${renderInline(label, at)}</a>`,
  strong: ({ of }, at) => html`<strong>${renderInline(of, at)}</strong>`,
  soft: ({ of }, at) => html`<span class="soft">${renderInline(of, at)}</span>`,
  small: ({ of }, at) => html`<span class="small soft">${renderInline(of, at)}</span>`,
  // The space separates words where the text alone is read.
  lineBreak: () => html`<br> `,
  time: ({ time }) => timestamp(time),
  occurrence: ({ fact: happened }, at) => occurrence(happened, at),
  transaction: ({ txHash, height }, at) => explorerLink({ txHash, height }, code(txHash), at),
  amount: ({ base }, at) => amount(base, at),
  baseAmount: ({ base }) => exactAmount(base),
  coins: ({ coins }, at) => coinList(coins, at),
  share: ({ value }) => share(value),
  choices: ({ options }) => choices(options),
  status: ({ outcome }) => outcomeTag(outcome),
  proposal: (proposal, at) => recordedProposal(proposal, at),
  pool: (pool, at) => poolLink(pool, at),
  drawn: ({ html: markup }) => markup,
}

const renderPart = (part: InlinePart, at: PageContext): Html =>
  (INLINE[part.kind] as (part: InlinePart, at: PageContext) => Html)(part, at)

const toValue = (value: Inline, at: PageContext): HtmlValue => {
  if (isInlineList(value)) return value.map((each) => toValue(each, at))
  return typeof value === 'object' && value !== null ? renderPart(value, at) : value
}

export const renderInline = (value: Inline, at: PageContext): Html => html`${toValue(value, at)}`

/** One below the other. A missing part is an empty line. */
const joinLines = (lines: readonly HtmlValue[]): HtmlValue[] =>
  lines.map((line, n) => [n > 0 && '\n', line])

const columnName = ({ name, isAmount }: Column, at: PageContext): string =>
  isAmount ? amountColumnName(name, at) : name

/** Names are those of `tree.ts`. */
const attributes = (all: Readonly<Record<string, string>>): Html =>
  trustedHtml(
    Object.entries(all)
      .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
      .join(''),
  )

const control = (given: Field, id: string): Html => {
  const { name, value } = given
  if ('options' in given) {
    const options = given.options.map(
      ([each, label]) =>
        html`<option value="${each}"${each === value && html` selected`}>${label}</option>`,
    )
    return html`<select id="${id}" name="${name}">${options}</select>`
  }
  const { type, ...others } = given.input
  return html`<input id="${id}"${type !== undefined && attributes({ type })} name="${name}" \
value="${value}"${attributes(others)}>`
}

const optional = (name: 'class' | 'id', value: string | undefined): Html | undefined =>
  value === undefined ? undefined : attributes({ [name]: value })

const factEntry = (
  [name, ...values]: Exclude<BlockParts['facts']['facts'][number], Nothing>,
  at: PageContext,
): Html => fact(renderInline(name, at), ...values.map((value) => renderInline(value, at)))

const numbersTable = (
  { label, caption, columns, rows, totals }: BlockParts['numbers'],
  at: PageContext,
): Html => {
  const toCells = (row: readonly Inline[]) => row.map((cell) => renderInline(cell, at))
  const body = rows.map((row) => numbersRow(...toCells(row)))
  const foot = totals.map((row) => totalsRow(toCells(row), columns.length))
  return scrollable(
    label,
    html`<table class="narrow">${caption !== undefined && html`<caption>${caption}</caption>`}${numbersHead(...columns)}
<tbody>${body}</tbody>${foot.length > 0 && html`\n<tfoot>${foot}</tfoot>`}</table>`,
  )
}

const BLOCKS: Renderers<BlockParts> = {
  heading: ({ level, text }, at) =>
    level === 2
      ? html`<h2>${renderInline(text, at)}</h2>`
      : html`<h3>${renderInline(text, at)}</h3>`,
  paragraph: ({ of, look, id }, at) =>
    html`<p${optional('class', look)}${optional('id', id)}>${renderInline(of, at)}</p>`,
  facts: ({ facts, id, look, isLive }, at) =>
    html`<dl class="${look}"${optional('id', id)}${isLive && html` data-live="yes"`}>
${joinLines(facts.map((each) => each && factEntry(each, at)))}
</dl>`,
  list: ({ items }, at) =>
    html`<ul>\
${items.map((item) => html`<li>${renderInline(item, at)}</li>`)}</ul>`,
  listing: ({ text }) => html`<pre><code>${text}</code></pre>`,
  verbatim: ({ text }) => html`<pre dir="auto" tabindex="0">${text}</pre>`,
  table: ({ label, caption, columns, rows }, at) =>
    recordTable({
      label,
      caption,
      columns: columns.map((column) => ({ ...column, name: columnName(column, at) })),
      rows: rows.map((cells) => cells.map((cell) => renderInline(cell, at))),
    }),
  numbers: (parts, at) => numbersTable(parts, at),
  sortable: ({ columns, rows, ...parts }, at) =>
    sortableTable({
      ...parts,
      columns: columns.map((column) => ({ ...column, name: columnName(column, at) })),
      rows: rows.map(({ cells, ...row }) => ({
        ...row,
        cells: cells.map(({ of, sort }) => ({ shown: renderInline(of, at), sort })),
      })),
    }),
  filters: ({ path, label, button, fields, kept }, at) =>
    html`<form class="filters" action="${toHref(path, at)}" method="get" aria-label="${label}">
${joinLines(fields.map((each) => field(`filter-${each.name}`, each.label, control(each, `filter-${each.name}`))))}
${kept.map(([name, value]) => value !== '' && html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="buttons"><button type="submit">${button}</button> <a href="${toHref(path, at)}">Reset</a></p>
</form>`,
  section: ({ id, title, isLive, blocks }, at) =>
    section({ id, title: renderInline(title, at), isLive }, html`\n${renderBlocks(blocks, at)}`),
  part: ({ id, label, blocks }, at) =>
    label === undefined
      ? html`<div id="${id}">${renderBlocks(blocks, at)}</div>`
      : html`<section id="${id}" aria-label="${label}" data-live="yes">
${renderBlocks(blocks, at)}
</section>`,
  subsection: ({ heading, look, blocks }, at) =>
    html`<section class="${look}"><h3>${renderInline(heading, at)}</h3>
${renderBlocks(blocks, at)}</section>`,
  article: ({ blocks }, at) => html`<article>
${renderBlocks(blocks, at)}
</article>`,
  folded: ({ id, summary, blocks }, at) => folded(id, summary, renderBlocks(blocks, at)),
  paging: (parts, at) => paging(parts, at),
  picture: ({ html: markup }) => markup ?? html``,
}

const renderBlock = (block: Block, at: PageContext): Html | null =>
  block ? (BLOCKS[block.kind] as (part: typeof block, at: PageContext) => Html)(block, at) : null

export const renderBlocks = (blocks: readonly Block[], at: PageContext): Html =>
  html`${joinLines(blocks.map((block) => renderBlock(block, at)))}`
