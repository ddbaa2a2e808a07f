// Every pool's part in a vote: its own choice, the power behind it, and its delegators who voted otherwise or likewise.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { VoteRecord } from '../schemas/vote.ts'
import {
  amount,
  choices,
  moment,
  optionName,
  paging,
  poolPath,
  proposalPath,
  said,
  to,
  UNKNOWN,
} from './parts.ts'

type Detail = PageData['proposal']
type Pool = { operatorAddress: string; moniker: string }

export const poolLink = ({ operatorAddress, moniker }: Pool, at: PageAt): Html =>
  html`<a href="${to(poolPath(operatorAddress), at)}">${said(moniker, said(operatorAddress))}</a>`

const stateOf = ({ status, jailed }: VoteRecord['pool']): Html => {
  const words = [...(status === 'bonded' ? [] : [status]), ...(jailed ? ['jailed'] : [])]
  return words.length === 0
    ? html``
    : html` <span class="tag quiet">${said(words.join(', '))}</span>`
}

const SUMS = [
  ['yes', 'Yes'],
  ['no', 'No'],
  ['noWithVeto', 'No with veto'],
  ['abstain', 'Abstain'],
] as const

const delegatorsOf = ({ delegators }: VoteRecord, at: PageAt): Html => {
  if (delegators === null) return UNKNOWN
  if (delegators.ballots === 0) return html`<span class="soft">none</span>`
  const parts = SUMS.filter(([key]) => delegators[key] !== '0').map(
    ([key, name], n) => html`${n > 0 && html`<br>`}${name} ${amount(delegators[key], at)}`,
  )
  return html`${delegators.ballots}, with ${amount(delegators.votingPower, at)}<br><span class="small soft">${parts}</span>`
}

/** What rows are filtered by. */
const choiceOf = ({ vote }: VoteRecord): readonly [value: string, name: string] => {
  if (!vote) return ['none', 'Only delegators voted']
  const [only, ...others] = vote.options
  if (!only || others.length > 0) return ['split', 'Split']
  return [only.option, optionName(only.option)]
}

const whole = (amountText: string | null | undefined): string => amountText?.split('.')[0] ?? ''

const rowOf = (record: VoteRecord, at: PageAt): Html => {
  const { pool, vote, votingPower, delegators, rank } = record
  const [choice, choiceName] = choiceOf(record)
  return html`<tr role="row" data-rank="${rank}" data-choice="${choice}" data-choice-name="${choiceName}">
<th role="rowheader" scope="row">${poolLink(pool, at)}${stateOf(pool)}</th>
<td role="cell" data-label="Its vote">${vote ? choices(vote.options) : html`<span class="soft">did not vote</span>`}</td>
<td role="cell" data-label="Power behind it" class="number" data-sort="${whole(votingPower)}">${amount(votingPower, at)}</td>
<td role="cell" data-label="Delegators" data-sort="${whole(delegators?.votingPower)}"><span>${delegatorsOf(record, at)}</span></td>
<td role="cell" data-label="Voted" data-sort="${vote?.time ?? ''}">${vote ? moment(vote.time) : html`–`}</td></tr>`
}

const pathOfPage = ({ proposalId, extras }: Detail, apiUrl: string): string => {
  const page = new URLSearchParams(apiUrl.split('?', 2)[1] ?? '').get('page') ?? '0'
  const round = extras.rounds.length > 1 ? `round=${extras.shownRound}&` : ''
  return `${proposalPath(proposalId)}?${round}page=${page}#votes`
}

export const votesSection = (proposal: Detail, at: PageAt): Html => {
  const { votes } = proposal
  const title = html`<h2 id="votes-title">Votes, pool by pool</h2>`
  if (votes.page.totalItems === 0)
    return html`<section id="votes" data-live="yes" aria-labelledby="votes-title">${title}<p>No pool has voted, and no delegator of any.</p></section>`
  return html`<section id="votes" data-live="yes" aria-labelledby="votes-title">${title}
<p class="small soft">In the order in which they came. A pool’s own vote carries the stake of all its delegators but those who vote themselves.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Votes of pools"><table class="votes" role="table" data-sortable="pool"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Pool</th><th role="columnheader" scope="col">Its vote</th><th role="columnheader" scope="col" class="number">Power behind it</th><th role="columnheader" scope="col">Delegators who voted</th><th role="columnheader" scope="col">Voted</th></tr></thead><tbody role="rowgroup">
${votes.items.map((record) => rowOf(record, at))}
</tbody></table></div>
${paging(votes, { what: 'pools', pathOf: (url) => pathOfPage(proposal, url), at })}</section>`
}
