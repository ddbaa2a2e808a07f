// `/proposals`: all proposals, newest first, with a form to filter and to search them.
import type { Static } from 'typebox'
import { html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { code, link } from '../document/line.ts'
import { readQuery, voterPath, withQuery, withQueryFrom } from '../document/paths.ts'
import {
  type Block,
  type Document,
  filters,
  folded,
  outsideHtml,
  paging,
  paragraph,
  part,
  picture,
  quotations,
} from '../document/tree.ts'
import { quotation } from '../headline.ts'
import { BAR_PATTERNS } from '../html/bar.ts'
import { listData } from '../html/structured-data.ts'
import { statusName } from '../proposal-status.ts'
import { toCanonical } from '../resources/address.ts'
import { proposals } from '../resources/proposals.ts'
import { PROPOSAL_STATUSES, type ProposalPage } from '../schemas/proposal.ts'
import { type Page, parseForm } from './page.ts'
import { proposalList } from './proposal-list.ts'

type Data = Static<typeof ProposalPage>
type Chosen = { status: string; proposer: string; messageType: string; q: string }

const PATH = '/proposals'

const readChosen = (url: string): Chosen => ({
  status: readQuery(url, 'status'),
  proposer: readQuery(url, 'proposer'),
  messageType: readQuery(url, 'messageType'),
  q: readQuery(url, 'q'),
})

const nameStatuses = (status: string): string =>
  status.split(',').filter(Boolean).map(statusName).join(' or ')

/** The filters in force, in words. */
const describeChosen = ({ status, proposer, messageType, q }: Chosen): string =>
  [
    nameStatuses(status),
    q && `“${q}”`,
    proposer && `proposer ${proposer}`,
    messageType && `type ${messageType}`,
  ]
    .filter(Boolean)
    .join(', ')

const listStatuses = (status: string) => {
  const several = status.includes(',') ? [status] : []
  const all = [...PROPOSAL_STATUSES, ...several].map((each) => [each, nameStatuses(each)] as const)
  return [['', 'Any'], ...all] as const
}

const form = (chosen: Chosen): Block => {
  const { status, proposer, messageType, q } = chosen
  const named = describeChosen(chosen)
  return folded(
    'filters',
    named === '' ? 'Filter the list' : `Filters: ${named}`,
    filters({
      path: PATH,
      label: 'Filter proposals',
      button: 'Filter',
      fields: [
        { name: 'status', label: 'Status', value: status, options: listStatuses(status) },
        {
          name: 'q',
          label: 'Title or description',
          value: q,
          input: { type: 'search', maxlength: '200', autocomplete: 'off' },
        },
        {
          name: 'proposer',
          label: 'Proposer address',
          value: proposer,
          input: {
            maxlength: '128',
            pattern: '[a-z0-9]*',
            title: 'lower-case letters and digits',
            autocomplete: 'off',
            spellcheck: 'false',
          },
        },
        {
          name: 'messageType',
          label: 'What it does (type of message)',
          value: messageType,
          input: {
            maxlength: '200',
            placeholder: 'cosmos.gov.v1',
            autocomplete: 'off',
            spellcheck: 'false',
          },
        },
      ],
    }),
  )
}

const LONGEST_SHOWN = 128
const ALL = link(PATH, 'See all proposals')

/** What is wrong with the filter, and what would be right. */
const noneFound = ({ proposer, ...others }: Chosen): readonly Block[] => {
  if (proposer === '') {
    const isFiltered = Object.values(others).some((value) => value !== '')
    return [paragraph(isFiltered ? ['No proposals match. ', ALL] : 'No proposals yet.')]
  }
  const address = toCanonical(proposer)
  if (address !== undefined) {
    const votes = link(voterPath(address), 'See its votes')
    return [
      paragraph(['No proposals of the account ', code(address), ' match. ', votes, '. ', ALL, '.']),
    ]
  }
  const search = link(withQuery('/search', { q: proposer }), 'Search for it')
  const shown = quotation(proposer, LONGEST_SHOWN)
  return [
    paragraph(`${shown} is not an address of an account. Enter the whole address.`, 'mistake'),
    paragraph([search, '. ', ALL, '.']),
  ]
}

const HEADING = picture(html`<h2 class="hidden">Proposals, newest first</h2>`)

const write = (data: Data, at: PageContext): Document => {
  const { items, page, links, asOf } = data
  const json = links.self.slice(at.baseUrl.length)
  const chosen = readChosen(json)
  const pages = paging({
    list: data,
    itemNames: ['proposal', 'proposals'],
    path: PATH,
  })
  return {
    title: 'Proposals',
    description: 'Every governance proposal of the chain, newest first.',
    path: withQueryFrom(PATH, json),
    json,
    search: chosen.q,
    isIndexed: Object.values(chosen).every((value) => value === ''),
    data: listData(data, at),
    asOf,
    stream: items.some(({ status }) => status === 'voting_period') ? '/api/stream' : undefined,
    blocks: [
      form(chosen),
      picture(BAR_PATTERNS),
      part(
        { id: 'found', label: 'Proposals found' },
        HEADING,
        quotations('Titles'),
        ...(items.length === 0
          ? noneFound(chosen)
          : [proposalList(data, chosen.q === '' ? 'Newest first.' : 'Best match first.', at)]),
        page.totalItems > 0 ? pages : outsideHtml(pages),
      ),
    ],
  }
}

export const proposalsPage: Page<Data> = {
  name: 'proposals',
  path: PATH,
  parseRequest: parseForm(proposals),
  write,
}
