// Shared parts of the pages: untrusted texts, times, amounts, shares, statuses, options and pagination.

import { type Html, type HtmlValue, html } from '../../../infra/base/html/html.ts'
import { toRootPath } from '../../../infra/base/html/page-frame.ts'
import { parseDecimal } from '../../../ingest/contract/decimal.ts'
import type { Coin } from '../../../ingest/contract/facts.ts'
import { convertToUnit, groupThousands, percent, truncateTo } from '../../display-unit.ts'
import { describePage, plainReason, utcTime } from '../../in-words.ts'
import { findOption } from '../../options.ts'
import { plainLine } from '../../plain-text.ts'
import { type Outcome, outcomeName } from '../../proposal-status.ts'
import { SHOWN_PLACES, shareTexts } from '../../shares.ts'
import type { PageContext } from '../context.ts'
import type { Choice } from '../line.ts'
import { addFormat, encodePathSegment, poolPath, proposalPath } from '../paths.ts'
import type { BlockParts } from '../tree.ts'

export const UNKNOWN: Html = html`<span class="soft">not known</span>`

/** The `href` of a path of this service. `path` starts with a slash. */
export const toHref = (path: string, { baseUrl }: PageContext): string =>
  `${toRootPath(baseUrl)}${path}`

export const link = (
  path: string,
  label: HtmlValue,
  at: PageContext,
  look?: string | undefined,
): Html =>
  html`<a${look !== undefined && html` class="${look}"`} href="${toHref(path, at)}">${label}</a>`

/** An untrusted text on one line. Its text direction does not affect the text around it. */
export const untrustedText = (text: string | null | undefined, instead: Html = UNKNOWN): Html => {
  const line = plainLine(text ?? '')
  return line === '' ? instead : html`<bdi dir="auto">${line}</bdi>`
}

/** A recorded reason: it can quote the chain. */
export const reasonText = (reason: string | null | undefined, instead: Html = UNKNOWN): Html =>
  untrustedText(plainReason(reason ?? ''), instead)

/** An address or a hash. It can break at the end of a line. */
export const code = (text: string): Html =>
  html`<code class="code" dir="ltr">${plainLine(text)}</code>`

type Transaction = { txHash: string | null; height: number | null }

const SHOWN_DIGITS = 8

/** The block of a fact, and its transaction with a link to an explorer if one is configured. */
const transaction = ({ txHash, height }: Transaction, at: PageContext): Html => {
  const block = height === null ? UNKNOWN : html`block ${height}`
  if (txHash === null) return html`<span class="small">${block}</span>`
  const short = html`<code class="code" title="${txHash}">${plainLine(txHash).slice(0, SHOWN_DIGITS)}…</code>`
  const shown = explorerLink({ txHash, height }, short, at)
  return html`<span class="small">${block}<span class="transaction">, ${shown}</span></span>`
}

/** The label alone if no explorer is configured, or if its URL needs a height that is not known. */
export const explorerLink = (
  { txHash, height }: { txHash: string; height: number | null },
  label: Html,
  { explorerTxUrl: template }: PageContext,
): Html => {
  if (template === undefined || (height === null && template.includes('{height}'))) return label
  const url = template
    .replaceAll('{txHash}', encodePathSegment(txHash))
    .replaceAll('{height}', `${height}`)
  return html`<a href="${url}" rel="external noopener noreferrer">${label}</a>`
}

/** When something happened: its time, its block and its transaction. */
export const occurrence = (fact: Transaction & { time: string | null }, at: PageContext): Html =>
  html`${timestamp(fact.time)}<br>${transaction(fact, at)}`

/** A time in UTC, to the second. The attribute has the exact time, and a script shows the time zone of the reader. */
export const timestamp = (time: string | null): Html => {
  if (time === null) return UNKNOWN
  return html`<time datetime="${time}" title="${time}">${utcTime(time)}</time>`
}

/** Truncated to hundredths of a percent. The title has the exact value if it has more places. */
export const share = (value: string | null): Html => {
  if (value === null) return UNKNOWN
  const exact = percent(value)
  const [digits = ''] = exact.split(' ')
  const shown = `${truncateTo(digits, SHOWN_PLACES)}\u202f%`
  return digits === truncateTo(digits, SHOWN_PLACES)
    ? html`${shown}`
    : html`<span title="exactly ${exact}">${shown}</span>`
}

/** Base units in the display unit of the chain, truncated to two places. */
export const amountText = (base: string, { unit }: Pick<PageContext, 'unit'>): string => {
  const shown = unit ? truncateTo(convertToUnit(base, unit) ?? '', SHOWN_PLACES) : base
  return `${groupThousands(shown) ?? base}${unit ? `\u00a0${unit.name}` : ''}`
}

/** In the display unit of the chain, truncated to two places. The title has the exact amount in base units. */
export const amount = (base: string | null, { unit }: Pick<PageContext, 'unit'>): Html => {
  if (base === null) return UNKNOWN
  const exact = groupThousands(base)
  if (exact === undefined) return untrustedText(base)
  if (!unit) return html`<span class="amount">${groupThousands(truncateTo(base, 0))}</span>`
  const shown = groupThousands(truncateTo(convertToUnit(base, unit) ?? '', SHOWN_PLACES))
  const title = `exactly ${exact} ${unit.denom}`
  return html`<data class="amount" value="${base}" title="${title}">${shown}\u00a0${unit.name}</data>`
}

