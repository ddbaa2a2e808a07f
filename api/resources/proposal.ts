// `GET /api/proposals/{proposalId}`: one proposal with its messages and the first page of its votes.
import type { Static } from 'typebox'
import { formatEventsPath } from '../read/queries/events.ts'
import { notFound, requireWatermark } from '../read/queries/known-proposal.ts'
import { findTally, type ProposalHead, readProposalHead } from '../read/queries/proposal-head.ts'
import { toProposal } from '../read/queries/proposal-rows.ts'
import { proposalVersion, type Query, type Reads } from '../read/query.ts'
import { type Proposal, ProposalDetail } from '../schemas/proposal.ts'
import type { VotePage } from '../schemas/vote.ts'
import { measureJson, shortenToFit } from '../shortened.ts'
import { defineItem } from './item.ts'
import { proposalVotes } from './votes.ts'

type Votes = Static<typeof VotePage>
/** `votes` is the cached value, which their query completes. */
type Value = { proposal: Proposal; votes: unknown }

/** Without the votes, which are a page of a list. */
const MAX_BYTES = 2 ** 20
/** Of a bounded answer. The rest is for votes. */
const PROPOSAL_SHARE = 0.75

const formatProposalPath = (proposalId: string): string => `/api/proposals/${proposalId}`

export const createProposalLinks = (
  proposalId: string,
  baseUrl: string,
): Static<typeof ProposalDetail>['links'] => {
  const self = baseUrl + formatProposalPath(proposalId)
  return { self, proof: `${self}/proof` }
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
  return { head, proposal: shortenToFit(proposal, formatEventsPath(proposalId), MAX_BYTES) }
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
      const { baseUrl, asOf, maxBytes } = completion
      const links = { links: createProposalLinks(proposalId, baseUrl), asOf }
      const listVotes = (bytes?: number) =>
        firstPage.complete(votes, { ...completion, maxBytes: bytes })
      const whole = { ...proposal, votes: listVotes(), ...links }
      if (maxBytes === undefined || measureJson(whole) <= maxBytes) return whole
      const share = Math.floor(maxBytes * PROPOSAL_SHARE)
      const fitting = shortenToFit(proposal, formatProposalPath(proposalId), share)
      const left = maxBytes - measureJson({ ...fitting, ...links, votes: '' })
      return { ...fitting, votes: listVotes(left), ...links }
    },
  }
}

export const proposal = defineItem({
  operationId: 'getProposal',
  path: '/api/proposals/:proposalId',
  tag: 'Proposals',
  summary: 'Get a proposal',
  description:
    'The proposal with decoded messages, parameter changes and tally. `votes` is the first page of the list of votes.',
  queryParameters: [],
  answer: ProposalDetail,
  query: ({ proposalId }) => createProposalQuery(proposalId),
})
