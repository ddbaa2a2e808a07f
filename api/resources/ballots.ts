// `GET /api/proposals/{proposalId}/ballots`: the votes on one proposal per voter. All pages cost the same.
import type { Static } from 'typebox'
import { toBallot } from '../read/queries/ballot-rows.ts'
import { countBallots, readBallots } from '../read/queries/ballots.ts'
import { readPoolPrices } from '../read/queries/pools.ts'
import { createVoteRoundsQuery, resolveRound } from '../read/queries/proposal-rounds.ts'
import { findRound } from '../read/queries/vote-rounds.ts'
import { getWorstConsistency, proposalVersion, toConsistency } from '../read/query.ts'
import { BALLOT_COLUMNS, type Ballot, BallotPage } from '../schemas/ballot.ts'
import { notIssued } from './cursor.ts'
import { defineList } from './list.ts'
import { ROUND_PROBLEMS } from './operation.ts'

export const proposalBallots = defineList<
  Ballot,
  Static<typeof BallotPage>,
  'proposalId',
  'cursor' | 'round'
>({
  operationId: 'listProposalBallots',
  path: '/api/proposals/:proposalId/ballots',
  tag: 'Proposals',
  summary: 'List the votes per voter',
  description:
    '1,000 ballots per page in the order of the first ballot, with the power of each delegation.',
  pathParameters: ['proposalId'],
  queryParameters: ['cursor', 'round'],
  answer: BallotPage,
  problems: ROUND_PROBLEMS,
  paging: 'cursor',
  pageSize: 1_000,
  // More pages would use much memory for a client that reads only one.
  pagesPerReading: 2,
  // A page begins at a multiple of its size.
  positionPattern: /^[1-9][0-9]{0,5}000$/,
  columns: BALLOT_COLUMNS,
  scope: ({ proposalId, round }) => ['ballots', proposalId, `${round ?? ''}`],
  version: ({ proposalId }) => proposalVersion(proposalId),
  read: async (reads, args, { start, limit }) => {
    const { proposalId } = args
    const rounds = await reads.use(createVoteRoundsQuery(proposalId))
    const round = resolveRound(rounds.value, args)
    // The powers of an open vote are computed from the current pools.
    const isTallied = findRound(rounds.value, round)?.final ?? true
    const from = 'position' in start ? Number(start.position) : 0
    const [count, read, priced] = await Promise.all([
      countBallots(reads, { proposalId, round }),
      readBallots(reads, { proposalId, round, from, to: from + limit }),
      isTallied ? undefined : readPoolPrices(reads),
    ])
    const { total } = count
    const isKnown = rounds.consistency === 'consistent' && count.isConsistent
    if (from > 0 && from >= total && isKnown) throw notIssued()
    const isConsistent = count.isConsistent && read.isConsistent && priced?.isConsistent !== false
    return {
      items: read.rows.map((row) => toBallot(row, priced?.prices)),
      total,
      getPositionAfter: (ballots) => (from + ballots < total ? `${from + ballots}` : null),
      consistency: getWorstConsistency(rounds.consistency, toConsistency(isConsistent)),
    }
  },
})
