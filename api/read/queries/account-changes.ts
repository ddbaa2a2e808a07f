// Reads what happened to accounts in votes: the votes that they cast, and the last day of each vote on which they had not voted.
import { compareText } from '../../../ingest/contract/address.ts'
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { timestampToMs } from '../../../projections/contract/timestamps.ts'
import type { VoteRecord } from '../../schemas/vote.ts'
import { buildLatestTable, type StoreReads, selectFrom } from './as-of.ts'
import { findUnknownSilence, findUnknownVotes } from './non-voting-pools.ts'
import { formatTimestamp, toReason } from './values.ts'

/** `key`: of the bytes of its address. `operatorAddress`: of the pool for which it votes. */
export type Account = { key: string; voter: string; operatorAddress: string | null }

type Of = { proposalId: string; round: number; account: Account }
type Vote = Of & { kind: 'vote'; vote: NonNullable<VoteRecord['vote']> }
/** `voted`: null with the reason if it is not known; never true. */
type LastDay = Of & {
  kind: 'last_day'
  voted: false | null
  votedReason: string | null
  votingEndTime: string | null
}
/** `timeMs`: block time. No two blocks of a chain have the same millisecond. */
export type AccountChange = { timeMs: number } & (Vote | LastDay)

/** Block times `afterMs` < time ≤ `untilMs`. Of votes and of last days the newest `limit`. */
export type ChangesRange = { afterMs: number; untilMs: number; limit: number }

const BALLOT = TABLES.ballots.select([
  'proposalId',
  'round',
  'voterKey',
  'options',
  'height',
  'time',
  'txHash',
  'metadata',
  'memo',
  'knownTime',
])
const FIRST = TABLES.ballots.select(['proposalId', 'round', 'voterKey', 'firstTime'])
const TALLY = TABLES.tallies.all
const PROPOSAL = TABLES.proposals.select([
  'proposalId',
  'status',
  'round',
  'votingEndTime',
  'closedTime',
])

type TallyRow = SelectedRow<typeof TALLY>
type ProposalRow = SelectedRow<typeof PROPOSAL>

const inRange = (column: string) => `toUnixTimestamp64Milli(${column}) > {afterMs:Int64}
  AND toUnixTimestamp64Milli(${column}) <= {untilMs:Int64}
  ORDER BY ${column} DESC LIMIT {limit:UInt64}`

/** Of a vote that was in the state before any event reported it, the time is that of the reading. */
const readVotes = async (
  reads: StoreReads,
  accounts: ReadonlyMap<string, Account>,
  range: ChangesRange,
): Promise<{ changes: AccountChange[]; isCut: boolean }> => {
  const { snapshot } = reads
  const rows = await selectFrom(
    reads,
    BALLOT,
    `${buildLatestTable(snapshot, TABLES.ballots.copies.ballotsByVoter)}
     WHERE voter_key IN {keys:Array(String)} AND in_state AND counted AND ${inRange('known_time')}`,
    { keys: [...accounts.keys()], ...range },
  )
  const changes = rows.flatMap((row): AccountChange[] => {
    const account = accounts.get(row.voterKey)
    if (!account) return []
    const vote = {
      options: [...row.options],
      height: row.height,
      time: formatTimestamp(row.time),
      txHash: row.txHash,
      reason: toReason(row.metadata, row.memo),
    }
    const { proposalId, round } = row
    return [
      { kind: 'vote', timeMs: timestampToMs(row.knownTime), proposalId, round, account, vote },
    ]
  })
  return { changes, isCut: rows.length === range.limit }
}

/** Whether the round ended before its last day. */
const isEndedBefore = (tally: TallyRow, proposal: ProposalRow | undefined, timeMs: number) =>
  proposal?.round === tally.round &&
  proposal.closedTime !== null &&
  timestampToMs(proposal.closedTime) <= timeMs

