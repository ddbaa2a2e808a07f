// `GET /api/proposals/{proposalId}/ballots`: the votes on one proposal per voter. All pages cost the same.

import { toBallot } from '../read/queries/ballot-rows.ts'
import { countBallots, readBallots } from '../read/queries/ballots.ts'
import { formatEventsPath } from '../read/queries/events.ts'
import { readPoolPrices } from '../read/queries/pools.ts'
import { readRound } from '../read/queries/proposal-rounds.ts'
import { proposalVersion } from '../read/query.ts'
import { BALLOT_COLUMNS, BallotPage } from '../schemas/ballot.ts'
import { defineList } from './list.ts'
import { readByOffset, THOUSANDS } from './offsets.ts'

const BALLOTS_PER_PAGE = 1_000

export const proposalBallots = defineList({
  operationId: 'listProposalBallots',
  path: '/api/proposals/:proposalId/ballots',
  tag: 'Proposals',
  summary: 'List the votes per voter',
  description:
    '1,000 ballots per page in the order of the first ballot, with the power of each delegation.',
  queryParameters: ['cursor', 'round'],
  answer: BallotPage,
  problems: ['round-not-found'],
  paging: 'cursor',
  pageSize: BALLOTS_PER_PAGE,
  // More pages would use much memory for a client that reads only one.
  pagesPerReading: 2,
  positionPattern: THOUSANDS,
  columns: BALLOT_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  scope: ({ proposalId, round }) => ['ballots', proposalId, `${round ?? ''}`],
  version: ({ proposalId }) => proposalVersion(proposalId),
  read: readByOffset(BALLOTS_PER_PAGE, async (reads, args, { from, limit }) => {
    const { proposalId } = args
    const { round, tally } = await readRound(reads, args)
    // The powers of an open vote are computed from the current pools.
    const isTallied = tally?.final ?? true
    const [total, rows, prices] = await Promise.all([
      countBallots(reads, { proposalId, round }),
      readBallots(reads, { proposalId, round, from, to: from + limit }),
      isTallied ? undefined : readPoolPrices(reads),
    ])
    return { items: rows.map((row) => toBallot(row, prices)), total }
  }),
})
