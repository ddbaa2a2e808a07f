// `/proposals/{proposalId}/ballots`: who voted how, with the votes of the pools that delegators override.
import { formatEventsPath } from '../read/queries/events.ts'
import { type PoolName, poolNames, readPoolChoices } from '../read/queries/pool-names.ts'
import { createVoteRoundsQuery, readRound } from '../read/queries/proposal-rounds.ts'
import { readRecordProposals } from '../read/queries/records.ts'
import { proposalVersion, type Reads } from '../read/query.ts'
import { BALLOT_COLUMNS, BallotTablePage } from '../schemas/ballot.ts'
import {
  BALLOT_PARAMETERS,
  BALLOT_POSITION,
  type BallotArguments,
  createBallotScope,
  readBallotList,
} from './ballots.ts'
import { defineList } from './list.ts'

/** Fewer than in the API, because the page is for people. */
const ROWS_PER_PAGE = 100

/** A validator with its own vote; null if it did not vote itself. */
export type BallotPool = PoolName & {
  options: readonly { option: string; weight: string }[] | null
}

/** The facts of the page besides the ballots. */
export type BallotPageFacts = {
  vote: { title: string; status: string; shownRound: number; rounds: number[] }
  pools: readonly BallotPool[]
}

const readFacts = async (reads: Reads, args: BallotArguments): Promise<BallotPageFacts> => {
  const { proposalId } = args
  const { round } = await readRound(reads, args)
  const [names, choices, rounds, proposals] = await Promise.all([
    reads.use(poolNames),
    readPoolChoices(reads, { proposalId, round }),
    reads.use(createVoteRoundsQuery(proposalId)),
    readRecordProposals(reads, [{ proposalId }]),
  ])
  const { title = '', status = '' } = proposals.get(proposalId) ?? {}
  const byOperator = new Map(choices.map((choice) => [choice.operatorAddress, choice]))
  return {
    vote: {
      title,
      status,
      shownRound: round,
      rounds: rounds.value.rounds.map((each) => each.round).sort((a, b) => a - b),
    },
    pools: names.value.map((pool) => ({
      ...pool,
      options: byOperator.get(pool.operatorAddress)?.options ?? null,
    })),
  }
}

export const ballotsPage = defineList({
  operationId: 'ballotsPage',
  path: '/proposals/:proposalId/ballots',
  tag: 'Proposals',
  summary: 'The votes per voter as a page',
  guide: 'ballots, one per voter',
  description: '100 ballots per page.',
  queryParameters: ['page', 'cursor', ...BALLOT_PARAMETERS],
  answer: BallotTablePage,
  problems: ['round-not-found'],
  paging: 'numbered',
  pageSize: ROWS_PER_PAGE,
  pagesPerReading: 5,
  positionPattern: BALLOT_POSITION,
  columns: BALLOT_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  scope: (args) => ['page', ...createBallotScope(args)],
  version: ({ proposalId }) => proposalVersion(proposalId),
  read: async (reads, args, range) => {
    const [slice, extra] = await Promise.all([
      readBallotList(ROWS_PER_PAGE)(reads, args, range),
      readFacts(reads, args),
    ])
    return { ...slice, extra }
  },
})