const readLastDays = async (
  reads: StoreReads,
  accounts: ReadonlyMap<string, Account>,
  range: ChangesRange,
): Promise<{ changes: AccountChange[]; isCut: boolean }> => {
  const { snapshot } = reads
  const tallies = await selectFrom(
    reads,
    TALLY,
    `${buildLatestTable(snapshot, TABLES.tallies)} WHERE last_day_time IS NOT NULL AND ${inRange('assumeNotNull(last_day_time)')}`,
    range,
  )
  if (tallies.length === 0) return { changes: [], isCut: false }
  const params = {
    keys: [...accounts.keys()],
    ids: tallies.map(({ proposalId }) => BigInt(proposalId)),
  }
  const ofIds = 'proposal_id IN {ids:Array(UInt64)}'
  const [ballots, proposals] = await Promise.all([
    selectFrom(
      reads,
      FIRST,
      `${buildLatestTable(snapshot, TABLES.ballots.copies.ballotsByVoter)}
       WHERE voter_key IN {keys:Array(String)} AND in_state AND counted AND ${ofIds}`,
      params,
    ),
    selectFrom(
      reads,
      PROPOSAL,
      `${buildLatestTable(snapshot, TABLES.proposals)} WHERE ${ofIds}`,
      params,
    ),
  ])
  const keyOf = (row: { proposalId: string; round: number }, key: string) =>
    `${row.proposalId}/${row.round}/${key}`
  const firstMs = new Map(
    ballots.map((row) => [keyOf(row, row.voterKey), timestampToMs(row.firstTime)]),
  )
  const byId = new Map(proposals.map((row) => [row.proposalId, row]))
  const changes = tallies.flatMap((tally): AccountChange[] => {
    const { proposalId, round } = tally
    const timeMs = timestampToMs(tally.lastDayTime ?? '')
    const proposal = byId.get(proposalId)
    if (isEndedBefore(tally, proposal, timeMs)) return []
    const isCanceled = proposal?.status === 'canceled'
    const votedReason = (isCanceled ? findUnknownVotes : findUnknownSilence)(tally)
    const votingEndTime = proposal?.round === round ? formatTimestamp(proposal.votingEndTime) : null
    const voted = votedReason === null ? (false as const) : null
    return [...accounts].flatMap(([key, account]): AccountChange[] => {
      const votedMs = firstMs.get(keyOf(tally, key)) ?? Number.POSITIVE_INFINITY
      if (votedMs <= timeMs) return []
      const of = { proposalId, round, account, votingEndTime, voted, votedReason }
      return [{ kind: 'last_day', timeMs, ...of }]
    })
  })
  return { changes, isCut: tallies.length === range.limit }
}

/** At one block time, the last day of a vote comes before the votes. */
const compare = (one: AccountChange, other: AccountChange): number =>
  one.timeMs - other.timeMs ||
  compareText(one.kind, other.kind) ||
  Number(BigInt(one.proposalId) - BigInt(other.proposalId)) ||
  compareText(one.account.key, other.account.key)

/** A query with more is too long. */
const MAX_KEYS = 2_000

const splitAccounts = (accounts: ReadonlyMap<string, Account>): Map<string, Account>[] => {
  const all = [...accounts]
  const parts = Math.ceil(all.length / MAX_KEYS)
  return Array.from(
    { length: parts },
    (_, part) => new Map(all.slice(part * MAX_KEYS, (part + 1) * MAX_KEYS)),
  )
}

/** In their order on the chain. */
export async function readAccountChanges(
  reads: StoreReads,
  accounts: ReadonlyMap<string, Account>,
  range: ChangesRange,
): Promise<{ changes: AccountChange[]; isCut: boolean }> {
  if (range.afterMs >= range.untilMs) return { changes: [], isCut: false }
  const read = await Promise.all(
    splitAccounts(accounts).flatMap((part) => [
      readVotes(reads, part, range),
      readLastDays(reads, part, range),
    ]),
  )
  const changes = read.flatMap((each) => each.changes).sort(compare)
  return { changes, isCut: read.some(({ isCut }) => isCut) }
}
