// The explanation of a message: a summary, and its details as a list of terms and values.
import { type Html, html } from '../../infra/base/html/html.ts'
import { folded } from '../document/html/elements.ts'
import { code, timestamp } from '../document/html/inline.ts'
import { plainLine } from '../plain-text.ts'
import type { DetailValue, Explanation, ExplanationDetail } from '../schemas/explanation.ts'
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

const shownValue = (value: DetailValue): Html => {
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

type Group = { label: string; values: DetailValue[] }

/** Consecutive details with the same label become one term with several values. */
const groupByLabel = (details: readonly ExplanationDetail[]): Group[] => {
  const groups: Group[] = []
  for (const { label, value } of details) {
    const last = groups.at(-1)
    if (last?.label === label) last.values.push(value)
    else groups.push({ label, values: [value] })
  }
  return groups
}

const detailGroup = ({ label, values }: Group): Html =>
  html`<dt>${line(label)}</dt>${values.map((value) => html`<dd>${shownValue(value)}</dd>`)}
`

const factList = (groups: readonly Group[]): Html => html`<dl class="facts">
${groups.map(detailGroup)}</dl>`

/** More of them are folded: readers compare them only if the summary is not enough. */
const MAX_OPEN_DETAILS = 8

export const explanationBlock = (
  { summary, details }: Explanation,
  { id }: { id: string },
): Html => {
  const groups = groupByLabel(details)
  const [open, others] = [groups.slice(0, MAX_OPEN_DETAILS), groups.slice(MAX_OPEN_DETAILS)]
  return html`<p>${line(summary)}</p>${open.length > 0 && factList(open)}\
${others.length > 0 && folded(`${id}-more`, `${others.length} more values`, factList(others))}`
}
