// `/`: the proposals in voting period, the latest proposals, and what is here for developers.
import { html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { command, drawn, link, quoted } from '../document/line.ts'
import {
  type Block,
  type Document,
  list,
  listing,
  outsideHtml,
  paragraph,
  picture,
  quotations,
  section,
} from '../document/tree.ts'
import { firstCommand, NO_TOKEN, PROGRAM_LINKS } from '../for-programs.ts'
import { BAR_PATTERNS } from '../html/bar.ts'
import { homeData } from '../html/structured-data.ts'
import { PURPOSE } from '../in-words.ts'
import { type HomeData, homeQuery } from '../resources/proposals.ts'
import type { Page } from './page.ts'
import { proposalList } from './proposal-list.ts'

const NEWEST_FIRST = 'Newest proposal first.'

const openVotes = ({ open }: HomeData, at: PageContext): Block => {
  const { items, page } = open
  const more = page.totalItems - items.length
  const count = drawn(html`<span class="soft">${page.totalItems}</span>`, `(${page.totalItems})`)
  const title = ['Proposals in voting period ', count]
  return section(
    { id: 'open-votes', title, isLive: true },
    items.length === 0
      ? paragraph('No proposals in voting period.')
      : proposalList(open, NEWEST_FIRST, at),
    more > 0 && paragraph(link('/proposals?status=voting_period', `${more} more in voting period`)),
  )
}

const latest = ({ items, open, page, asOf }: HomeData, at: PageContext): Block => {
  const ids = new Set(open.items.map(({ proposalId }) => proposalId))
  const others = items.filter(({ proposalId }) => !ids.has(proposalId))
  const all = page.totalItems === 1 ? '1 proposal' : `All ${page.totalItems} proposals`
  return section(
    { id: 'newest', title: 'Latest proposals', isLive: true },
    others.length === 0
      ? paragraph('None.')
      : proposalList({ items: others, asOf }, NEWEST_FIRST, at),
    paragraph(link('/proposals', all)),
  )
}

const ABOUT = outsideHtml(
  paragraph(
    'The same is an open API, in which a validator is a pool. ' +
      'Rollcall never votes and never moves funds.',
  ),
)

const MARKDOWN_PATHS = [
  '/proposals',
  '/proposals/{proposalId}',
  '/proposals/{proposalId}/ballots',
  '/pools',
  '/pools/{operatorAddress}',
  '/voters/{address}',
  '/status',
]

const MARKDOWN_PAGES = outsideHtml(
  paragraph([
    'Every page is available with ',
    command('Accept: text/markdown'),
    ': ',
    MARKDOWN_PATHS.map((path, n) => [n > 0 && ', ', command(path)]),
    '.',
  ]),
)

const forDevelopers = ({ serviceUrl, baseUrl }: PageContext): Block =>
  section(
    { id: 'programs', title: 'For developers' },
    paragraph(`${NO_TOKEN} The newest proposals as JSON:`),
    listing(firstCommand(serviceUrl ?? baseUrl)),
    list(PROGRAM_LINKS.map(({ path, label, text }) => [link(path, label), `: ${text}`])),
    MARKDOWN_PAGES,
  )

const NO_DATA = [paragraph('No data is available at the moment. Try again shortly.')]

/** Null while no data is available. */
export const writeHome = (data: HomeData | null, at: PageContext): Document => ({
  title: 'Rollcall',
  heading: ['Governance of ', data ? quoted(data.asOf.chainId) : 'the chain'],
  description: PURPOSE,
  path: '/',
  json: '/api/proposals',
  data: homeData(PURPOSE, at),
  asOf: data?.asOf,
  stream: data ? '/api/stream' : undefined,
  blocks: [
    paragraph(PURPOSE, 'lead'),
    ABOUT,
    ...(data
      ? [quotations('Titles'), picture(BAR_PATTERNS), openVotes(data, at), latest(data, at)]
      : NO_DATA),
    forDevelopers(at),
  ],
})

export const homePage: Page<HomeData> = {
  name: 'home',
  path: '/',
  parseRequest: () => ({ query: homeQuery, params: {} }),
  write: writeHome,
}
