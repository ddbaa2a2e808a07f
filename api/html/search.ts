// The results of the search box: validators by name, and proposals with the best match first.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { section } from '../document/html/elements.ts'
import { link, poolLink, untrustedText } from '../document/html/inline.ts'
import { pluralize } from '../in-words.ts'
import type { PageData } from '../resources/page-data.ts'
import { BAR_PATTERNS } from './bar.ts'
import { entries } from './entries.ts'
import { layout } from './layout.ts'

type Found = PageData['search']

const listPath = (path: string, q: string): string => `${path}?${new URLSearchParams({ q })}`

const poolSection = ({ pools, poolCount, text }: Found, at: PageContext): Html | null => {
  if (poolCount === 0) return null
  const all = link(listPath('/pools', text), `All ${poolCount} validators that match`, at)
  return section(
    { id: 'validators', title: 'Validators' },
    html`
<ul>${pools.map((pool) => html`<li>${poolLink(pool, at)}</li>`)}</ul>
${poolCount > pools.length && html`<p>${all}</p>`}`,
  )
}

const proposalSection = ({ proposals, text }: Found, at: PageContext): Html | null => {
  const { items, page, asOf } = proposals
  if (page.totalItems === 0) return null
  const all = link(listPath('/proposals', text), `All ${page.totalItems} proposals that match`, at)
  return section(
    { id: 'found', title: 'Proposals' },
    html`
${BAR_PATTERNS}
<p class="soft">The best match first: words in the title count more than words in the text.</p>
${entries(items, { at, now: asOf.time })}
${page.totalItems > items.length && html`<p>${all}</p>`}`,
  )
}

const HELP = html`<ul>
<li>The number of a proposal: <code>20</code> or <code>#20</code></li>
<li>An address of a voter or a validator, also in hex: <code>0x…</code></li>
<li>The name of a validator, or a part of it</li>
<li>Words that are all in the title or the text of a proposal; a phrase in quotation marks</li>
</ul>`

const summary = ({ text, poolCount, proposals: { page } }: Found): Html => {
  const quoted = html`<q>${untrustedText(text)}</q>`
  if (poolCount + page.totalItems === 0) {
    return html`<p>Nothing matches ${quoted}. You can search for:</p>${HELP}`
  }
  return html`<p>${pluralize(page.totalItems, 'proposal')} and \
${pluralize(poolCount, 'validator')} for ${quoted}.</p>`
}

/** Without a path of its own, so that search engines do not index texts of visitors. */
export const searchHtml = (found: Found, at: PageContext): string => {
  const { text, proposals } = found
  return layout(
    {
      title: 'Search results',
      description: 'Proposals and validators of the chain that match a search.',
      path: '',
      json: proposals.links.self.slice(at.baseUrl.length),
      search: text,
      asOf: proposals.asOf,
      main: html`<h1>Search results</h1>
${summary(found)}
${poolSection(found, at)}
${proposalSection(found, at)}`,
    },
    at,
  )
}
