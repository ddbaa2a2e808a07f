// The plain text of what a page says, for feeds and calendars: exact values, and no markup.
import type { Coin } from '../../ingest/contract/facts.ts'
import { convertToUnit, NOT_KNOWN, percent, truncateTo } from '../display-unit.ts'
import { describePage } from '../in-words.ts'
import { plainLine } from '../plain-text.ts'
import { outcomeName } from '../proposal-status.ts'
import type { PageContext } from './context.ts'
import {
  type Choice,
  type Inline,
  type InlinePart,
  type InlineParts,
  isInlineList,
} from './line.ts'
import type { Block, BlockParts } from './tree.ts'

type Context = Pick<PageContext, 'baseUrl' | 'unit'>
type Renderers<Parts, Text> = { [Kind in keyof Parts]: (part: Parts[Kind], at: Context) => Text }

const amountText = (base: string | null, { unit }: Context): string => {
  if (base === null) return NOT_KNOWN
  const shown = unit && convertToUnit(base, unit)
  return unit && shown !== undefined ? `${shown} ${plainLine(unit.name)}` : plainLine(base)
}

/** Only the denom of the display unit is converted to it. */
const coinText = ({ denom, amount }: Coin, at: Context): string =>
  at.unit?.denom === denom
    ? amountText(amount, at)
    : `${plainLine(amount)} ${plainLine(denom)}`.trim()

/** `yes`, or each option with its weight for a split vote. */
const choicesText = (options: readonly Choice[]): string => {
  const nameOption = ({ option }: Choice) => plainLine(option.replaceAll('_', ' '))
  const [only, ...others] = options
  return only && others.length === 0
    ? nameOption(only)
    : options.map((each) => `${nameOption(each)} ${percent(each.weight)}`).join(', ')
}

const INLINE: Renderers<InlineParts, string> = {
  quoted: ({ text, otherwise }, at) => plainLine(text ?? '') || renderInline(otherwise, at),
  command: ({ text }) => text,
  link: ({ path, label }, at) => `${renderInline(label, at)} (${at.baseUrl}${path})`,
  anchor: ({ label }, at) => renderInline(label, at),
  strong: ({ of }, at) => renderInline(of, at),
  soft: ({ of }, at) => renderInline(of, at),
  small: ({ of }, at) => renderInline(of, at),
  lineBreak: () => '; ',
  code: ({ text }) => plainLine(text),
  time: ({ time }) => plainLine(time ?? NOT_KNOWN),
  occurrence: ({ fact: { time, height, txHash } }) => {
    const transaction = txHash === null ? '' : `, transaction ${plainLine(txHash)}`
    return `${plainLine(time ?? NOT_KNOWN)}, block ${height ?? NOT_KNOWN}${transaction}`
  },
  transaction: ({ txHash }) => plainLine(txHash),
  amount: ({ base }, at) => amountText(base, at),
  baseAmount: ({ base }) => (base === null ? NOT_KNOWN : truncateTo(base, 0)),
  coins: ({ coins }, at) => coins.map((coin) => coinText(coin, at)).join(', ') || 'none',
  share: ({ value }) => percent(value),
  choices: ({ options }) => choicesText(options),
  status: ({ outcome }) => outcomeName(outcome),
  proposal: ({ proposalId, title, round }) =>
    `${proposalId} ${plainLine(title) || '(no title)'}${(round ?? 1) > 1 ? ` (round ${round})` : ''}`,
  pool: ({ operatorAddress, moniker }) =>
    `${plainLine(moniker)} ${plainLine(operatorAddress)}`.trim(),
  drawn: ({ instead }, at) => renderInline(instead, at),
}

const renderPart = (part: InlinePart, at: Context): string =>
  (INLINE[part.kind] as (part: InlinePart, at: Context) => string)(part, at)

export const renderInline = (value: Inline, at: Context): string => {
  if (value === null || value === undefined || value === false) return ''
  if (isInlineList(value)) return value.map((each) => renderInline(each, at)).join('')
  return typeof value === 'object' ? renderPart(value, at) : `${value}`
}

const listLines = (items: readonly Inline[], at: Context): string =>
  items.map((item) => `- ${renderInline(item, at)}`).join('\n')

type Rows = {
  caption: string | undefined
  columns: readonly string[]
  rows: readonly (readonly Inline[])[]
}

/** A line for each row, with the names of its cells. */
const rowLines = ({ caption, columns, rows }: Rows, at: Context): string => {
  const named = rows.map((cells) => cells.map((cell, n) => [n > 0 && '; ', columns[n], ': ', cell]))
  return `${caption === undefined ? '' : `${caption}\n`}${listLines(named, at)}`
}

/** Null for what only a page has. */
const BLOCKS: Renderers<BlockParts, string | null> = {
  heading: ({ text }, at) => renderInline(text, at),
  paragraph: ({ of }, at) => renderInline(of, at),
  facts: ({ facts }, at) =>
    listLines(
      facts.flatMap((each) => {
        if (!each) return []
        const [name, ...values] = each
        return values.map((value) => [name, ': ', value])
      }),
      at,
    ),
  list: ({ items }, at) => listLines(items, at),
  listing: ({ text }) => text,
  verbatim: ({ text }) => text,
  table: ({ caption, columns, rows }, at) =>
    rowLines({ caption, columns: columns.map(({ name }) => name), rows }, at),
  numbers: ({ caption, columns, rows, totals }, at) =>
    rowLines({ caption, columns, rows: [...rows, ...totals] }, at),
  sortable: ({ label, columns, rows }, at) => {
    const cells = rows.map((row) => row.cells.map(({ of }) => of))
    return rowLines({ caption: label, columns: columns.map(({ name }) => name), rows: cells }, at)
  },
  filters: () => null,
  section: ({ title, blocks }, at) => `${renderInline(title, at)}\n\n${renderBlocks(blocks, at)}`,
  part: ({ blocks }, at) => renderBlocks(blocks, at) || null,
  subsection: ({ heading, blocks }, at) =>
    `${renderInline(heading, at)}\n\n${renderBlocks(blocks, at)}`,
  article: ({ blocks }, at) => renderBlocks(blocks, at),
  folded: ({ summary, blocks }, at) => `${summary}\n\n${renderBlocks(blocks, at)}`,
  paging: ({ list: { page }, itemNames }) => describePage({ ...page, number: null }, itemNames),
  picture: ({ instead }, at) => renderBlocks(instead, at) || null,
}

const renderBlock = (block: Block, at: Context): string | null =>
  block
    ? (BLOCKS[block.kind] as (part: typeof block, at: Context) => string | null)(block, at)
    : null

export const renderBlocks = (blocks: readonly Block[], at: Context): string =>
  blocks
    .map((block) => renderBlock(block, at))
    .filter((text) => text !== null)
    .join('\n\n')
