// The votes by validator: the vote of each validator, its voting power, and the votes of its delegators.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { type Column, scrollable, section } from '../document/html/elements.ts'
import {
  amount,
  choices,
  link,
  occurrence,
  paging,
  poolLink,
  UNKNOWN,
  untrustedText,
} from '../document/html/inline.ts'
import { ballotsPath, proposalPath } from '../document/paths.ts'
import { noVotes, pluralize, poolStateInWords, votesOrder } from '../in-words.ts'
import { OPTIONS, optionName } from '../options.ts'
import type { PageData } from '../resources/page-data.ts'
import type { VoteRecord } from '../schemas/vote.ts'

type Detail = PageData['proposal']
/** `toBallots` has the path of the ballots of a validator's delegators. */
type Row = { at: PageContext; toBallots: (delegatedTo: string) => string }

const poolStateTag = (pool: VoteRecord['pool']): Html =>
  pool.counted
    ? html``
    : html` <span class="tag quiet">${untrustedText(poolStateInWords(pool))}</span>`

const delegatorVotes = ({ delegators, pool }: VoteRecord, { at, toBallots }: Row): Html => {
  if (delegators === null) return UNKNOWN
  if (delegators.ballots === 0) return html`<span class="soft">none</span>`
  const parts = OPTIONS.filter(({ sum }) => delegators[sum] !== '0').map(
    ({ sum, label }, n) => html`${n > 0 && html`<br> `}${label} ${amount(delegators[sum], at)}`,
  )
  const power = amount(delegators.votingPower, at)
  const ballots = link(toBallots(pool.operatorAddress), pluralize(delegators.ballots, 'vote'), at)
  return html`${ballots}, ${power}<br> <span class="small soft">${parts}</span>`
}

/** The value of the row in the vote filter. */
const toFilterChoice = ({ vote }: VoteRecord): readonly [value: string, name: string] => {
  if (!vote) return ['none', 'Did not vote']
  const [only, ...others] = vote.options
  if (!only || others.length > 0) return ['split', 'Split']
  return [only.option, optionName(only.option)]
}

const whole = (amountText: string | null | undefined): string => amountText?.split('.')[0] ?? ''

/** The script sorts the column by `sort`. */
type Cell = { label: string; isNumber?: boolean; sort?: string }

const cell = ({ label, isNumber = false, sort }: Cell, value: Html): Html => {
  const className = isNumber && html` class="number"`
  const order = sort !== undefined && html` data-sort="${sort}"`
  // One element: on a phone, the card layout puts it next to the label.
  return html`<td role="cell" data-label="${label}"${className}${order}><span>${value}</span></td>`
}

const DID_NOT_VOTE = html`<span class="soft">Did not vote</span>`

const voteRow = (record: VoteRecord, row: Row): Html => {
  const { at } = row
  const { pool, vote, votingPower, delegators, rank } = record
  const [choice, name] = toFilterChoice(record)
  const sort = whole(votingPower)
  const others = { label: 'Delegator votes', sort: whole(delegators?.votingPower) }
  return html`<tr role="row" data-rank="${rank}" data-choice="${choice}" data-choice-name="${name}">
<th role="rowheader" scope="row">${poolLink(pool, at)}${poolStateTag(pool)}</th>
${cell({ label: 'Validator vote' }, vote ? choices(vote.options) : DID_NOT_VOTE)}
${cell({ label: 'Voting power', isNumber: true, sort }, amount(votingPower, at))}
${cell(others, delegatorVotes(record, row))}
${cell({ label: 'Voted', sort: vote?.time ?? '' }, vote ? occurrence(vote, at) : html`–`)}</tr>`
}

const COLUMNS: readonly Column[] = [
  { name: 'Validator' },
  { name: 'Validator vote' },
  { name: 'Voting power', isNumber: true },
  { name: 'Delegator votes' },
  { name: 'Voted' },
]

const columnHead = ({ name, isNumber = false }: Column): Html =>
  html`<th role="columnheader" scope="col"${isNumber && html` class="number"`}>${name}</th>`

/** Each row is a list on a phone. The roles keep it a table for screen readers. */
const votesTable = ({ items, page }: Detail['votes'], row: Row): Html =>
  html`<table class="votes" role="table" data-sortable="validator" data-total="${page.totalItems}">\
<thead role="rowgroup"><tr role="row">${COLUMNS.map(columnHead)}</tr></thead>\
<tbody role="rowgroup">
${items.map((record) => voteRow(record, row))}
</tbody></table>`

const toVotesPagePath = ({ proposalId, extras }: Detail, apiUrl: string): string => {
  const page = new URLSearchParams(apiUrl.split('?', 2)[1] ?? '').get('page') ?? '0'
  const round = extras.rounds.length > 1 ? `round=${extras.shownRound}&` : ''
  return `${proposalPath(proposalId)}?${round}page=${page}#votes`
}

const orderNote = ({ votes }: Detail): Html =>
  html`<p class="small soft">${votesOrder(votes)}. \
The vote of a validator counts \
with the stake of all its delegators who do not vote themselves.</p>`

export const votesSection = (proposal: Detail, at: PageContext): Html => {
  const { votes } = proposal
  const heading = { id: 'votes', title: 'Votes by validator', isLive: true }
  if (votes.page.totalItems === 0) return section(heading, html`<p>${noVotes(proposal)}</p>`)
  const round = proposal.extras.rounds.length > 1 ? `${proposal.extras.shownRound}` : ''
  const toBallots = (delegatedTo: string) =>
    ballotsPath(proposal.proposalId, { delegatedTo, round })
  const all = link(
    ballotsPath(proposal.proposalId, { round }),
    'All ballots, also of delegators',
    at,
  )
  const pages = {
    list: votes,
    itemNames: ['validator', 'validators'] as const,
    source: votes.links.self,
    toPath: (url: string) => toVotesPagePath(proposal, url),
  }
  return section(
    heading,
    html`
${orderNote(proposal)}
<p>${all}: who voted how, and whether an address voted.</p>
${scrollable('Table of votes', votesTable(votes, { at, toBallots }))}
${paging(pages, at)}`,
  )
}