/** The name of an amount column, with the note “base units” if the chain has no display unit. */
export const amountColumnName = (name: string, { unit }: Pick<PageContext, 'unit'>): string =>
  unit ? name : `${name}, base units`

/**
 * In base units, where a table shows them as text: touch screens do not show the title of an amount.
 * A screen that is too narrow for it may break it between two groups of digits.
 */
export const exactAmount = (base: string | null): Html => {
  const grouped = base === null ? undefined : groupThousands(truncateTo(base, 0))
  if (grouped === undefined) return amount(base, { unit: undefined })
  const [first, ...groups] = grouped.split(/(?<=\u202f)/)
  return html`<span class="amount">${first}${groups.map((group) => html`<wbr>${group}`)}</span>`
}

/** An amount of any denom. It is in the display unit if the unit belongs to its denom. */
export const coin = ({ denom, amount: base }: Coin, at: PageContext): Html =>
  at.unit?.denom === denom
    ? amount(base, at)
    : html`<span class="amount">${groupThousands(base) ?? base}\u00a0${untrustedText(denom)}</span>`

export const coinList = (coins: readonly Coin[], at: PageContext): Html =>
  coins.length === 0 ? html`none` : html`${coins.map((each, n) => [n > 0 && ', ', coin(each, at)])}`

const choiceName = ({ option }: Choice): HtmlValue =>
  findOption(option)?.label ?? untrustedText(option)

/** One option of a split vote. Lines break between these parts, not inside them. */
const splitPart = (choice: Choice, shown: string | undefined, isLast: boolean): Html => {
  const exact = `exactly ${percent(choice.weight)}`
  return html`<span class="part" title="${exact}">${choiceName(choice)} ${shown}${isLast ? '' : ','}</span>`
}

/** `Yes`, or each option with its weight for a split vote. The shown weights add up to 100 %. */
export const choices = (options: readonly Choice[]): Html => {
  const [only, ...others] = options
  if (only && others.length === 0) return html`${choiceName(only)}`
  const shares = shareTexts(options.map(({ weight }) => parseDecimal(weight)))
  const last = options.length - 1
  return html`${options.map((choice, n) => [splitPart(choice, shares[n], n === last), ' '])}`
}

/** The sign and the class of the tag of a status. */
const STATE_SIGNS: ReadonlyMap<string, readonly [sign: string, tag: string]> = new Map([
  ['deposit_period', ['○', 'quiet']],
  ['voting_period', ['●', 'open']],
  ['passed', ['✓', 'good']],
  ['rejected', ['✕', '']],
  ['failed', ['!', '']],
  ['canceled', ['–', 'quiet']],
  ['dropped', ['–', 'quiet']],
  ['vetoed', ['–', 'quiet']],
])

/** Hidden from screen readers: the text next to it has the same meaning. */
export const hiddenSign = (sign: string): Html => html`<span aria-hidden="true">${sign} </span>`

/** The status with its reason: a missed quorum differs from a rejection by votes. */
export const outcomeTag = (outcome: Outcome): Html => {
  const [sign = '', tagClass = 'quiet'] = STATE_SIGNS.get(outcome.status) ?? []
  return html`<span class="tag ${tagClass}">${hiddenSign(sign)}${outcomeName(outcome)}</span>`
}

export const proposalLink = (
  { proposalId, title }: { proposalId: string; title: string },
  at: PageContext,
): Html => {
  const number = html`<span class="entry-number">${proposalId}</span>`
  return link(
    proposalPath(proposalId),
    html`${number} ${untrustedText(title, html`(no title)`)}`,
    at,
  )
}

export const poolLink = (
  { operatorAddress, moniker }: { operatorAddress: string; moniker: string },
  at: PageContext,
): Html => link(poolPath(operatorAddress), untrustedText(moniker, html`${operatorAddress}`), at)

/** A link to the proposal of a vote, with its round if it is not the first. */
export const recordedProposal = (
  item: { proposalId: string; title: string; round: number | null },
  at: PageContext,
): Html => {
  const round = (item.round ?? 1) > 1 && html` <span class="soft">round ${item.round}</span>`
  return html`${proposalLink(item, at)}${round}`
}

/** Downloads the items of a page of a list as CSV. `names` completes "CSV of …". */
export const csvLink = (url: string, names: string, at: PageContext): Html => {
  const href = toHref(addFormat(url.slice(at.baseUrl.length), 'csv'), at)
  return html`<a href="${href}">CSV<span class="hidden"> of ${names}</span></a>`
}

/** The number of items, the page number, a link to the items as CSV, and links to the previous and the next page. */
export const paging = (
  { list: { page, links }, itemNames, toPath, source }: BlockParts['paging'],
  at: PageContext,
): Html => {
  const [, many] = itemNames
  const item = (url: string | null, rel: 'prev' | 'next', label: string): Html | null =>
    url === null
      ? null
      : html`<li><a rel="${rel}" href="${toHref(toPath(url), at)}">${label}</a></li>`
  const csv =
    (page.totalItems ?? 0) > 0 && html`<li>${csvLink(source, `the ${many} on this page`, at)}</li>`
  const previous = item(links.prev, 'prev', '← Previous page')
  const next = item(links.next, 'next', 'Next page →')
  return html`<nav class="paging" aria-label="Pages of ${many}">\
<p>${describePage(page, itemNames)}</p><ul class="inline">${previous}${next}${csv}</ul></nav>`
}
