// `/`: the proposals in voting period, the latest proposals, and what is here for developers.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import { type HomeData, homeQuery } from '../resources/proposals.ts'
import { BarPatterns } from '../view/bar.tsx'
import { Listing, Quotations, Section } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import { Drawn, Link, OutsideHtml, Quoted, Soft } from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'
import { homeData } from '../view/structured-data.ts'
import type { Page } from './page.ts'
import { ProposalList } from './proposal-list.tsx'

type ProgramLink = { path: string; label: string; text: string }

const PROGRAM_LINKS: readonly ProgramLink[] = [
  {
    path: API_PATHS.openapi,
    label: 'OpenAPI description',
    text: 'every operation of the read API',
  },
  {
    path: API_PATHS.docs,
    label: 'API reference',
    text: 'the same as a page that tries each operation',
  },
  {
    path: API_PATHS.data,
    label: 'Parquet files',
    text: 'all data, for DuckDB, pandas or ClickHouse',
  },
  { path: PATHS.mcp, label: 'MCP server', text: 'the same data as tools, over streamable HTTP' },
  { path: API_PATHS.llms, label: 'llms.txt', text: 'an overview for language models' },
  { path: PATHS.authMd, label: 'auth.md', text: 'how an agent gets a token (optional)' },
  { path: API_PATHS.stream, label: 'Stream', text: 'changes as server-sent events' },
]

const NO_TOKEN = 'No token is required.'

/** `url` is the URL of the service. */
const firstCommand = (url: string): string => `curl -fsS '${url}${API_PATHS.proposals}'`

/** What the site is for. */
const PURPOSE = 'See every proposal of this chain, who voted how, and check the count yourself.'

const NEWEST_FIRST = 'Newest proposal first.'

function OpenVotes({ of: { items, page, asOf } }: { of: HomeData['open'] }) {
  const more = page.totalItems - items.length
  const title = (
    <>
      Proposals in voting period{' '}
      <Drawn text={`(${page.totalItems})`}>
        <Soft>{page.totalItems}</Soft>
      </Drawn>
    </>
  )
  return (
    <Section id="open-votes" title={title} isLive>
      {items.length === 0 ? (
        <p>No proposals in voting period.</p>
      ) : (
        <ProposalList {...{ items, asOf }} caption={NEWEST_FIRST} />
      )}
      {more > 0 && (
        <p>
          <Link to="/proposals?status=voting_period">{more} more in voting period</Link>
        </p>
      )}
    </Section>
  )
}

function Latest({ of: { items, open, page, asOf } }: { of: HomeData }) {
  const ids = new Set(open.items.map(({ proposalId }) => proposalId))
  const others = items.filter(({ proposalId }) => !ids.has(proposalId))
  return (
    <Section id="newest" title="Latest proposals" isLive>
      {others.length === 0 ? (
        <p>None.</p>
      ) : (
        <ProposalList items={others} asOf={asOf} caption={NEWEST_FIRST} />
      )}
      <p>
        <Link to="/proposals">
          {page.totalItems === 1 ? '1 proposal' : `All ${page.totalItems} proposals`}
        </Link>
      </p>
    </Section>
  )
}

const MARKDOWN_PATHS = [
  '/proposals',
  '/proposals/{proposalId}',
  '/proposals/{proposalId}/ballots',
  '/pools',
  '/pools/{operatorAddress}',
  '/voters/{address}',
  '/status',
]

function ForDevelopers({ url }: { url: string }) {
  return (
    <Section id="programs" title="For developers">
      <p>{NO_TOKEN} The newest proposals as JSON:</p>
      <Listing>{firstCommand(url)}</Listing>
      <ul>
        {PROGRAM_LINKS.map(({ path, label, text }) => (
          <li>
            <Link to={path}>{label}</Link>: {text}
          </li>
        ))}
      </ul>
      <OutsideHtml>
        <p>
          Every page is available with <code>Accept: text/markdown</code>:{' '}
          {MARKDOWN_PATHS.map((path, n) => [n > 0 && ', ', <code>{path}</code>])}.
        </p>
      </OutsideHtml>
    </Section>
  )
}

function Proposals({ of }: { of: HomeData | null }) {
  if (of === null) return <p>No data is available at the moment. Try again shortly.</p>
  return (
    <>
      <Quotations of="Titles" />
      <BarPatterns />
      <OpenVotes of={of.open} />
      <Latest of={of} />
    </>
  )
}

/** Null while no data is available. */
export function writeHome(data: HomeData | null, at: PageContext): Document {
  return {
    title: 'Rollcall',
    heading: <>Governance of {data ? <Quoted text={data.asOf.chainId} /> : 'the chain'}</>,
    description: PURPOSE,
    path: '/',
    json: '/api/proposals',
    data: homeData(PURPOSE, at),
    asOf: data?.asOf,
    stream: data ? '/api/stream' : undefined,
    body: (
      <>
        <p class="lead">{PURPOSE}</p>
        <OutsideHtml>
          <p>
            The same is an open API, in which a validator is a pool. Rollcall never votes and never
            moves funds.
          </p>
        </OutsideHtml>
        <Proposals of={data} />
        <ForDevelopers url={at.serviceUrl ?? at.baseUrl} />
      </>
    ),
  }
}

export const homePage: Page<HomeData> = {
  name: 'home',
  path: '/',
  parseRequest: () => ({ query: homeQuery, params: {} }),
  write: writeHome,
}
