// The rules of a tally as boxes: each has its value, a bar with the limit, and the limit in words.
import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { renderInline } from '../document/html/render.ts'
import type { Inline } from '../document/line.ts'
import { bar } from './bar.ts'

export type Rule = {
  id: string
  name: string
  value: Inline
  limit: Inline
  /** Undefined if it is not known. */
  outcome: string | undefined
  bar: Parameters<typeof bar>
}

const ruleBox = ({ id, name, value, limit, outcome, ...rule }: Rule, at: PageContext): Html => {
  const isMet = outcome !== undefined && html` · <strong>${outcome}</strong>`
  return html`<div class="rule" id="rule-${id}">\
<p><span>${name}</span> <strong>${renderInline(value, at)}</strong></p>\
${bar(...rule.bar)}<p class="small soft">${renderInline(limit, at)}${isMet}</p></div>`
}

export const ruleBoxes = (rules: readonly Rule[], at: PageContext): Html =>
  html`<div class="rules">${rules.map((rule) => ruleBox(rule, at))}</div>`
