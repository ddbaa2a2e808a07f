// `/proposals`: all proposals, newest first, with a form to filter and to search them.
import type { Static } from 'typebox'
import { toCanonical } from '../resources/address.ts'
import { proposals } from '../resources/proposals.ts'
import { PROPOSAL_STATUSES, type ProposalPage } from '../schemas/proposal.ts'
import { BarPatterns } from '../view/bar.tsx'
import { Details, Filters, Paging, Quotations } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import { Code, Link, OutsideHtml } from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'
import { readQuery, voterPath, withQuery, withQueryFrom } from '../view/paths.ts'
import { quotation } from '../words/headline.ts'
import { statusName } from '../words/status.ts'
import { type Page, parseForm } from './page.ts'
import { ProposalList } from './proposal-list.tsx'

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

function Form({ chosen }: { chosen: Chosen }) {
  const { status, proposer, messageType, q } = chosen
  const named = describeChosen(chosen)
  return (
    <Details id="filters" summary={named === '' ? 'Filter the list' : `Filters: ${named}`}>
      <Filters
        path={PATH}
        label="Filter proposals"
        button="Filter"
        fields={[
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
        ]}
      />
    </Details>
  )
}

const LONGEST_SHOWN = 128
const ALL = <Link to={PATH}>See all proposals</Link>

/** What is wrong with the filter, and what would be right. */
function NoneFound({ chosen: { proposer, ...others } }: { chosen: Chosen }) {
  if (proposer === '') {
    const isFiltered = Object.values(others).some((value) => value !== '')
    return <p>{isFiltered ? <>No proposals match. {ALL}</> : 'No proposals yet.'}</p>
  }
  const address = toCanonical(proposer)
  if (address !== undefined) {
    return (
      <p>
        No proposals of the account <Code>{address}</Code> match.{' '}
        <Link to={voterPath(address)}>See its votes</Link>. {ALL}.
      </p>
    )
  }
  return (
    <>
      <p class="mistake">
        {quotation(proposer, LONGEST_SHOWN)} is not an address of an account. Enter the whole
        address.
      </p>
      <p>
        <Link to={withQuery('/search', { q: proposer })}>Search for it</Link>. {ALL}.
      </p>
    </>
  )
}

function FoundProposals({ data, chosen }: { data: Data; chosen: Chosen }) {
  const { items, page, asOf } = data
  const caption = chosen.q === '' ? 'Newest first.' : 'Best match first.'
  const pages = <Paging list={data} itemNames={['proposal', 'proposals']} path={PATH} />
  return (
    <section id="found" aria-label="Proposals found" data-live="yes">
      <h2 class="hidden">Proposals, newest first</h2>
      <Quotations of="Titles" />
      {items.length === 0 ? (
        <NoneFound chosen={chosen} />
      ) : (
        <ProposalList {...{ items, asOf, caption }} />
      )}
      {page.totalItems > 0 ? pages : <OutsideHtml>{pages}</OutsideHtml>}
    </section>
  )
}

const write = (data: Data, at: PageContext): Document => {
  const { items, links, asOf } = data
  const json = links.self.slice(at.baseUrl.length)
  const chosen = readChosen(json)
  return {
    title: 'Proposals',
    description: 'Every governance proposal of the chain, newest first.',
    path: withQueryFrom(PATH, json),
    json,
    search: chosen.q,
    isIndexed: Object.values(chosen).every((value) => value === ''),
    asOf,
    stream: items.some(({ status }) => status === 'voting_period') ? '/api/stream' : undefined,
    body: (
      <>
        <Form chosen={chosen} />
        <BarPatterns />
        <FoundProposals data={data} chosen={chosen} />
      </>
    ),
  }
}

export const proposalsPage: Page<Data> = {
  name: 'proposals',
  path: PATH,
  parseRequest: parseForm(proposals),
  write,
}
