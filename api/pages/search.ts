// `/search`: what the search box found: validators by name, and proposals with the best match first.
import { html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { untrustedText } from '../document/html/inline.ts'
import { command, drawn, link, pool, quoted } from '../document/line.ts'
import { withQuery } from '../document/paths.ts'
import {
  type Block,
  type Document,
  list,
  outsideHtml,
  paging,
  paragraph,
  picture,
  quotations,
  section,
} from '../document/tree.ts'
import { BAR_PATTERNS } from '../html/bar.ts'
import { pluralize } from '../in-words.ts'
import type { Found } from '../resources/search.ts'
import { proposalList } from './proposal-list.ts'

const validators = ({ pools, poolCount, text }: Found): Block => {
  const all = link(withQuery('/pools', { q: text }), `All ${poolCount} validators that match`)
  return section(
    { id: 'validators', title: 'Validators' },
    list(pools.map(pool)),
    poolCount > pools.length && paragraph(all),
  )
}

const foundProposals = ({ proposals, text }: Found, at: PageContext): Block => {
  const { items, page } = proposals
  const path = withQuery('/proposals', { q: text })
  return section(
    { id: 'found', title: 'Proposals' },
    picture(BAR_PATTERNS),
    paragraph(
      'The best match first: words in the title count more than words in the text.',
      'soft',
    ),
    proposalList(proposals, '', at),
    page.totalItems > items.length &&
      paragraph(link(path, `All ${page.totalItems} proposals that match`)),
  )
}

const HELP = list([
  ['The number of a proposal: ', command('20'), ' or ', command('#20')],
  ['An address of a voter or a validator, also in hex: ', command('0x…')],
  'The name of a validator, or a part of it',
  'Words that are all in the title or the text of a proposal; a phrase in quotation marks',
])

const summary = ({ text, poolCount, proposals: { page } }: Found): readonly Block[] => {
  const shown = drawn(html`<q>${untrustedText(text)}</q>`, ['“', quoted(text), '”'])
  if (poolCount + page.totalItems === 0) {
    return [paragraph(['Nothing matches ', shown, '. You can search for:']), HELP]
  }
  const counts = `${pluralize(page.totalItems, 'proposal')} and ${pluralize(poolCount, 'validator')}`
  return [paragraph([counts, ' for ', shown, '.'])]
}

/** Without a path of its own, so that search engines do not index texts of visitors. */
export const writeSearch = (found: Found, at: PageContext): Document => {
  const { text, poolCount, proposals } = found
  return {
    title: 'Search results',
    description: 'Proposals and validators of the chain that match a search.',
    path: '',
    json: proposals.links.self.slice(at.baseUrl.length),
    search: text,
    asOf: proposals.asOf,
    blocks: [
      ...summary(found),
      quotations('Names and titles'),
      poolCount > 0 && validators(found),
      proposals.page.totalItems > 0 && foundProposals(found, at),
      outsideHtml(
        paging({
          list: proposals,
          itemNames: ['proposal', 'proposals'],
          path: '/proposals',
        }),
      ),
    ],
  }
}
