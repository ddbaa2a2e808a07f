// A page of proposals as an Atom 1.0 feed (RFC 4287, paged as in RFC 5005). Pure. Of an open vote it says only
// that it is open: an entry changes when the state of its proposal changes, and `updated` with it.
import { uuidV5 } from '../../infra/runtime/uuid.ts'
import { element, xmlText } from '../../infra/runtime/xml.ts'
import { percent } from '../markdown/parts.ts'
import { plainLine } from '../markdown/text.ts'
import type { PageData } from '../resources/page-data.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8'

type FeedContext = {
  /** What addresses of the API start with. */
  baseUrl: string
  /** The same, with scheme and host: a feed is read far from where it came from. */
  origin: string
}

/** Of the ids made here: they follow from chain and proposal alone, and stay when the service moves. */
const NAMESPACE = '5f1c1d7a-6c0e-4f5b-9a67-3d7c7f0f6a52'
const toUrn = (name: string): string => `urn:uuid:${uuidV5(NAMESPACE, name)}`

/** Atom wants a time where none is known; nobody takes this one for a fact. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z'

/** RFC 3339 in UTC throughout: their order as texts is that of the times. */
const latest = (times: readonly string[]): string => times.toSorted().at(-1) ?? UNKNOWN_TIME

const textElement = (name: string, text: string): string => element(name, {}, xmlText(text))

const link = (rel: string, type: string, href: string): string =>
  element('link', { rel, type, href })

/** When its state changed last, as far as is known. */
export const findLastChange = (proposal: ProposalSummary): string => {
  const { status, submitTime, votingStartTime, closedTime } = proposal
  const isOpenOrOver = status !== 'deposit_period' && status !== 'dropped'
  const known = [submitTime, isOpenOrOver ? votingStartTime : null, closedTime]
  return latest(known.filter((time) => time !== null))
}

const toWords = (status: string): string => status.replaceAll('_', ' ')

const describeState = (proposal: ProposalSummary): string => {
  const { status, outcomeReason, tally, votingEndTime, depositEndTime } = proposal
  if (status === 'deposit_period') {
    return `In its deposit period${depositEndTime === null ? '' : `, until ${depositEndTime}`}.`
  }
  if (status === 'voting_period') {
    return `The vote is open${votingEndTime === null ? '' : ` until ${votingEndTime}`}.`
  }
  const turnout = tally?.final ? ` Turnout: ${percent(tally.turnout)}.` : ''
  const reason = outcomeReason === null ? '' : ` (${toWords(outcomeReason)})`
  return `State: ${toWords(status)}${reason}.${turnout}`
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
    textElement('summary', describeState(proposal)),
    element('content', { type: 'text' }, xmlText(proposal.summary)),
  ]
  return element('entry', {}, `\n${parts.filter(Boolean).join('\n')}\n`)
}

/** The page of the feed that stands for a page of the API. */
const feedUrl = (apiUrl: string, { baseUrl, origin }: FeedContext): string =>
  `${origin}${apiUrl.slice(baseUrl.length).replace(/^\/api\/proposals/, '/feed.atom')}`

export const atomFeed = (data: PageData['proposals'], at: FeedContext): string => {
  const { items, links, asOf } = data
  const page = (rel: string, url: string | null) =>
    url === null ? '' : link(rel, 'application/atom+xml', feedUrl(url, at))
  const parts = [
    textElement('id', toUrn(`${asOf.chainId}${links.first.slice(at.baseUrl.length)}`)),
    textElement('title', `Proposals of ${asOf.chainId}`),
    textElement('subtitle', 'Every proposal that was ever put to this chain, newest first.'),
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
