// A page of proposals as an Atom 1.0 feed (RFC 4287, paged as in RFC 5005). An entry and its `updated` change only with
// the status of the proposal, so an entry has no tally while the vote is open.
import { uuidV5 } from '../../infra/runtime/uuid.ts'
import { element, xmlText } from '../../infra/runtime/xml.ts'
import { DEMO_NOTE } from '../../ingest/contract/demo-chain.ts'
import { readEscapes } from '../escaped-text.ts'
import { textsFromMetadata } from '../in-words.ts'
import { percent } from '../markdown/parts.ts'
import { plainLine } from '../markdown/text.ts'
import type { PageData } from '../resources/page-data.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8'

type FeedContext = {
  /** The prefix of URLs of the API. */
  baseUrl: string
  /** The same with scheme and host, because feed readers need absolute URLs. */
  origin: string
}

/** IDs depend on the chain and the proposal only, so they stay the same if the service moves. */
const NAMESPACE = '5f1c1d7a-6c0e-4f5b-9a67-3d7c7f0f6a52'
const toUrn = (name: string): string => `urn:uuid:${uuidV5(NAMESPACE, name)}`

/** Atom requires a time. This one is clearly not a real time. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z'

/** All times are RFC 3339 in UTC, so their text order is their time order. */
const latest = (times: readonly string[]): string => times.toSorted().at(-1) ?? UNKNOWN_TIME

const textElement = (name: string, text: string): string => element(name, {}, xmlText(text))

const link = (rel: string, type: string, href: string): string =>
  element('link', { rel, type, href })

/** The time of the last known change of the status. */
export const findLastChange = (proposal: ProposalSummary): string => {
  const { status, submitTime, votingStartTime, closedTime } = proposal
  const isOpenOrOver = status !== 'deposit_period' && status !== 'dropped'
  const known = [submitTime, isOpenOrOver ? votingStartTime : null, closedTime]
  return latest(known.filter((time) => time !== null))
}

const toWords = (status: string): string => status.replaceAll('_', ' ')

const describeStatus = (proposal: ProposalSummary): string => {
  const { status, outcomeReason, tally, votingEndTime, depositEndTime } = proposal
  if (status === 'deposit_period') {
    return `Deposit period${depositEndTime === null ? '' : ` until ${depositEndTime}`}.`
  }
  if (status === 'voting_period') {
    return `Voting period${votingEndTime === null ? '' : ` until ${votingEndTime}`}.`
  }
  const turnout = tally?.final ? ` Turnout: ${percent(tally.turnout)}.` : ''
  const reason = outcomeReason === null ? '' : ` (${toWords(outcomeReason)})`
  return `Status: ${toWords(status)}${reason}.${turnout}`
}

/** The description. It says which texts are not those of the proposal itself. */
const describeText = (proposal: ProposalSummary): string => {
  const text = readEscapes(proposal.summary)
  const names = textsFromMetadata(proposal)
  return names === '' ? text : `From the metadata of the proposal: ${names}.\n\n${text}`
}

const renderEntry = (
  proposal: ProposalSummary,
  chainId: string,
  { origin }: FeedContext,
): string => {
  const { proposalId, proposer, status, submitTime, messageTypes } = proposal
  const title = plainLine(proposal.title) || '(no title)'
  const parts = [
    textElement('id', toUrn(`${chainId}/proposals/${proposalId}`)),
    textElement('title', `${proposalId}: ${title}`),
    link('alternate', 'text/html', `${origin}/proposals/${proposalId}`),
    link('alternate', 'application/json', `${origin}/api/proposals/${proposalId}`),
    submitTime === null ? '' : textElement('published', submitTime),
    textElement('updated', findLastChange(proposal)),
    element('author', {}, textElement('name', plainLine(proposer ?? '') || 'not known')),
    element('category', { term: status, label: toWords(status) }),
    ...[...new Set(messageTypes)].map((term) => element('category', { term })),
    textElement('summary', describeStatus(proposal)),
    element('content', { type: 'text' }, xmlText(describeText(proposal))),
  ]
  return element('entry', {}, `\n${parts.filter(Boolean).join('\n')}\n`)
}

const SUBTITLE = 'All governance proposals of this chain, newest first.'

/** The URL of the feed page for a page of the API. */
const feedUrl = (apiUrl: string, { baseUrl, origin }: FeedContext): string =>
  `${origin}${apiUrl.slice(baseUrl.length).replace(/^\/api\/proposals/, '/feed.atom')}`

export const atomFeed = (data: PageData['proposals'], at: FeedContext): string => {
  const { items, links, asOf } = data
  const page = (rel: string, url: string | null) =>
    url === null ? '' : link(rel, 'application/atom+xml', feedUrl(url, at))
  const parts = [
    textElement('id', toUrn(`${asOf.chainId}${links.first.slice(at.baseUrl.length)}`)),
    textElement('title', `Proposals of ${asOf.chainId}`),
    textElement('subtitle', asOf.demo ? `${SUBTITLE} ${DEMO_NOTE}` : SUBTITLE),
    textElement('updated', latest(items.map(findLastChange))),
    link('alternate', 'text/html', `${at.origin}/proposals`),
    page('self', links.self),
    page('first', links.first),
    page('previous', links.prev),
    page('next', links.next),
    page('last', links.last),
    textElement('generator', 'Rollcall'),
    ...items.map((proposal) => renderEntry(proposal, asOf.chainId, at)),
  ]
  const content = `\n${parts.filter(Boolean).join('\n')}\n`
  const feed = element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en' }, content)
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed}\n`
}
