// The front page: what is voted on now, and what is newest.
import { html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../people-page.ts'
import { layout } from './layout.ts'
import { proposalLink, statusTag } from './parts.ts'

const DESCRIPTION =
  'A complete, exact and replayable record of on-chain governance: proposals, the votes on them pool by pool, and how each tally came about.'

export const homeHtml = (data: PageData['home'], at: PageAt): string =>
  layout(
    {
      title: 'Rollcall',
      description: DESCRIPTION,
      path: '/',
      json: '/api/proposals',
      asOf: data?.asOf,
      main: html`<h1>Proposals and the votes on them</h1>
<p>${DESCRIPTION}</p>
${data ? html`<ul>${data.items.map((item) => html`<li>${statusTag(item.status)} ${proposalLink(item, at)}</li>`)}</ul>` : html`<p>Nothing can be read at the moment.</p>`}`,
    },
    at,
  )
