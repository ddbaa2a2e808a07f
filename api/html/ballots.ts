// The page with all ballots of a vote: who voted how, when, with which power, and against which validators.
import { type Html, html } from '../../infra/base/html/html.ts'
import { noVotes } from '../markdown/parts.ts'
import { plainLine } from '../markdown/text.ts'
import type { BallotPool } from '../resources/ballots-page.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import type { Ballot } from '../schemas/ballot.ts'
import { field, folded } from './elements.ts'
import { listLayout } from './layout.ts'
import { OPTIONS } from './options.ts'
import {
  amount,
  amountColumnName,
  type BallotFilters,
  ballotsPath,
  choices,
  code,
  link,
  occurrence,
  paging,
  proposalLink,
  proposalPath,
  statusTag,
  toHref,
  UNKNOWN,
  voterPath,
} from './parts.ts'
import { poolLink } from './pool-votes.ts'
import { recordTable } from './record-table.ts'

type Data = PageData['ballots']
type Filters = Required<BallotFilters>
type Context = {
  at: PageContext
  proposalId: string
  filters: Filters
  byOperator: ReadonlyMap<string, BallotPool>
  byAccount: ReadonlyMap<string, BallotPool>
}

const parseFilters = ({ links }: Data): Filters => {
  const query = new URLSearchParams(links.self.split('?', 2)[1] ?? '')
  const get = (name: string) => query.get(name) ?? ''
  return {
    voter: get('voter'),
    option: get('option'),
    delegatedTo: get('delegatedTo'),
    sort: get('sort'),
    round: get('round'),
  }
}

const toContext = (data: Data, at: PageContext): Context => ({
  at,
  proposalId: at.params['proposalId'] ?? '',
  filters: parseFilters(data),
  byOperator: new Map(data.pools.map((pool) => [pool.operatorAddress, pool])),
  byAccount: new Map(data.pools.map((pool) => [pool.accountAddress, pool])),
})

const choose = (value: string, label: string, chosen: string): Html =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`

const hiddenField = (name: string, value: string): Html | null =>
  value === '' ? null : html`<input type="hidden" name="${name}" value="${value}">`

/** The filters in force, in words. The round and the validator are in notes of their own. */
const describeFilters = ({ voter, option, sort }: Filters): string => {
  const chosen = OPTIONS.find((each) => each.option === option)?.label ?? ''
  const named = [voter && `voter ${voter}`, chosen, sort === 'power' && 'by voting power']
  return named.filter(Boolean).join(', ')
}

const filterForm = ({ at, proposalId, filters }: Context): Html => {
  const { voter, option, delegatedTo, sort, round } = filters
  const action = toHref(ballotsPath(proposalId), at)
  const voterInput = html`<input id="filter-voter" name="voter" value="${voter}" maxlength="128" \
autocapitalize="none" autocomplete="off" spellcheck="false">`
  const optionSelect = html`<select id="filter-option" name="option">${choose('', 'Any', option)}\
${OPTIONS.map((each) => choose(each.option, each.label, option))}</select>`
  const sortSelect = html`<select id="filter-sort" name="sort">${choose('', 'First vote', sort)}\
${choose('power', 'Voting power', sort)}</select>`
  const named = describeFilters(filters)
  const summary = named === '' ? 'Did an address vote? Filter and sort' : `Filters: ${named}`
  const form = html`<form class="filters" action="${action}" method="get" aria-label="Filter ballots">
${field('filter-voter', 'Did this address vote?', voterInput)}
${field('filter-option', 'Vote', optionSelect)}
${field('filter-sort', 'Sort by', sortSelect)}
${hiddenField('delegatedTo', delegatedTo)}${hiddenField('round', round)}
<p class="buttons"><button type="submit">Filter</button> <a href="${action}">Reset</a></p>
</form>`
  return folded('filters', summary, form)
}

const isSameVote = (one: Ballot['options'], other: NonNullable<BallotPool['options']>): boolean =>
  one.length === other.length &&
  one.every(({ option, weight }) =>
    other.some((each) => each.option === option && each.weight === weight),
  )

const poolVote = ({ options }: Ballot, pool: BallotPool | undefined): Html => {
  if (!pool?.options) return html`did not vote`
  const voted = choices(pool.options)
  return isSameVote(options, pool.options)
    ? html`also voted ${voted}`
    : html`<strong>voted ${voted}</strong>`
}

const MAX_DELEGATIONS = 3

/** The validators whose vote the ballot overrides. That of the filter is first. */
const delegations = (ballot: Ballot, { byOperator, filters, at }: Context): Html => {
  if (ballot.delegations === null) return UNKNOWN
  if (ballot.delegations.length === 0) return html`<span class="soft">none</span>`
  const isChosen = ({ operatorAddress }: { operatorAddress: string }) =>
    operatorAddress === filters.delegatedTo
  const ordered = ballot.delegations.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
  const rest = ordered.length - MAX_DELEGATIONS
  const shown = ordered.slice(0, MAX_DELEGATIONS).map(({ operatorAddress }, n) => {
    const pool = byOperator.get(operatorAddress)
    const name = poolLink(pool ?? { operatorAddress, moniker: '' }, at)
    return html`${n > 0 && html`<br>`}${name} <span class="small soft">${poolVote(ballot, pool)}</span>`
  })
  return html`${shown}${rest > 0 && html`<br><span class="small soft">and ${rest} more</span>`}`
}

/** A validator votes with its operator's account. */
const voter = ({ voter: address }: Ballot, { byAccount, at }: Context): Html => {
  const pool = byAccount.get(address)
  const operator = pool && html`<br><span class="small soft">operates ${poolLink(pool, at)}</span>`
  return html`${link(voterPath(address), code(address), at)}${operator}`
}

const NOT_COUNTED = html` <span class="soft">(after the tally, not counted)</span>`

const ballotRow = (ballot: Ballot, context: Context): Html[] => [
  voter(ballot, context),
  html`${choices(ballot.options)}${!ballot.counted && NOT_COUNTED}`,
  amount(ballot.votingPower, context.at),
  delegations(ballot, context),
  occurrence(ballot, context.at),
]

const CAPTIONS = {
  rank: 'In the order of the first vote of each account.',
  power: 'Largest voting power first.',
}

const ballotTable = ({ items }: Data, context: Context): Html =>
  recordTable({
    label: 'Ballots',
    caption: `${CAPTIONS[context.filters.sort === 'power' ? 'power' : 'rank']} \
