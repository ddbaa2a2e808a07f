// The page with the ballots of one voter, and the form to look up a voter.
import { type Html, html } from '../../infra/base/html/html.ts'
import { pluralize } from '../in-words.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import { fact } from './elements.ts'
import { layout, listLayout } from './layout.ts'
import {
  amount,
  amountColumnName,
  choices,
  code,
  link,
  occurrence,
  paging,
  recordedProposal,
  statusTag,
  toHref,
  voterPath,
} from './parts.ts'
import { poolLink } from './pool-votes.ts'
import { recordTable } from './record-table.ts'

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

type Item = PageData['voter']['items'][number]

const proposalsOf = (address: string, at: PageContext): Html =>
  link(`/proposals?${new URLSearchParams({ proposer: address })}`, 'submitted by this account', at)

const operates = (pool: NonNullable<PageData['voter']['pool']>, at: PageContext): Html =>
  html`${poolLink(pool, at)}: its ballots are the votes of this validator`

const voterFacts = ({ page, pool }: PageData['voter'], address: string, at: PageContext): Html =>
  html`<dl class="facts">${fact('Address', code(address))}
${pool && fact('Operates', operates(pool, at))}
${fact('Ballots', page.totalItems)}${fact('Proposals', proposalsOf(address, at))}</dl>`

const NOT_COUNTED = html` <span class="soft">(after the tally, not counted)</span>`

const ballotRow = (item: Item, at: PageContext): Html[] => [
  recordedProposal(item, at),
  statusTag(item.status),
  html`${choices(item.options)}${!item.counted && NOT_COUNTED}`,
  amount(item.votingPower, at),
  occurrence(item, at),
]

const NONE = html`<p>No ballots of this address. \
If a delegator does not vote, its validators vote with its stake. \
The pages of the validators have these votes. \
Rollcall cannot distinguish an account that never voted from one that does not exist.</p>`

export const voterHtml = (data: PageData['voter'], at: PageContext): string => {
  const { address = '' } = at.params
  const { totalItems } = data.page
  const table = recordTable({
    label: 'Ballots',
    caption:
      'Newest proposal first. Voting power is from the tally, or the current one in an open vote.',
    columns: [
      { name: 'Proposal' },
      { name: 'Status' },
      { name: 'Vote' },
      { name: amountColumnName('Voting power', at), isNumber: true },
      { name: 'Time and transaction' },
    ],
    rows: data.items.map((item) => ballotRow(item, at)),
  })
  return listLayout(
    {
      title: `Voter ${address}`,
      description: `${pluralize(totalItems, 'ballot')} of ${address}, newest proposal first, with voting power.`,
      path: voterPath(address),
      main: html`<p class="above">${link('/voters', 'Look up another voter', at)}</p>
<h1>Voter</h1>
${voterFacts(data, address, at)}
<h2>Ballots</h2>
${totalItems === 0 ? NONE : table}
${totalItems > 0 && paging(data, { itemNames: ['ballot', 'ballots'], at })}`,
    },
    data,
    at,
  )
}
