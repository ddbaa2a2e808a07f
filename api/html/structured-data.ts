// Structured data of schema.org (JSON-LD) for search engines. It has only facts that are on the page.
import { readEscapes } from '../escaped-text.ts'
import { plainLine } from '../markdown/text.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'

const SCHEMA = 'https://schema.org'

/** Absolute if a public URL is configured, otherwise relative to the page. */
const toUrl = (path: string, { baseUrl }: PageContext): string => `${baseUrl}${path}`

const omitEmpty = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))

type DatasetInfo = { name: string; description: string; path: string; api: string }

/** One list of the API in all its formats. */
const toDataset = ({ name, description, path, api }: DatasetInfo, at: PageContext): object => ({
  '@context': SCHEMA,
  '@type': 'Dataset',
  name,
  description,
  url: toUrl(path, at),
  isAccessibleForFree: true,
  distribution: ['application/json', 'text/csv', 'application/x-ndjson'].map((encodingFormat) => ({
    '@type': 'DataDownload',
    encodingFormat,
    contentUrl: toUrl(api, at),
  })),
})

export const homeData = (description: string, at: PageContext): object => ({
  '@context': SCHEMA,
  '@type': 'WebSite',
  name: 'Rollcall',
  description,
  url: toUrl('/', at),
  potentialAction: {
    '@type': 'SearchAction',
    target: `${at.baseUrl}/proposals?q={search_term_string}`,
    'query-input': 'required name=search_term_string',
  },
})

export const listData = (data: PageData['proposals'], at: PageContext): object => ({
  ...toDataset(
    {
      name: `Proposals of ${data.asOf.chainId}`,
      description: 'Every proposal of the chain with its state and tally, newest first.',
      path: '/proposals',
      api: '/api/proposals',
    },
    at,
  ),
  hasPart: data.items.map(({ proposalId, title }) =>
    omitEmpty({
      '@type': 'CreativeWork',
      identifier: proposalId,
      name: plainLine(title),
      url: toUrl(`/proposals/${proposalId}`, at),
    }),
  ),
})

/** Without an author: the proposer is an address, not a known person or organization. */
export const proposalData = (proposal: ProposalSummary, at: PageContext): object =>
  omitEmpty({
    '@context': SCHEMA,
    '@type': 'Article',
    identifier: proposal.proposalId,
    headline: plainLine(proposal.title),
    articleBody: readEscapes(proposal.summary),
    url: toUrl(`/proposals/${proposal.proposalId}`, at),
    datePublished: proposal.submitTime,
    creativeWorkStatus: proposal.status.replaceAll('_', ' '),
    isAccessibleForFree: true,
  })

export const poolData = (name: string, operatorAddress: string, at: PageContext): object =>
  toDataset(
    {
      name: `Votes of the validator ${name}`,
      description: `How the validator ${name} voted on each proposal, with the voting power of each vote.`,
      path: `/pools/${operatorAddress}`,
      api: `/api/pools/${operatorAddress}/votes`,
    },
    at,
  )
