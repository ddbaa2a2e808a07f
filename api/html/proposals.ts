// The page with all proposals, newest first, with forms to filter and search.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { field, folded } from '../document/html/elements.ts'
import { code, link, paging, toHref } from '../document/html/inline.ts'
import { encodePathSegment, voterPath, withQueryFrom } from '../document/paths.ts'
import { quotation } from '../headline.ts'
import { statusName } from '../proposal-status.ts'
import { toCanonical } from '../resources/address.ts'
import type { PageData } from '../resources/page-data.ts'
import { PROPOSAL_STATUSES } from '../schemas/proposal.ts'
import { BAR_PATTERNS } from './bar.ts'
import { entries } from './entries.ts'
import { layout } from './layout.ts'
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

/** The filters in force, in words. */
const describeFilters = ({ status, proposer, messageType, q }: Filters): string =>
  [
    status.split(',').filter(Boolean).map(statusName).join(' or '),
    q && `“${q}”`,
    proposer && `proposer ${proposer}`,
    messageType && `type ${messageType}`,
  ]
    .filter(Boolean)
    .join(', ')

const filterForm = ({ status, proposer, messageType, q }: Filters, at: PageContext): Html => {
  const action = toHref('/proposals', at)
  const named = describeFilters({ status, proposer, messageType, q })
  const summary = named === '' ? 'Filter the list' : `Filters: ${named}`
  const form = html`<form class="filters" action="${action}" method="get" aria-label="Filter proposals">
${field('filter-status', 'Status', statusSelect(status))}
${field('filter-q', 'Title or description', searchInput(q))}
${field('filter-proposer', 'Proposer address', proposerInput(proposer))}
${field('filter-type', 'What it does (type of message)', typeInput(messageType))}
<p class="buttons"><button type="submit">Filter</button> <a href="${action}">Reset</a></p>
</form>`
  return folded('filters', summary, form)
}

/** What is wrong with the filter, and what would be right. */
const noneFound = ({ proposer, ...others }: Filters, at: PageContext): Html => {
  const all = link('/proposals', 'See all proposals', at)
  if (proposer === '') {
    const isFiltered = Object.values(others).some((value) => value !== '')
    return isFiltered ? html`<p>No proposals match. ${all}</p>` : html`<p>No proposals yet.</p>`
  }
  const address = toCanonical(proposer)
  if (address !== undefined) {
    const votes = link(voterPath(address), 'See its votes', at)
    return html`<p>No proposals of the account ${code(address)} match. ${votes}. ${all}.</p>`
  }
  const search = link(`/search?q=${encodePathSegment(proposer)}`, 'Search for it', at)
  return html`<p class="mistake">${quotation(proposer, LONGEST_SHOWN)} is not an address of an account. \
Enter the whole address.</p><p>${search}. ${all}.</p>`
}

const LONGEST_SHOWN = 128

export const proposalsHtml = (data: PageData['proposals'], at: PageContext): string => {
  const { self } = data.links
  const filters = parseFilters(self)
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const hasOpen = data.items.some(({ status }) => status === 'voting_period')
  const found =
    data.items.length === 0
      ? noneFound(filters, at)
      : entries(data.items, { at, now: data.asOf.time })
  const pages = {
    list: data,
    itemNames: ['proposal', 'proposals'] as const,
    source: self,
    toPath: (url: string) => withQueryFrom('/proposals', url),
  }
  return layout(
    {
      title: 'Proposals',
      description: 'Every governance proposal of the chain, newest first.',
      path: self.slice(at.baseUrl.length).replace(/^\/api/, ''),
      json: self.slice(at.baseUrl.length),
      search: filters.q,
      isIndexed: !isFiltered,
      data: listData(data, at),
      asOf: data.asOf,
      stream: hasOpen ? '/api/stream' : undefined,
      main: html`<h1>Proposals</h1>
${filterForm(filters, at)}
${BAR_PATTERNS}
<section id="found" aria-label="Proposals found" data-live="yes">
<h2 class="hidden">Proposals, newest first</h2>
${found}
${data.page.totalItems > 0 && paging(pages, at)}
</section>`,
    },
    at,
  )
}
