// `GET /api/proposals/{proposalId}/votes`: the votes on one proposal per pool.
import type { Static } from 'typebox'
import { createVoteRoundsQuery, resolveRound } from '../read/queries/proposal-rounds.ts'
import { findRound } from '../read/queries/vote-rounds.ts'
import { readVotes, type VoteOrder } from '../read/queries/votes.ts'
import { getWorstConsistency, proposalVersion, toConsistency } from '../read/query.ts'
import { VOTE_COLUMNS, VotePage, type VoteRecord } from '../schemas/vote.ts'
import { notIssued } from './cursor.ts'
import { defineList } from './list.ts'
import { ROUND_PROBLEMS } from './operation.ts'

export const VOTES_PER_PAGE = 100
/** Pages never shift in this order. */
const ORDER: VoteOrder = 'rank'

export const proposalVotes = defineList<
  VoteRecord,
  Static<typeof VotePage>,
  'proposalId',
  'page' | 'cursor' | 'round' | 'sort'
>({
  operationId: 'listProposalVotes',
  path: '/api/proposals/:proposalId/votes',
  tag: 'Proposals',
  summary: 'List the votes per pool',
  description:
    '100 pools per page in the order of first appearance: pages never shift. With `sort=power` the largest voting power is first, and the pages of an open vote can shift. The rows add up to the tally. An expedited vote that fell back to a regular vote has two rounds. Without `round` the response has the current round.',
  pathParameters: ['proposalId'],
  queryParameters: ['page', 'cursor', 'round', 'sort'],
  answer: VotePage,
  problems: ROUND_PROBLEMS,
  paging: 'numbered',
  pageSize: VOTES_PER_PAGE,
  // The query costs more than its rows: on most chains one read gets the whole vote.
  pagesPerReading: 20,
  // A page begins at a multiple of its size.
  positionPattern: /^[1-9][0-9]{0,6}00$/,
  columns: VOTE_COLUMNS,
  scope: ({ proposalId, round, sort }) => [
    'votes',
    proposalId,
    `${round ?? ''}`,
    ...(sort === undefined ? [] : [sort]),
  ],
  version: ({ proposalId }) => proposalVersion(proposalId),
  getAdjacent: ({ proposalId, round, sort }, { watermarks }) =>
    [-1n, 1n]
      .map((step) => ({ proposalId: `${BigInt(proposalId) + step}`, sort }))
      .filter(({ proposalId: id }) => round === undefined && watermarks.has(id)),
  read: async (reads, args, { start, limit }) => {
    const { proposalId } = args
    const rounds = await reads.use(createVoteRoundsQuery(proposalId))
    const round = resolveRound(rounds.value, args)
    const total = findRound(rounds.value, round)?.pool_rows ?? 0
    const first = 'page' in start ? start.page * VOTES_PER_PAGE : Number(start.position)
    if ('position' in start && first >= total && rounds.consistency === 'consistent')
      throw notIssued()
    const from = Math.min(first, total)
    const to = Math.min(from + limit, total)
    const range = { proposalId, round, order: args.sort ?? ORDER, from, to, total }
    const { records, isConsistent } = await readVotes(reads, range)
    return {
      items: records,
      total,
      getPositionAfter: (count) => (from + count < total ? `${from + count}` : null),
      consistency: getWorstConsistency(rounds.consistency, toConsistency(isConsistent)),
    }
  },
})
