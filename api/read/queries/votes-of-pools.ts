// Reads how many pools voted on many proposals, newest proposal first: one state per pool and proposal, of the current round.
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Pool, PoolState, ProposalVotes } from '../../schemas/pool.ts'
import { cut } from '../../words/shortened.ts'
import { isOpen } from '../../words/status.ts'
import {
  buildLatestTable,
  readKeyset,
  requireConsistent,
  requireOneState,
  type StoreReads,
  selectLatest,
  takeCharacters,
} from './as-of.ts'
import { findUnknownSilence, findUnknownVotes } from './non-voting-pools.ts'
import { getKnownRound } from './proposal.ts'
import { formatTimestamp, toReason } from './values.ts'

const PROPOSAL = TABLES.proposals.select(
  [
    'proposalId',
    'title',
    'status',
    'expedited',
    'round',
    'roundReason',
    'votingEndTime',
    'totalDeposit',
    'historyReason',
    'version',
  ],
  { title: takeCharacters(1_000) },
)
const TALLY = TABLES.tallies.all
const MISSED_KEY = TABLES.missedVotes.select(['operatorAddress', 'proposalId', 'round', 'version'])
const VOTE = TABLES.poolVotes.select([
  'proposalId',
  'round',
  'operatorAddress',
  'voted',
  'options',
  'voteHeight',
  'voteTime',
  'voteTxHash',
  'voteMetadata',
  'voteMemo',
  'version',
])
type ProposalRow = SelectedRow<typeof PROPOSAL>
type TallyRow = SelectedRow<typeof TALLY>
type VoteRow = SelectedRow<typeof VOTE>

/** Of one proposal, by operator address. */
type RowsOfVote = { votes: Map<string, VoteRow>; missed: Set<string> }

/** Together in a proposal, so that their lists are never cut. */
const MAX_TEXTS = 32_000
const MAX_TEXT = 512

const NOT_KNOWN = 'the votes of this round are not known'

const toState = (
  pool: Pool,
  { votes, missed }: RowsOfVote,
  { isFinal, unknownReason }: { isFinal: boolean; unknownReason: string | null },
): PoolState => {
  const vote = votes.get(pool.operatorAddress)
  if (vote?.voted) {
    const [only, ...others] = vote.options
    return only && others.length === 0 ? only.option : 'split'
  }
  if (unknownReason !== null) return 'unknown'
  if (isFinal) return missed.has(pool.operatorAddress) ? 'missed' : 'not_counted'
  return pool.counted ? 'not_yet' : 'not_counted'
}

const toItem = (
  row: ProposalRow,
  tally: TallyRow | undefined,
  { pools, found }: { pools: readonly Pool[]; found: RowsOfVote },
): ProposalVotes => {
  // A canceled vote has no tally, so it counted no pool.
  const isCanceled = row.status === 'canceled' && tally !== undefined
  const findReason = isCanceled ? findUnknownVotes : findUnknownSilence
  const unknownReason = tally ? findReason(tally) : (row.historyReason ?? NOT_KNOWN)
  const state = { isFinal: tally?.final ?? !isOpen(row), unknownReason }
  const noted = pools.flatMap(({ operatorAddress }) => {
    const vote = found.votes.get(operatorAddress)
    if (!vote?.voted) return []
    const hasWords = vote.voteMetadata !== null || vote.voteMemo !== null
    return hasWords || vote.options.length !== 1 ? [vote] : []
  })
  const most = Math.min(MAX_TEXT, Math.max(32, Math.floor(MAX_TEXTS / (2 * noted.length))))
  const shorten = (text: string | null) => text && cut(text, most)
  return {
    proposalId: row.proposalId,
    title: row.title,
    status: row.status,
    round: getKnownRound(row),
    votingEndTime: formatTimestamp(row.votingEndTime),
    unknownReason,
    votes: pools.map((pool) => toState(pool, found, state)),
    details: noted.map((vote) => ({
      operatorAddress: vote.operatorAddress,
      options: [...vote.options],
      height: vote.voteHeight,
      time: formatTimestamp(vote.voteTime),
      txHash: vote.voteTxHash,
      reason: toReason(shorten(vote.voteMetadata), shorten(vote.voteMemo)),
    })),
  }
}

export type VotesRange = {
  /** Only proposals with a lower ID. */
  below?: string | undefined
  limit: number
  /** Only votes that have not ended. */
  isOpenOnly?: boolean
}

/** Proposals with a vote. `pools` are the current ones. */
export const readVotesOfPools = async (
  reads: StoreReads,
  pools: readonly Pool[],
  { below, limit, isOpenOnly = false }: VotesRange,
): Promise<{ items: ProposalVotes[]; rows: ProposalRow[]; total: number }> => {
  const { snapshot } = reads
  const table = buildLatestTable(snapshot, TABLES.proposals)
  const which = `round > 0${isOpenOnly ? " AND status = 'voting_period'" : ''}`
  const { rows, total } = await readKeyset(reads, PROPOSAL, {
    source: `${table} WHERE ${which}`,
    order: ['proposal_id'],
    after: below === undefined ? undefined : { proposal_id: below },
    limit,
  })
  const ids = rows.map(({ proposalId }) => proposalId)
  const params = { ids: ids.map(BigInt), pools: pools.map((pool) => pool.operatorAddress) }
  const ofIds = 'WHERE proposal_id IN {ids:Array(UInt64)}'
  const ofPools = `${ofIds} AND operator_address IN {pools:Array(String)}`
  const [tallies, votes, missed] = await Promise.all([
    selectLatest(reads, TABLES.tallies, TALLY, ofIds, params),
    selectLatest(reads, TABLES.poolVotes, VOTE, ofPools, params),
    selectLatest(reads, TABLES.missedVotes, MISSED_KEY, ofPools, params),
  ])
  requireConsistent([...votes, ...missed], snapshot)
  const keyOf = ({ proposalId, round }: { proposalId: string; round: number }) =>
    `${proposalId}/${round}`
  const tallyAt = new Map(tallies.map((tally) => [keyOf(tally), tally]))
  const foundAt = new Map(
    rows.map((row): [string, RowsOfVote] => [keyOf(row), { votes: new Map(), missed: new Set() }]),
  )
  for (const vote of votes) foundAt.get(keyOf(vote))?.votes.set(vote.operatorAddress, vote)
  for (const each of missed) foundAt.get(keyOf(each))?.missed.add(each.operatorAddress)
  const items = rows.map((row) => {
    const tally = tallyAt.get(keyOf(row))
    const found = foundAt.get(keyOf(row))
    requireOneState(row, tally ? [tally] : [], snapshot)
    if (!found) throw new Error(`proposal ${row.proposalId} is read twice`)
    return toItem(row, tally, { pools, found })
  })
  return { items, rows, total }
}
