// HTML of the API reference: inline Markdown and tables. Pure.
import { type Html, type HtmlValue, html } from '../../../infra/html/html.ts'

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

/** Undefined without rows. `label` is the accessible name of the scrollable region. */
export const table = (
  head: readonly string[],
  rows: readonly Cells[],
  label: string,
): Html | undefined => {
  if (rows.length === 0) return undefined
  return html`<div class="wide" role="region" tabindex="0" aria-label="${label}"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}
</tbody></table></div>`
}

/** Joins values with a separator. */
export const joinHtml = (values: readonly HtmlValue[], separator: HtmlValue): HtmlValue =>
  values.flatMap((value, at) => (at === 0 ? [value] : [separator, value]))
