// Own texts with `code` and **bold**, as the OpenAPI document has them, in HTML. Pure.
import { type HtmlValue, html } from '../../infra/base/html/html.ts'

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*)/

const piece = (text: string, at: number): HtmlValue => {
  // `split` puts the marked pieces at odd positions.
  if (at % 2 === 0) return text
  return text.startsWith('`')
    ? html`<code>${text.slice(1, -1)}</code>`
    : html`<strong>${toHtml(text.slice(2, -2))}</strong>`
}

export const toHtml = (text: string): HtmlValue => text.split(MARKED).map(piece)
