// `GET /api/proposals/{proposalId}/votes`: the votes on one proposal per pool.
import { quoteMoniker } from '../pool-search.ts'
import { formatEventsPath } from '../read/queries/events.ts'
import { readRound } from '../read/queries/proposal-rounds.ts'
import { readVotes, type VoteOrder } from '../read/queries/votes.ts'
import { proposalVersion } from '../read/query.ts'
import { VOTE_COLUMNS, VotePage } from '../schemas/vote.ts'
import { defineList } from './list.ts'
import { HUNDREDS, readByOffset } from './offsets.ts'
import { describePower, describeVote } from './reading.ts'

export const VOTES_PER_PAGE = 100
/** Pages never shift in this order. */
const ORDER: VoteOrder = 'rank'

export const proposalVotes = defineList({
  operationId: 'listProposalVotes',
  path: '/api/proposals/:proposalId/votes',
  tag: 'Proposals',
  summary: 'List the votes per pool',
  guide: 'pools with a vote, or with a vote of their delegators',
  description:
    '100 pools per page in the order of first appearance: pages never shift. With `sort=power` the largest voting power is first, and the pages of an open vote can shift. The rows add up to the tally. An expedited vote that fell back to a regular vote has two rounds. Without `round` the response has the current round.',
  queryParameters: ['page', 'cursor', 'round', 'sort'],
  answer: VotePage,
  problems: ['round-not-found'],
  paging: 'numbered',
  pageSize: VOTES_PER_PAGE,
  // The query costs more than its rows: on most chains one read gets the whole vote.
  pagesPerReading: 20,
  positionPattern: HUNDREDS,
  columns: VOTE_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
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
  read: readByOffset(VOTES_PER_PAGE, async (reads, args, { from, limit }) => {
    const { proposalId } = args
    const { round, tally, hasAllBallots } = await readRound(reads, args)
    const total = tally?.poolRows ?? 0
    const to = Math.min(from + limit, total)
    const range = { proposalId, round, order: args.sort ?? ORDER, from, to, total }
    const isUnknown = total === 0 && !hasAllBallots
    return { items: await readVotes(reads, range), total: isUnknown ? null : total }
  }),
  tool: {
    name: 'list_proposal_votes',
    title: 'List the votes on a proposal per pool',
    description:
      'Lists one row per pool: its own vote (null if only delegators voted), its voting power, and the votes of its delegators. The rows add up to the tally.',
    row: ({ pool, vote, votingPower }) =>
      `${quoteMoniker(pool.moniker)}: ${describeVote(vote)}, ${describePower(votingPower)}`,
  },
})
