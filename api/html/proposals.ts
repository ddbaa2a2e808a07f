// The page with all proposals, newest first, with forms to filter and search.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import { PROPOSAL_STATUSES } from '../schemas/proposal.ts'
import { BAR_PATTERNS } from './bar.ts'
import { entries } from './entries.ts'
import { layout } from './layout.ts'
import { paging, statusName, toHref } from './parts.ts'
import { listData } from './structured-data.ts'

type Filters = { status: string; proposer: string; messageType: string; q: string }

/** The filters, from the `self` link of the response. */
const parseFilters = (self: string): Filters => {
  const query = new URLSearchParams(self.split('?', 2)[1] ?? '')
  const value = (name: string) => query.get(name) ?? ''
  return {
    status: value('status'),
    proposer: value('proposer'),
    messageType: value('messageType'),
    q: value('q'),
  }
}

const statusOptions = (status: string): Html[] => {
  const known: readonly string[] = PROPOSAL_STATUSES
  const several = status.includes(',') ? [status] : []
  return [...known, ...several].map((value) => {
    const name = value.split(',').map(statusName).join(' or ')
    const selected = value === status && html` selected`
    return html`<option value="${value}"${selected}>${name}</option>`
  })
}

const field = (id: string, label: string, control: Html): Html =>
  html`<p class="field"><label for="${id}">${label}</label>${control}</p>`

const statusSelect = (status: string): Html =>
  html`<select id="filter-status" name="status">\
<option value="">Any</option>${statusOptions(status)}</select>`

const searchInput = (q: string): Html =>
  html`<input id="filter-q" type="search" name="q" value="${q}" maxlength="200" \
autocomplete="off">`

const proposerInput = (proposer: string): Html =>
  html`<input id="filter-proposer" name="proposer" value="${proposer}" maxlength="128" \
pattern="[a-z0-9]*" title="lower-case letters and digits" autocomplete="off" spellcheck="false">`

const typeInput = (messageType: string): Html =>
  html`<input id="filter-type" name="messageType" value="${messageType}" maxlength="200" \
placeholder="cosmos.gov.v1" autocomplete="off" spellcheck="false">`

const filterForm = ({ status, proposer, messageType, q }: Filters, at: PageContext): Html => {
  const action = toHref('/proposals', at)
  return html`<form class="filters" action="${action}" method="get" aria-label="Filter proposals">
${field('filter-status', 'Status', statusSelect(status))}
${field('filter-q', 'Title or description', searchInput(q))}
${field('filter-proposer', 'Proposer address', proposerInput(proposer))}
${field('filter-type', 'Message type', typeInput(messageType))}
<p class="buttons"><button type="submit">Filter</button> <a href="${action}">Reset</a></p>
</form>`
}

export const proposalsHtml = (data: PageData['proposals'], at: PageContext): string => {
  const { self } = data.links
  const filters = parseFilters(self)
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const hasOpen = data.items.some(({ status }) => status === 'voting_period')
  const found =
    data.items.length === 0
      ? html`<p>No proposals match.</p>`
      : entries(data.items, { at, now: data.asOf.time })
  return layout(
    {
      title: isFiltered ? 'Search results' : 'Proposals',
      description: 'Every governance proposal of the chain, newest first.',
      path: self.slice(at.baseUrl.length).replace(/^\/api/, ''),
      json: self.slice(at.baseUrl.length),
      search: filters.q,
      data: listData(data, at),
      asOf: data.asOf,
      stream: hasOpen ? '/api/stream' : undefined,
      main: html`<h1>Proposals</h1>
${filterForm(filters, at)}
${BAR_PATTERNS}
<section id="found" aria-label="Proposals found" data-live="yes">
<h2 class="hidden">Proposals, newest first</h2>
${found}
${paging(data, { itemNames: ['proposal', 'proposals'], at })}
</section>`,
    },
    at,
  )
}
