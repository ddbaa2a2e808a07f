// `GET /api/proposals/{proposalId}/votes`: the votes on one proposal per pool.

import { formatEventsPath } from '../read/queries/events.ts'
import { readByOwnVote } from '../read/queries/non-voting-pools.ts'
import { readRound } from '../read/queries/proposal-rounds.ts'
import { readVotes, type VoteOrder } from '../read/queries/votes.ts'
import { VOTE_COLUMNS, VotePage } from '../schemas/vote.ts'
import { defineList, OFFSET, readByOffset } from './list.ts'
import { quoteMoniker } from './pool-search.ts'
import { describePower, describeVote, quote } from './reading.ts'

export const VOTES_PER_PAGE = 100
/** Pages never shift in this order. */
const ORDER: VoteOrder = 'rank'

export const proposalVotes = defineList({
  operationId: 'listProposalVotes',
  path: '/api/proposals/:proposalId/votes',
  tag: 'Proposals',
  summary: 'List the votes per pool',
  guide: 'pools that voted, or whose delegators did',
  description:
    '100 pools per page in the order of first appearance: pages never shift. With `sort=power` the largest voting power is first, and the pages of an open vote can shift. The rows add up to the tally. An expedited vote that fell back to a regular vote has two rounds. Without `round` the response has the current round. `voted=false` lists the counted pools that have not voted, or that missed a closed vote. The largest power is first, and the pages shift when a pool votes. If it is not known who voted, `totalItems` is null and `votedReason` has the reason.',
  queryParameters: ['page', 'cursor', 'round', 'sort', 'voted'],
  answer: VotePage,
  problems: ['round-not-found'],
  paging: 'numbered',
  pageSize: VOTES_PER_PAGE,
  // The query costs more than its rows: on most chains one read gets the whole vote.
  pagesPerReading: 20,
  positionPattern: OFFSET,
  columns: VOTE_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  read: readByOffset(VOTES_PER_PAGE, async (reads, args, { from, limit }) => {
    const { proposalId, voted } = args
    const { round, tally, hasAllBallots, historyReason } = await readRound(reads, args)
    if (voted !== undefined) {
      const unknown = hasAllBallots ? null : (historyReason ?? 'no vote of this round is known')
      const { items, votedReason } = tally
        ? await readByOwnVote(reads, { proposalId, round, tally, order: args.sort ?? ORDER, voted })
        : { items: [], votedReason: unknown }
      const isUnknown = items.length === 0 && votedReason !== null
      return {
        items: items.slice(from, from + limit),
        total: isUnknown ? null : items.length,
        extra: { votedReason },
      }
    }
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
      'Lists one row per pool: its own vote (null if only delegators voted), its voting power, and the votes of its delegators. The rows add up to the tally. voted: false lists who has not voted.',
    rows: 'pools',
    lines: ({ votedReason }) =>
      votedReason ? [`It is not known who voted: ${quote(votedReason)}.`] : [],
    row: ({ pool, vote, votingPower }) =>
      `${quoteMoniker(pool.moniker)}: ${describeVote(vote)}, ${describePower(votingPower)}`,
  },
})
