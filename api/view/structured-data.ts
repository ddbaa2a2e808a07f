// Structured data of schema.org (JSON-LD) for search engines. It has only facts that are on the page.

import type { Static } from 'typebox'
import { readEscapes } from '../escaped-text.ts'
import { proposalDescription, proposalHeadline } from '../headline.ts'
import { plainLine } from '../plain-text.ts'
import { outcomeName } from '../proposal-status.ts'
import type { AsOf } from '../schemas/common.ts'
import type { ProposalPage, ProposalSummary } from '../schemas/proposal.ts'
import type { PageContext } from './context.ts'
import { addFormat } from './paths.ts'

const SCHEMA = 'https://schema.org'

/** Absolute if a public URL is configured, otherwise relative to the page. */
const toUrl = (path: string, { baseUrl }: PageContext): string => `${baseUrl}${path}`

const omitEmpty = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))

type DatasetInfo = { name: string; description: string; path: string; api: string }

const DISTRIBUTIONS = [
  ['application/json', 'json'],
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
] as const

/** One list of the API in all its formats. */
const toDataset = ({ name, description, path, api }: DatasetInfo, at: PageContext): object => ({
  '@context': SCHEMA,
  '@type': 'Dataset',
  name,
  description,
  url: toUrl(path, at),
  isAccessibleForFree: true,
  distribution: DISTRIBUTIONS.map(([encodingFormat, format]) => ({
    '@type': 'DataDownload',
    encodingFormat,
    contentUrl: toUrl(format === 'json' ? api : addFormat(api, format), at),
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
    target: `${at.baseUrl}/search?q={search_term_string}`,
    'query-input': 'required name=search_term_string',
  },
})

export const listData = (data: Static<typeof ProposalPage>, at: PageContext): object => ({
  ...toDataset(
    {
      name: `Proposals of ${data.asOf.chainId}`,
      description: 'Every proposal of the chain with its state and tally, newest first.',
      path: '/proposals',
      api: '/api/proposals',
    },
    at,
  ),
  hasPart: data.items.map((proposal) => ({
    '@type': 'CreativeWork',
    identifier: proposal.proposalId,
    name: proposalHeadline(proposal),
    url: toUrl(`/proposals/${proposal.proposalId}`, at),
  })),
})

/** Without an author: the proposer is an address, not a known person. Its text is what the page is about. */
export const proposalData = (proposal: ProposalSummary & { asOf: AsOf }, at: PageContext): object =>
  omitEmpty({
    '@context': SCHEMA,
    '@type': 'Article',
    identifier: proposal.proposalId,
    headline: proposalHeadline(proposal),
    description: proposalDescription(proposal, proposal.asOf),
    about: omitEmpty({
      '@type': 'CreativeWork',
      name: plainLine(proposal.title),
      text: readEscapes(proposal.summary),
    }),
    url: toUrl(`/proposals/${proposal.proposalId}`, at),
    datePublished: proposal.submitTime,
    creativeWorkStatus: outcomeName(proposal),
    isAccessibleForFree: true,
  })

export const poolData = (name: string, operatorAddress: string, at: PageContext): object =>
  toDataset(
    {
      name: `${name}: votes`,
      description: `${name}: how it voted on each proposal, with the voting power of each vote.`,
      path: `/pools/${operatorAddress}`,
      api: `/api/pools/${operatorAddress}/votes`,
    },
    at,
  )
