// `GET /api/proposals/{proposalId}`: one proposal with its messages and the first page of its votes.
import type { Static } from 'typebox'
import { notFound, requireWatermark } from '../read/queries/as-of.ts'
import { formatEventsPath } from '../read/queries/events.ts'
import {
  findTally,
  type ProposalHead,
  readProposalHead,
  toProposal,
} from '../read/queries/proposal.ts'
import { proposalVersion, type Query, type Reads } from '../read/query.ts'
import { type Proposal, ProposalDetail } from '../schemas/proposal.ts'
import type { VotePage } from '../schemas/vote.ts'
import { pluralize } from '../words/in-words.ts'
import { fits, inBytes, inTokens, reduceBy, shortenToFit } from '../words/shortened.ts'
import { describeRule, NOTHING_EXECUTED } from '../words/status.ts'
import { defineItem } from './operation.ts'
import { describeState, describeTally, formatPercent, listSentence, quote } from './reading.ts'
import { proposalVotes } from './votes.ts'

type Votes = Static<typeof VotePage>
/** `votes` is the cached value, which their query completes. */
type Value = { proposal: Proposal; votes: unknown }

/** Without the votes, which are a page of a list. */
const MAX_SIZE = inBytes(2 ** 20)
/** Of a bounded answer. The rest is for votes. */
const PROPOSAL_SHARE = 0.75

const formatProposalPath = (proposalId: string): string => `/api/proposals/${proposalId}`

type Proved = Pick<
  Proposal,
  'proposalId' | 'status' | 'submittedAt' | 'updatedAt' | 'closedTime' | 'round'
>

const DELETED: readonly string[] = ['canceled', 'dropped']

/** False if no state of the proposal is in a header that the log follows. Its answer never changes after the close. */
const hasProof = ({ status, submittedAt, updatedAt, closedTime, round }: Proved): boolean =>
  DELETED.includes(status)
    ? // The chain has deleted it, perhaps in the block of its submission.
      submittedAt !== null && updatedAt.height > submittedAt.height
    : submittedAt !== null || closedTime !== null || (round ?? 0) > 1

export const createProposalLinks = (
  proposal: Proved,
  baseUrl: string,
): Static<typeof ProposalDetail>['links'] => {
  const self = baseUrl + formatProposalPath(proposal.proposalId)
  return { self, turnout: `${self}/turnout`, proof: hasProof(proposal) ? `${self}/proof` : null }
}

/** With the tally of a round, by default of the current one. Throws `proposal-not-found`. */
export const readProposal = async (
  reads: Reads,
  proposalId: string,
  round?: number,
): Promise<{ proposal: Proposal; head: ProposalHead }> => {
  const watermark = requireWatermark(reads.snapshot, proposalId)
  const head = await readProposalHead(reads, proposalId)
  if (!head) throw notFound(proposalId)
  const tally = findTally(head, round ?? head.row.round)
  const { displayUnit } = reads
  const proposal = toProposal(head, tally, { watermark, displayUnit })
  return { head, proposal: shortenToFit(proposal, formatEventsPath(proposalId), MAX_SIZE) }
}

const createProposalQuery = (proposalId: string): Query<Value, Static<typeof ProposalDetail>> => {
  const firstPage: Query<unknown, Votes> = proposalVotes.query({ proposalId })
  return {
    name: formatProposalPath(proposalId),
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const [{ proposal }, votes] = await Promise.all([
        readProposal(reads, proposalId),
        reads.use(firstPage),
      ])
      return { value: { proposal, votes: votes.value } }
    },
    complete: ({ proposal, votes }, completion) => {
      const { baseUrl, asOf, bounds } = completion
      const links = { links: createProposalLinks(proposal, baseUrl), asOf }
      const listVotes = (maxTokens: number) =>
        firstPage.complete(votes, { ...completion, bounds: bounds && { ...bounds, maxTokens } })
      const whole = { ...proposal, votes: listVotes(Number.POSITIVE_INFINITY), ...links }
      if (bounds === undefined || fits(whole, inTokens(bounds.maxTokens))) return whole
      const share = inTokens(bounds.maxTokens * PROPOSAL_SHARE)
      const fitting = shortenToFit(proposal, formatProposalPath(proposalId), share)
      const left = reduceBy(inTokens(bounds.maxTokens), { ...fitting, ...links, votes: '' })
      return { ...fitting, votes: listVotes(left.max), ...links }
    },
  }
}

/** Of the result of the tool; `list_proposal_votes` has all votes. */
const FIRST_VOTES = 10
const MAX_EXPLANATIONS = 5

const listExplanations = (body: Static<typeof ProposalDetail>): string[] => {
  const { explanations, messageCount } = body
  if (messageCount === 0) return [NOTHING_EXECUTED]
  const shown = explanations.slice(0, MAX_EXPLANATIONS)
  return [
    `It has ${pluralize(messageCount, 'message')}, described in explanations.`,
    ...shown.map(({ summary }) => listSentence(summary)),
  ]
}

const describeLimits = (tally: Proposal['tally']): string[] => {
  if (tally === null) return []
  const rule = describeRule(tally)
  return [
    `Quorum ${formatPercent(tally.quorum)}, threshold ${formatPercent(tally.threshold)}, veto ${formatPercent(tally.vetoThreshold)}. Final: ${tally.final}. Equal to the tally of the chain: ${tally.matchesChain}.`,
    ...(rule === null ? [] : [rule]),
  ]
}

const describeVotes = ({ items, page }: Votes): string =>
  page.totalItems === null
    ? 'The votes are not known; historyReason has the reason.'
    : `votes has ${items.length} of ${page.totalItems} pools; list_proposal_votes lists all.`

const describeProposal = (body: Static<typeof ProposalDetail>): string[] => {
  const { proposalId, title, tally, votes, truncated } = body
  return [
    `Proposal ${proposalId} ${quote(title)}: ${describeState(body)}.`,
    `Votes: ${describeTally(tally)}.`,
    ...describeLimits(tally),
    ...listExplanations(body),
    describeVotes(votes),
    ...(truncated ? ['Long texts are shortened; wholeAt is the URL of all of it.'] : []),
  ]
}

export const proposal = defineItem({
  operationId: 'getProposal',
  path: '/api/proposals/:proposalId',
  tag: 'Proposals',
  summary: 'Get a proposal',
  guide: 'the proposal, with the first page of its votes',
  description:
    'The proposal with decoded messages, parameter changes and tally. `votes` is the first page of the list of votes.',
  queryParameters: [],
  answer: ProposalDetail,
  query: ({ proposalId }) => createProposalQuery(proposalId),
  tool: {
    name: 'get_proposal',
    title: 'Get a proposal',
    description:
      'Returns a proposal: text, messages with explanations, parameter changes, tally, and the first votes.',
    usualRows: FIRST_VOTES,
    lines: describeProposal,
  },
})
