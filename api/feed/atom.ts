// Atom 1.0 feeds (RFC 4287, paged as in RFC 5005), and that of a page of proposals.
// An entry of a proposal and its `updated` change only with its status: it has no tally while the vote is open.
import { hash } from 'node:crypto'
import type { Static } from 'typebox'
import { element, xmlText } from '../../infra/base/runtime/xml.ts'
import { DEMO_NOTE } from '../../ingest/contract/demo-chain.ts'
import type { ProposalPage, ProposalSummary } from '../schemas/proposal.ts'
import { NOT_KNOWN } from '../words/display-unit.ts'
import { BY_PROPOSER, proposalHeadline } from '../words/headline.ts'
import { turnoutText } from '../words/shares.ts'
import { findPeriodEnd, outcomeName, statusName } from '../words/status.ts'
import { plainLine, readEscapes } from '../words/texts.ts'

/** `title and description` if both texts of a proposal are from its metadata; empty if none is. */
const textsFromMetadata = ({
  titleSource,
  summarySource,
}: Pick<ProposalSummary, 'titleSource' | 'summarySource'>): string =>
  [titleSource === 'metadata' && 'title', summarySource === 'metadata' && 'description']
    .filter(Boolean)
    .join(' and ')

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8'

export type FeedContext = {
  /** The prefix of URLs of the API. */
  baseUrl: string
  /** The same with scheme and host, because feed readers need absolute URLs. */
  origin: string
}

/** A UUID of version 8, from a hash of the chain and the proposal only: it stays the same if the service moves. */
export const toUrn = (name: string): string => {
  const digits = hash('sha256', `rollcall ${name}`)
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(12, 15)}`]
  return `urn:uuid:${[...groups, `8${digits.slice(15, 18)}`, digits.slice(18, 30)].join('-')}`
}

/** Atom requires a time. This one is clearly not a real time. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z'

/** All times are RFC 3339 in UTC, so their text order is their time order. */
const latest = (times: readonly string[]): string => times.toSorted().at(-1) ?? UNKNOWN_TIME

const textElement = (name: string, text: string): string => element(name, {}, xmlText(text))

export const linkElement = (rel: string, type: string, href: string): string =>
  element('link', { rel, type, href })

/** The time of the last known change of the status. */
export const findLastChange = (proposal: ProposalSummary): string => {
  const { status, submitTime, votingStartTime, closedTime } = proposal
  const isOpenOrOver = status !== 'deposit_period' && status !== 'dropped'
  const known = [submitTime, isOpenOrOver ? votingStartTime : null, closedTime]
  return latest(known.filter((time) => time !== null))
}

const summarize = (proposal: ProposalSummary): string => {
  const { tally } = proposal
  const end = findPeriodEnd(proposal)
  const until = end === null ? '' : ` until ${end}`
  const turnout = tally?.final ? ` Turnout: ${turnoutText(tally) ?? NOT_KNOWN}.` : ''
  return `${outcomeName(proposal)}${until}.${turnout}`
}

/** The description as that of the proposer. It says which texts are not those of the proposal itself. */
const writeDescription = (proposal: ProposalSummary): string => {
  const names = textsFromMetadata(proposal)
  const source = names === '' ? '' : ` From the metadata of the proposal: ${names}.`
  return `${BY_PROPOSER}.${source}\n\n${readEscapes(proposal.summary)}`
}

export type Entry = {
  id: string
  title: string
  links: readonly string[]
  published?: string | null
  updated: string
  author: string
  categories?: readonly string[]
  summary: string
  content?: string
}

const renderEntry = (entry: Entry): string => {
  const { id, title, links, published = null, updated, author, categories = [], content } = entry
  const parts = [
    textElement('id', id),
    textElement('title', title),
    ...links,
    published === null ? '' : textElement('published', published),
    textElement('updated', updated),
    element('author', {}, textElement('name', author)),
    ...categories,
    textElement('summary', entry.summary),
    content && element('content', { type: 'text' }, xmlText(content)),
  ]
  return element('entry', {}, `\n${parts.filter(Boolean).join('\n')}\n`)
}

const toEntry = (proposal: ProposalSummary, chainId: string, { origin }: FeedContext): Entry => {
  const { proposalId, proposer, status, submitTime, messageTypes } = proposal
  return {
    id: toUrn(`${chainId}/proposals/${proposalId}`),
    title: proposalHeadline(proposal),
    links: [
      linkElement('alternate', 'text/html', `${origin}/proposals/${proposalId}`),
      linkElement('alternate', 'application/json', `${origin}/api/proposals/${proposalId}`),
    ],
    published: submitTime,
    updated: findLastChange(proposal),
    author: plainLine(proposer ?? '') || NOT_KNOWN,
    categories: [
      element('category', { term: status, label: statusName(status) }),
      ...[...new Set(messageTypes)].map((term) => element('category', { term })),
    ],
    summary: summarize(proposal),
    content: writeDescription(proposal),
  }
}

type Feed = {
  /** The part of the ID after the chain. It does not depend on the URL of the service. */
  idName: string
  title: string
  subtitle: string
  /** The path of the HTML page. */
  page: string
  /** Converts the path of a page of the API to that of the feed. */
  toFeedPath: (path: string) => string
  /** The times of the entries. */
  times: readonly string[]
  entries: readonly Entry[]
}

type ListData = Static<typeof ProposalPage>
type Links = Pick<ListData['links'], 'self' | 'prev' | 'next'>
type Paged = Pick<ListData, 'asOf'> & {
  links: Links & { first: string | null; last: string | null }
}

export const feedDocument = (
  { idName, title, subtitle, page: htmlPage, toFeedPath, times, entries }: Feed,
  { links, asOf }: Paged,
  at: FeedContext,
): string => {
  const { baseUrl, origin } = at
  const page = (rel: string, url: string | null) =>
    url === null
      ? ''
      : linkElement(
          rel,
          'application/atom+xml',
          `${origin}${toFeedPath(url.slice(baseUrl.length))}`,
        )
  const parts = [
    textElement('id', toUrn(`${asOf.chainId}${idName}`)),
    textElement('title', title),
    textElement('subtitle', asOf.demo ? `${subtitle} ${DEMO_NOTE}` : subtitle),
    textElement('updated', latest(times)),
    linkElement('alternate', 'text/html', `${origin}${htmlPage}`),
    page('self', links.self),
    page('first', links.first),
    page('previous', links.prev),
    page('next', links.next),
    page('last', links.last),
    textElement('generator', 'Rollcall'),
    ...entries.map((entry) => renderEntry(entry)),
  ]
  const content = `\n${parts.filter(Boolean).join('\n')}\n`
  const feed = element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en' }, content)
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed}\n`
}

export const atomFeed = (data: ListData, at: FeedContext): string => {
  const { items, links, asOf } = data
  return feedDocument(
    {
      idName: links.first.slice(at.baseUrl.length),
      title: `Proposals of ${asOf.chainId}`,
      subtitle: 'All governance proposals of this chain, newest first.',
      page: '/proposals',
      toFeedPath: (path) => path.replace(/^\/api\/proposals/, '/feed.atom'),
      times: items.map(findLastChange),
      entries: items.map((proposal) => toEntry(proposal, asOf.chainId, at)),
    },
    data,
    at,
  )
}
