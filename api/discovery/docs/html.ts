// HTML of the API reference: inline Markdown and tables. Pure.
import { type Html, type HtmlValue, html } from '../../../infra/base/html/html.ts'

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*)/

const piece = (text: string, at: number): HtmlValue => {
  // `split` puts the marked pieces at odd positions.
  if (at % 2 === 0) return text
  return text.startsWith('`')
    ? html`<code>${text.slice(1, -1)}</code>`
    : html`<strong>${inline(text.slice(2, -2))}</strong>`
}

/** `code` and **bold**. */
export const inline = (text: string): HtmlValue => text.split(MARKED).map(piece)

export const paragraphs = (text: string): HtmlValue =>
  text.split('\n\n').map((part) => html`<p>${inline(part)}</p>\n`)

export type Cells = readonly HtmlValue[]

/**
 * On a phone, each row is a list; the roles keep it a table. `label` is the accessible name of the scrollable region.
 * Undefined without rows.
 */
export const table = (
  head: readonly string[],
  rows: readonly Cells[],
  label: string,
): Html | undefined => {
  if (rows.length === 0) return undefined
  const columns = head.map((cell) => html`<th scope="col" role="columnheader">${cell}</th>`)
  const cells = (row: Cells) => row.map((cell) => html`<td role="cell">${cell}</td>`)
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table role="table">
<thead role="rowgroup"><tr role="row">${columns}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => html`<tr role="row">${cells(row)}</tr>\n`)}
</tbody></table></div>`
}

/** Joins values with a separator. */
export const joinHtml = (values: readonly HtmlValue[], separator: HtmlValue): HtmlValue =>
  values.flatMap((value, at) => (at === 0 ? [value] : [separator, value]))
