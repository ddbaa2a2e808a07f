// `/voters`: the form to look up a voter by its address.
import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { toHref } from '../document/html/inline.ts'
import { command } from '../document/line.ts'
import { type Document, facts, paragraph, picture } from '../document/tree.ts'
import { plainLine } from '../plain-text.ts'
import type { AddressPrefixes } from '../read/queries/addresses.ts'

/** The input, why it is not valid, and the prefixes of examples. */
type Data = { address: string; problem: string | null; prefixes: AddressPrefixes | null }

const toExample = (prefix: string | null | undefined): string =>
  prefix === null || prefix === undefined ? '' : `, such as ${prefix}1…`

const describeAddress = ({ prefixes }: Data): string =>
  `Your address${toExample(prefixes?.account)}. The form 0x… works too. ` +
  `The address of a validator${toExample(prefixes?.operator)}, opens its page.`

const addressError = (problem: string): Html =>
  html`<p id="address-problem" class="mistake">\
<strong>This is not a valid address.</strong> It ${problem}</p>`

const addressInput = ({ address, problem }: Data): Html => {
  const describedBy = problem === null ? 'address-hint' : 'address-problem address-hint'
  const isInvalid = problem === null ? 'false' : 'true'
  return html`<input id="address" name="address" type="text" value="${address}" \
aria-describedby="${describedBy}" aria-invalid="${isInvalid}" required maxlength="128" \
autocapitalize="none" autocomplete="off" spellcheck="false">`
}

const form = (data: Data, at: PageContext): Html =>
  html`<form class="look-up" action="${toHref('/voters', at)}" method="get">
<label for="address">Address</label>
${data.problem !== null && addressError(data.problem)}
<div class="row">${addressInput(data)}
<button type="submit">Look up</button></div>
<p id="address-hint" class="soft">${describeAddress(data)}</p>
</form>`

export const writeVoters = (data: Data, at: PageContext): Document => {
  const { address, problem } = data
  const request = command(`GET ${at.baseUrl}/voters/{address}`)
  return {
    title: problem === null ? 'Look up a voter' : 'This is not a valid address',
    heading: 'Look up a voter',
    description: 'Every ballot of one address: the proposal, the vote and its voting power.',
    path: '/voters',
    blocks: [
      paragraph('Enter the address of an account to see all its ballots, with their voting power.'),
      picture(
        form(data, at),
        problem !== null &&
          paragraph(`${plainLine(address)} is not a valid address: it ${problem}.`),
        paragraph([request, ' has every ballot of one account.']),
        facts(['Address', describeAddress(data)]),
      ),
    ],
  }
}
