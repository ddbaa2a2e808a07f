// Structured data of schema.org (JSON-LD) for search engines. It has only facts that are on the page.
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import { proposalDescription, proposalHeadline } from '../words/headline.ts'
import { outcomeName } from '../words/status.ts'
import { plainLine, readEscapes } from '../words/texts.ts'
import type { PageContext } from './paths.ts'

const SCHEMA = 'https://schema.org'

/** Absolute if a public URL is configured, otherwise relative to the page. */
const toUrl = (path: string, { baseUrl }: PageContext): string => `${baseUrl}${path}`

const omitEmpty = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))

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
