// Reads the rounds of votes with their numbers of rows: few columns, because whole proposals would cost as much as a page.
// Clients often request the votes of several proposals in sequence, so the rounds of twenty proposals are read at once.
import type { SelectedRow, Selection } from '../../../projections/contract/table/define-table.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { ApiProblem } from '../problems.ts'
import {
  createInnerQuery,
  createQueryKey,
  InconsistentRead,
  proposalVersion,
  type Query,
  type Reads,
} from '../query.ts'
import {
  buildLatestTable,
  findInconsistency,
  notFound,
  requireWatermark,
  type StoreReads,
  selectFrom,
} from './as-of.ts'

const CURRENT = TABLES.proposals.select([
  'proposalId',
  'round',
  'roundReason',
  'status',
  'submittedHeight',
  'historyReason',
  'version',
])
const ROUND = TABLES.tallies.select([
  'proposalId',
  'round',
  'poolRows',
  'poolsVoted',
  'ballots',
  'final',
  'rule',
  'votingPower',
  'stakeHeight',
  'matchesChain',
  'matchesChainReason',
  'version',
])
export type VoteRound = SelectedRow<typeof ROUND>

type VoteRounds = Pick<SelectedRow<typeof CURRENT>, 'submittedHeight' | 'historyReason'> & {
  /** The current round; 0 for a proposal without a vote. */
  current: number
  /** False if `current` is only the lowest possible one. */
  isCurrentKnown: boolean
  rounds: readonly VoteRound[]
}

const READ_TOGETHER = 20n

/** The ids that one query reads together. */
const findBatchIds = (proposalId: string): string[] => {
  const id = BigInt(proposalId)
  const first = id - (id % READ_TOGETHER)
  return Array.from({ length: Number(READ_TOGETHER) }, (_, index) => `${first + BigInt(index)}`)
}

/** Unknown proposals are omitted. */
const readBatch = async (reads: StoreReads, proposalIds: readonly string[]) => {
  const { snapshot } = reads
  const select = <Row>(table: { name: string }, selection: Selection<Row>) =>
    selectFrom(
      reads,
      selection,
      `${buildLatestTable(snapshot, table)}
       WHERE proposal_id IN {ids:Array(UInt64)}`,
      { ids: proposalIds.map(BigInt) },
    )
  const [proposals, tallies] = await Promise.all([
    select(TABLES.proposals, CURRENT),
    select(TABLES.tallies, ROUND),
  ])
  return proposals.map((proposal) => {
    const rounds = tallies.filter((tally) => tally.proposalId === proposal.proposalId)
    const { round: current, roundReason, submittedHeight, historyReason } = proposal
    const isCurrentKnown = roundReason === null
    const value: VoteRounds = { current, isCurrentKnown, rounds, submittedHeight, historyReason }
    const inconsistency = findInconsistency(proposal, rounds, snapshot)
    return { proposalId: proposal.proposalId, value, inconsistency }
  })
}

const keyParts = (proposalId: string) => ({
  name: `rounds of ${proposalId}`,
  version: proposalVersion(proposalId),
})

/** Its `read` throws `proposal-not-found`. */
export const createVoteRoundsQuery = (proposalId: string): Query<VoteRounds> =>
  createInnerQuery({
    ...keyParts(proposalId),
    proposalId,
    read: async (reads) => {
      const { snapshot } = reads
      requireWatermark(snapshot, proposalId)
      const toKey = (id: string) => createQueryKey(keyParts(id), snapshot)
      const ids = findBatchIds(proposalId).filter(
        (id) => snapshot.watermarks.has(id) && reads.cached(toKey(id)) === undefined,
      )
      const batch = await readBatch(reads, ids)
      const found = batch.find((each) => each.proposalId === proposalId)
      if (!found) throw notFound(proposalId)
      if (found.inconsistency) throw new InconsistentRead(found.inconsistency)
      const consistent = batch.filter(({ inconsistency }) => inconsistency === undefined)
      const ahead = new Map(consistent.map((each) => [toKey(each.proposalId), each.value]))
      return { value: found.value, ahead }
    },
  })

type RoundAt = { proposalId: string; round?: number | undefined }

const requireRound = ({ current }: VoteRounds, { proposalId, round }: RoundAt): number => {
  if (round === undefined) return current
  if (round <= current) return round
  const latest = current === 0 ? 'no vote has started' : `the latest is round ${current}`
  throw new ApiProblem(
    'round-not-found',
    `Proposal ${proposalId} has no round ${round}: ${latest}.`,
  )
}

/** False if the log does not have the ballots of a round, or not all of them. */
const hasAllBallots = (
  { isCurrentKnown }: VoteRounds,
  round: number,
  tally: VoteRound | undefined,
): boolean => (tally ? tally.ballots !== null : round === 0 && isCurrentKnown)

type FoundRound = {
  round: number
  tally: VoteRound | undefined
  hasAllBallots: boolean
  historyReason: string | null
}

/** The requested round, by default the current one. Throws `proposal-not-found` or `round-not-found`. */
export const readRound = async (reads: Reads, at: RoundAt): Promise<FoundRound> => {
  const { value } = await reads.use(createVoteRoundsQuery(at.proposalId))
  const round = requireRound(value, at)
  const tally = value.rounds.find((each) => each.round === round)
  const { historyReason } = value
  return { round, tally, hasAllBallots: hasAllBallots(value, round, tally), historyReason }
}
