// The home page: proposals in voting period, and the latest proposals.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { section } from '../document/html/elements.ts'
import { link, untrustedText } from '../document/html/inline.ts'
import { firstCommand, NO_TOKEN, PROGRAM_LINKS } from '../for-programs.ts'
import { PURPOSE } from '../in-words.ts'
import type { PageData } from '../resources/page-data.ts'
import { BAR_PATTERNS } from './bar.ts'
import { entries } from './entries.ts'
import { layout } from './layout.ts'
import { homeData } from './structured-data.ts'

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

const LEAD = html`<p class="lead">${PURPOSE}</p>`

const forPrograms = (at: PageContext): Html => {
  const items = PROGRAM_LINKS.map(
    ({ path, label, text }) => html`<li>${link(path, label, at)}: ${text}</li>`,
  )
  const content = html`<p>${NO_TOKEN} The newest proposals as JSON:</p>
<pre><code>${firstCommand(at.serviceUrl ?? at.baseUrl)}</code></pre>
<ul>${items}</ul>`
  return section({ id: 'programs', title: 'For developers' }, content)
}

export const homeHtml = (data: PageData['home'], at: PageContext): string =>
  layout(
    {
      title: 'Rollcall',
      description: PURPOSE,
      path: '/',
      json: '/api/proposals',
      data: homeData(PURPOSE, at),
      asOf: data?.asOf,
      stream: data ? '/api/stream' : undefined,
      main: html`<h1>Governance of ${data ? untrustedText(data.asOf.chainId) : 'the chain'}</h1>
${LEAD}
${data ? proposalLists(data, at) : html`<p>No data is available at the moment. Try again shortly.</p>`}
${forPrograms(at)}`,
    },
    at,
  )
