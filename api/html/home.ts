// The home page: proposals in voting period, and the latest proposals.
import { html } from '../../infra/html/html.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import { BAR_PATTERNS } from './bar.ts'
import { entries } from './entries.ts'
import { layout } from './layout.ts'
import { link, untrustedText } from './parts.ts'
import { homeData } from './structured-data.ts'

const DESCRIPTION =
  'A complete, exact and replayable record of on-chain governance: ' +
  'proposals, the votes on them validator by validator, and the evidence of each tally.'

const NOTHING_OPEN = html`<p>No proposals in voting period.</p>`

const proposalLists = (data: NonNullable<PageData['home']>, at: PageContext) => {
  const { open, asOf } = data
  const ids = new Set(open.items.map(({ proposalId }) => proposalId))
  const others = data.items.filter(({ proposalId }) => !ids.has(proposalId))
  const more = open.page.totalItems - open.items.length
  const context = { at, now: asOf.time }
  const moreOpen = link('/proposals?status=voting_period', `${more} more in voting period`, at)
  return html`${BAR_PATTERNS}
<section id="open-votes" aria-labelledby="open-title" data-live="yes">
<h2 id="open-title">Proposals in voting period <span class="soft">${open.page.totalItems}</span></h2>
${open.items.length === 0 ? NOTHING_OPEN : entries(open.items, context)}
${more > 0 && html`<p>${moreOpen}</p>`}
</section>
<section id="newest" aria-labelledby="newest-title" data-live="yes">
<h2 id="newest-title">Latest proposals</h2>
${others.length === 0 ? html`<p>None.</p>` : entries(others, context)}
<p>${link('/proposals', data.page.totalItems === 1 ? '1 proposal' : `All ${data.page.totalItems} proposals`, at)}</p>
</section>`
}

const LEAD = html`<p class="lead">Every proposal, every vote of every validator (pool) and delegator, \
and the evidence of each tally, to the last unit.</p>`

export const homeHtml = (data: PageData['home'], at: PageContext): string =>
  layout(
    {
      title: 'Rollcall',
      description: DESCRIPTION,
      path: '/',
      json: '/api/proposals',
      data: homeData(DESCRIPTION, at),
      asOf: data?.asOf,
      stream: data ? '/api/stream' : undefined,
      main: html`<h1>Governance of ${data ? untrustedText(data.asOf.chainId) : 'the chain'}</h1>
${LEAD}
${data ? proposalLists(data, at) : html`<p>No data is available at the moment. Try again shortly.</p>`}`,
    },
    at,
  )
