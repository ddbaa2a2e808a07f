// The values of an explanation: texts, times, amounts, links and JSON.
import { type Html, html } from '../../infra/base/html/html.ts'
import { code, timestamp } from '../document/html/inline.ts'
import { plainLine } from '../plain-text.ts'
import type { DetailValue } from '../schemas/explanation.ts'
import { externalLink } from './linked-text.ts'

/** Escapes characters without a glyph as in JSON, so that every character is visible. */
export const escapeInvisible = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** One line. Numbers do not break between their groups of digits. */
const line = (text: string): Html => {
  const shown = plainLine(text).replace(/(?<=[0-9]) (?=[0-9]{3}(?![0-9]))/g, '\u202f')
  return html`<bdi dir="auto">${shown}</bdi>`
}

export const detailValue = (value: DetailValue): Html => {
  switch (value.kind) {
    case 'text':
      return line(value.text)
    case 'code':
    case 'address':
      return code(value.text)
    case 'link':
      return value.text.startsWith('https://')
        ? externalLink(value.text, line(value.text))
        : line(value.text)
    case 'time':
      return Number.isNaN(Date.parse(value.text)) ? line(value.text) : timestamp(value.text)
    case 'json':
      return html`<pre dir="ltr" tabindex="0"><code>${escapeInvisible(value.text)}</code></pre>`
    case 'amount': {
      const title = `exactly ${value.amount} ${plainLine(value.denom)}`
      return html`<data class="amount" value="${value.amount}" title="${title}">\
${line(value.text)}</data>`
    }
  }
}