An account that votes overrides its validators for its own stake. A different vote of a validator is bold.`,
    columns: [
      { name: 'Voter' },
      { name: 'Vote' },
      { name: amountColumnName('Voting power', context.at), isNumber: true },
      { name: 'Delegates to' },
      { name: 'Time and transaction' },
    ],
    rows: items.map((item) => ballotRow(item, context)),
  })

const noBallots = ({ vote, page }: Data, { filters, proposalId, at }: Context): Html => {
  const { voter: address, option, delegatedTo } = filters
  if (address !== '' && option === '' && delegatedTo === '') {
    const votes = link(`${proposalPath(proposalId)}#votes`, 'Votes by validator', at)
    return html`<p><strong>This address did not vote itself.</strong> ${code(address)} has no ballot \
in this vote. If it delegated stake, its validators voted with it: ${votes}. \
${link(voterPath(address), 'All ballots of this address', at)}</p>`
  }
  if (page.totalItems > 0) return html`<p>No ballots on this page.</p>`
  const isFiltered = [address, option, delegatedTo].some((value) => value !== '')
  if (isFiltered) return html`<p>No ballots match.</p>`
  return html`<p>${noVotes({ status: vote.status, round: null, tally: null })}</p>`
}

const poolNote = ({ filters, byOperator, at }: Context): Html | null => {
  const { delegatedTo } = filters
  if (delegatedTo === '') return null
  const pool = byOperator.get(delegatedTo)
  const own = pool?.options ? html`voted ${choices(pool.options)}` : html`did not vote`
  return html`<p>Delegators of ${poolLink(pool ?? { operatorAddress: delegatedTo, moniker: '' }, at)} \
who voted themselves. The validator ${own}.</p>`
}

const roundNote = ({ vote: { rounds, shownRound } }: Data, context: Context): Html | null => {
  if (rounds.length < 2) return null
  const { proposalId, at } = context
  const others = rounds.filter((round) => round !== shownRound)
  const links = others.map((round) =>
    link(ballotsPath(proposalId, { round: `${round}` }), `ballots of round ${round}`, at),
  )
  return html`<p>Round ${shownRound}. See also: ${links.map((each, n) => [n > 0 && ', ', each])}.</p>`
}

/** The URL of the API for the same ballots, without its own page size. */
const toApiPath = (proposalId: string, filters: Filters): string =>
  `/api${ballotsPath(proposalId, filters)}`

export const ballotsHtml = (data: Data, at: PageContext): string => {
  const context = toContext(data, at)
  const { proposalId, filters } = context
  const { vote, items, page } = data
  const source = toApiPath(proposalId, filters)
  return listLayout(
    {
      title: `Ballots on proposal ${plainLine(proposalId)}`,
      description: `Who voted how on proposal ${plainLine(proposalId)}: \
each account with its vote, voting power, time and transaction.`,
      path: ballotsPath(proposalId, filters),
      main: html`<p class="above">${proposalLink({ proposalId, title: vote.title }, at)} ${statusTag(vote.status)}</p>
<h1>Ballots</h1>
${poolNote(context)}
${roundNote(data, context)}
${filterForm(context)}
${items.length === 0 ? noBallots(data, context) : ballotTable(data, context)}
${page.totalItems > 0 && paging(data, { itemNames: ['ballot', 'ballots'], source: `${at.baseUrl}${source}`, at })}`,
    },
    { ...data, links: { self: `${at.baseUrl}${source}` } },
    at,
  )
}
