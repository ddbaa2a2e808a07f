// `/search`: what the search box found: validators by name, and proposals with the best match first.
import type { Found } from '../resources/search.ts'
import { BarPatterns } from '../view/bar.tsx'
import { Paging, Quotations, Section } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import { Link, OutsideHtml, PoolLink, Quoted } from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'
import { withQuery } from '../view/paths.ts'
import { pluralize } from '../words/in-words.ts'
import { ProposalList } from './proposal-list.tsx'

type Of = { of: Found }

function Validators({ of: { pools, poolCount, text } }: Of) {
  return (
    <Section id="validators" title="Validators">
      <ul>
        {pools.map((pool) => (
          <li>
            <PoolLink of={pool} />
          </li>
        ))}
      </ul>
      {poolCount > pools.length && (
        <p>
          <Link to={withQuery('/pools', { q: text })}>All {poolCount} validators that match</Link>
        </p>
      )}
    </Section>
  )
}

function Proposals({ of: { proposals, text } }: Of) {
  const { items, page, asOf } = proposals
  return (
    <Section id="found" title="Proposals">
      <BarPatterns />
      <p class="soft">
        The best match first: words in the title count more than words in the text.
      </p>
      <ProposalList {...{ items, asOf }} caption="" />
      {page.totalItems > items.length && (
        <p>
          <Link to={withQuery('/proposals', { q: text })}>
            All {page.totalItems} proposals that match
          </Link>
        </p>
      )}
    </Section>
  )
}

function Help() {
  return (
    <ul>
      <li>
        The number of a proposal: <code>20</code> or <code>#20</code>
      </li>
      <li>
        An address of a voter or a validator, also in hex: <code>0x…</code>
      </li>
      <li>The name of a validator, or a part of it</li>
      <li>
        Words that are all in the title or the text of a proposal; a phrase in quotation marks
      </li>
    </ul>
  )
}

function Summary({ of: { text, poolCount, proposals } }: Of) {
  const { totalItems } = proposals.page
  const shown = (
    <q>
      <Quoted text={text} />
    </q>
  )
  if (poolCount + totalItems === 0) {
    return (
      <>
        <p>Nothing matches {shown}. You can search for:</p>
        <Help />
      </>
    )
  }
  return (
    <p>
      {pluralize(totalItems, 'proposal')} and {pluralize(poolCount, 'validator')} for {shown}.
    </p>
  )
}

/** Without a path of its own, so that search engines do not index texts of visitors. */
export function writeSearch(found: Found, at: PageContext): Document {
  const { text, poolCount, proposals } = found
  return {
    title: 'Search results',
    description: 'Proposals and validators of the chain that match a search.',
    path: '',
    json: proposals.links.self.slice(at.baseUrl.length),
    search: text,
    asOf: proposals.asOf,
    body: (
      <>
        <Summary of={found} />
        <Quotations of="Names and titles" />
        {poolCount > 0 && <Validators of={found} />}
        {proposals.page.totalItems > 0 && <Proposals of={found} />}
        <OutsideHtml>
          <Paging list={proposals} itemNames={['proposal', 'proposals']} path="/proposals" />
        </OutsideHtml>
      </>
    ),
  }
}
