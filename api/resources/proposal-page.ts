// `/proposals/{proposalId}`: one proposal as people read it, with one round's tally and a page of its votes, how the vote came
// together, and who did not vote.
import { notFound } from '../read/queries/known-proposal.ts'
import { type ProposalExtras, readExtras } from '../read/queries/proposal-extras.ts'
import { readProposalHead, tallyOfRound } from '../read/queries/proposal-head.ts'
import { roundOf, voteRounds } from '../read/queries/proposal-rounds.ts'
import { proposalOf } from '../read/queries/proposal-rows.ts'
import { innerQuery, proposalVersion, type Query, worstOf } from '../read/query.ts'
import type { Proposal } from '../schemas/proposal.ts'
import { proposalDeposits } from './deposits.ts'
import { asks, pathOf } from './operation.ts'
import type { PageData } from './page-data.ts'
import { proposalLinks } from './proposal.ts'
import { proposalVotes } from './votes.ts'

type Facts = { proposal: Proposal; extras: ProposalExtras }
type Value = Facts & { votes: unknown; deposits: unknown }
export type ProposalPageBody = PageData['proposal']

/** What every page of one round shows beside its votes. Costs as much as all ballots of the round. */
const roundFacts = (proposalId: string, round: number): Query<Facts> =>
  innerQuery({
    name: `facts of ${proposalId}/${round}`,
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const head = await readProposalHead(reads, proposalId)
      const watermark = reads.snapshot.watermarks.get(proposalId)
      if (!head || !watermark) throw notFound(proposalId)
      const extras = await readExtras(reads, head, round)
      const proposal = proposalOf(head, tallyOfRound(head, round), {
        watermark,
        displayUnit: reads.displayUnit,
      })
      return { value: { proposal, extras }, verdict: head.verdict }
    },
  })

const PAGE = {
  path: '/proposals/:proposalId',
  pathParameters: ['proposalId'],
  queryParameters: ['page', 'round'],
} as const

type Asked = { proposalId: string; page?: number | undefined; round?: number | undefined }

const query = ({ proposalId, page = 0, round }: Asked): Query<Value, ProposalPageBody> => {
  const votes = proposalVotes.query({ proposalId, page, round, sort: 'power' })
  const deposits = proposalDeposits.query({ proposalId })
  return {
    name: `${pathOf(PAGE, { proposalId })}?round=${round ?? 'current'}&page=${page}`,
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const rounds = await reads.use(voteRounds(proposalId))
      const [facts, read, deposited] = await Promise.all([
        reads.use(roundFacts(proposalId, roundOf(rounds.value, { proposalId, round }))),
        reads.use(votes),
        reads.use(deposits),
      ])
      return {
        value: { ...facts.value, votes: read.value, deposits: deposited.value },
        verdict: worstOf(facts.verdict, read.verdict, deposited.verdict),
        isUncached: read.isUncached ?? false,
      }
    },
    complete: (value, completion) => ({
      ...value.proposal,
      votes: votes.complete(value.votes, completion),
      deposits: deposits.complete(value.deposits, completion),
      links: proposalLinks(proposalId, completion.baseUrl),
      asOf: completion.asOf,
      extras: value.extras,
    }),
  }
}

export const proposalPage = {
  ...PAGE,
  query,
  ...asks<'proposalId', 'page' | 'round', ProposalPageBody>(PAGE, query),
}
