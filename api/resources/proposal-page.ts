// `/proposals/{proposalId}`: the data of a proposal page: tally, votes and deposits, and turnout and non-voting pools of a round.
import type { Static } from 'typebox'
import { type ProposalExtras, readExtras } from '../read/queries/proposal-extras.ts'
import { readRound } from '../read/queries/proposal-rounds.ts'
import { createInnerQuery, proposalVersion, type Query } from '../read/query.ts'
import type { DepositPage } from '../schemas/deposit.ts'
import type { Proposal, ProposalDetail } from '../schemas/proposal.ts'
import { shortenNames, shortenTexts } from '../shortened.ts'
import { proposalDeposits } from './deposits.ts'
import { createRequestParser } from './operation.ts'
import { formatPath } from './path-parameters.ts'
import { createProposalLinks, readProposal } from './proposal.ts'
import { proposalVotes } from './votes.ts'

/** `tally` and `votes` belong to one round. `deposits` is the first page. */
export type ProposalPageData = Static<typeof ProposalDetail> & {
  deposits: Static<typeof DepositPage>
  extras: ProposalExtras
}

type Facts = { proposal: Proposal; extras: ProposalExtras }
type Value = Facts & { votes: unknown; deposits: unknown }

/** Data that all vote pages of a round share. Its read costs as much as all ballots of the round. */
const createRoundFactsQuery = (proposalId: string, round: number): Query<Facts> =>
  createInnerQuery({
    name: `facts of ${proposalId}/${round}`,
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const { proposal, head } = await readProposal(reads, proposalId, round)
      const extras = await readExtras(reads, head, round)
      return { value: { proposal, extras: shortenTexts(extras) } }
    },
  })

const PAGE = {
  path: '/proposals/:proposalId',
  queryParameters: ['page', 'round'],
} as const

type ProposalPageRequest = {
  proposalId: string
  page?: number | undefined
  round?: number | undefined
}

const createQuery = ({
  proposalId,
  page = 0,
  round,
}: ProposalPageRequest): Query<Value, ProposalPageData> => {
  const votes = proposalVotes.query({ proposalId, page, round, sort: 'power' })
  const deposits = proposalDeposits.query({ proposalId })
  return {
    name: `${formatPath(PAGE.path, { proposalId })}?round=${round ?? 'current'}&page=${page}`,
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const shown = await readRound(reads, { proposalId, round })
      const [facts, read, deposited] = await Promise.all([
        reads.use(createRoundFactsQuery(proposalId, shown.round)),
        reads.use(votes),
        reads.use(deposits),
      ])
      return {
        value: { ...facts.value, votes: read.value, deposits: deposited.value },
        isUncached: read.isUncached ?? false,
      }
    },
    complete: (value, completion) => ({
      ...shortenNames(value.proposal),
      votes: votes.complete(value.votes, completion),
      deposits: deposits.complete(value.deposits, completion),
      links: createProposalLinks(value.proposal, completion.baseUrl),
      asOf: completion.asOf,
      extras: value.extras,
    }),
  }
}

export const proposalPage = {
  ...PAGE,
  query: createQuery,
  parseRequest: createRequestParser(PAGE, createQuery),
}
