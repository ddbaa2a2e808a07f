// `GET /api/proposals/{proposalId}/ballots`: the votes on one proposal, voter by voter. Any page costs what the first one costs.
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
  summary: 'Its votes, voter by voter',
  description: '1,000 a page, in order of the first ballot, with what each delegation carried.',
  pathParameters: ['proposalId'],
  queryParameters: ['cursor', 'round'],
  answer: BallotPage,
  problems: ROUND_PROBLEMS,
  paging: 'cursor',
  pageSize: 1_000,
  // A third page would be as much again in memory for a client that wants only one.
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
    // Powers of an open vote are those that its delegations would carry now.
    const isTallied = findRound(rounds.value, round)?.final ?? true
    const from = 'position' in start ? Number(start.position) : 0
    const [count, read, priced] = await Promise.all([
      countBallots(reads, { proposalId, round }),
      readBallots(reads, { proposalId, round, from, to: from + limit }),
      isTallied ? undefined : readPoolPrices(reads),
    ])
    const { total } = count
    const isKnown = rounds.consistency === 'settled' && count.isConsistent
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
