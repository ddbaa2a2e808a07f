// The page with the ballots of one voter, and the form to look up a voter.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { toHref } from '../document/html/inline.ts'
import type { PageData } from '../resources/page-data.ts'
import { layout } from './layout.ts'

const toExample = (prefix: string | null | undefined): string =>
  prefix === null || prefix === undefined ? '' : `, such as ${prefix}1…`

const hint = ({ prefixes }: PageData['voters']): string =>
  `Your address${toExample(prefixes?.account)}. The form 0x… works too. ` +
  `The address of a validator${toExample(prefixes?.operator)}, opens its page.`

const addressError = (problem: string): Html =>
  html`<p id="address-problem" class="mistake">\
<strong>This is not a valid address.</strong> It ${problem}</p>`

const addressInput = ({ address, problem }: PageData['voters']): Html => {
  const describedBy = problem === null ? 'address-hint' : 'address-problem address-hint'
  const isInvalid = problem === null ? 'false' : 'true'
  return html`<input id="address" name="address" type="text" value="${address}" \
aria-describedby="${describedBy}" aria-invalid="${isInvalid}" required maxlength="128" \
autocapitalize="none" autocomplete="off" spellcheck="false">`
}

const voterForm = (data: PageData['voters'], at: PageContext): Html =>
  html`<form class="look-up" action="${toHref('/voters', at)}" method="get">
<label for="address">Address</label>
${data.problem !== null && addressError(data.problem)}
<div class="row">${addressInput(data)}
<button type="submit">Look up</button></div>
<p id="address-hint" class="soft">${hint(data)}</p>
</form>`

export const votersHtml = (data: PageData['voters'], at: PageContext): string =>
  layout(
    {
      title: data.problem === null ? 'Look up a voter' : 'This is not a valid address',
      description: 'Every ballot of one address: the proposal, the vote and its voting power.',
      path: '/voters',
      main: html`<h1>Look up a voter</h1>
<p>Enter the address of an account to see all its ballots, with their voting power.</p>
${voterForm(data, at)}`,
    },
    at,
  )
