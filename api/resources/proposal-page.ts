// `/proposals/{proposalId}`: one proposal as people read it, with one round's tally and a page of its votes, how the vote came
// together, and who did not vote.
import type { Static } from 'typebox'
import { notFound } from '../read/queries/known-proposal.ts'
import { type ProposalExtras, readExtras } from '../read/queries/proposal-extras.ts'
import { readProposalHead, tallyOfRound } from '../read/queries/proposal-head.ts'
import { roundOf, voteRounds } from '../read/queries/proposal-rounds.ts'
import { proposalOf } from '../read/queries/proposal-rows.ts'
import { innerQuery, proposalVersion, type Query, worstOf } from '../read/query.ts'
import type { Proposal, ProposalDetail } from '../schemas/proposal.ts'
import { asks, pathOf } from './operation.ts'
import { proposalVotes } from './votes.ts'

type Facts = { proposal: Proposal; extras: ProposalExtras }
type Value = Facts & { votes: unknown }
export type ProposalPageBody = Static<typeof ProposalDetail> & { extras: ProposalExtras }

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
  const votes = proposalVotes.query({ proposalId, page, round })
  return {
    name: `${pathOf(PAGE, { proposalId })}?round=${round ?? 'current'}&page=${page}`,
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const rounds = await reads.use(voteRounds(proposalId))
      const [facts, read] = await Promise.all([
        reads.use(roundFacts(proposalId, roundOf(rounds.value, { proposalId, round }))),
        reads.use(votes),
      ])
      return {
        value: { ...facts.value, votes: read.value },
        verdict: worstOf(facts.verdict, read.verdict),
        isUncached: read.isUncached ?? false,
      }
    },
    complete: (value, completion) => ({
      ...value.proposal,
      votes: votes.complete(value.votes, completion),
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
