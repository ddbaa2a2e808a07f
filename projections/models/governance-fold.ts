// The fold over the whole log, height by height: records in, rows of every table out. Pure but for its own state.
import { indexOf, ORDINAL, positionOf } from '../../ingest/contract/envelope.ts'
import { type GovernanceEvent, stakeChangesIn } from '../../ingest/contract/events.ts'
import type { ReadModelRows, WatermarkRow } from '../contract/read-model.ts'
import { voterStakeRow } from './ballots.ts'
import { deadLetterRow } from './dead-letters.ts'
import { eventRow } from './events.ts'
import { applyEvent, type FoldContext } from './fold-event.ts'
import { applyEvidence, type PreparedTallies } from './fold-evidence.ts'
import type { FoldRecord } from './fold-record.ts'
import { applySnapshot, type SnapshotChunk } from './fold-snapshot.ts'
import type { Moment } from './moment.ts'
import { createOpenProposals, type OpenProposal } from './open-proposals.ts'
import { type BookEvent, createPoolBook } from './pool-book.ts'
import { poolRows, poolStateRows } from './pools.ts'
import { type Unread, unreadAbciEvent, unreadRecord } from './unread.ts'
import type { VoteRows } from './vote-rows.ts'

export type DrainedRows = ReadModelRows &
  Pick<VoteRows, 'alarms' | 'impossible' | 'faults'> & { watermarks: WatermarkRow[] }

export type GovernanceFold = {
  /**
   * All records of one height, or of several where a marker could not be read. `prepared` are the
   * tallies that were computed already; the others are computed at once.
   */
  apply(records: readonly FoldRecord[], prepared?: PreparedTallies): void
  /** Rows that changed since the last call, one per key. */
  drain(): DrainedRows
  /** Where the fold of what is still open begins; undefined where nothing is open. */
  firstOffset(): bigint | undefined
  openProposals(): number
}

export type FoldOptions = {
  /** Ids of the proposals that were closed before the first record. */
  closed?: Iterable<string>
  /** False while folding again what was written already: nothing but the open proposals' state is kept. */
  keepsRows?: () => boolean
}

type StatelessRows = Pick<
  ReadModelRows,
  'events' | 'pools' | 'pool_states' | 'voter_stakes' | 'dead_letters' | 'tallies'
>

const emptyRows = (): StatelessRows => ({
  events: [],
  pools: [],
  pool_states: [],
  voter_stakes: [],
  dead_letters: [],
  tallies: [],
})

const isObservation = (event: GovernanceEvent): event is BookEvent =>
  event.type === 'rollcall.chain.snapshot.v1' ||
  event.type === 'rollcall.pools.observed.v1' ||
  event.type === 'rollcall.params.observed.v1'

/** A proposal in doubt says so; where a ballot may be missing, its numbers are unknown from here on. */
const doubt = ({ proposals }: FoldContext, proposal: OpenProposal, unread: Unread): void => {
  const { moment, letter } = unread
  const reason = `a record of height ${letter.height} could not be read: ${letter.reason}`
  proposals.markPartial(proposal, reason, moment)
  const { vote } = proposal
  if (!unread.mayMoveBallots || !vote || vote.end) return
  vote.fold.castUnknown(moment)
  proposals.noteVote(proposal, vote, moment)
}

const applyUnread = (context: FoldContext, unread: Unread, offset: bigint): void => {
  const { letter, moment } = unread
  const { proposals } = context
  if (letter.proposalId === '0') {
    for (const proposal of proposals.all()) doubt(context, proposal, unread)
    return
  }
  const proposal = proposals.find(letter.proposalId, 'deposit_period', { moment, offset })
  if (proposal) doubt(context, proposal, unread)
}

const observe = ({ book, proposals }: FoldContext, events: readonly BookEvent[]): void => {
  if (events.length === 0) return
  const { pools, totals, lost } = book.apply(events)
  for (const { proposal, vote } of proposals.votes()) {
    const isTouched = vote.fold.repool(pools)
    if (isTouched) proposals.noteVote(proposal, vote, vote.fold.moment)
    if (totals) proposals.noteVote(proposal, vote, totals)
    if (!lost) continue
    const reason = `the pools' states at height ${lost.moment.height} are not known: ${lost.reason}`
    proposals.markPartial(proposal, reason, lost.moment)
  }
}

const pushStakes = (rows: StatelessRows, event: GovernanceEvent, moment: Moment): void => {
  if (event.type === 'rollcall.vote.cast.v1') {
    const { voter, delegations } = event.data
    if (voter !== null) rows.voter_stakes.push(voterStakeRow({ voter, delegations }, moment))
  } else if (event.type === 'rollcall.stake.changed.v1') {
    for (const change of stakeChangesIn(event))
      rows.voter_stakes.push(voterStakeRow(change, moment))
  } else if (event.type === 'rollcall.chain.snapshot.v1') {
    for (const told of event.data.votes) rows.voter_stakes.push(voterStakeRow(told, moment))
  }
}

const pushStateless = (rows: StatelessRows, record: FoldRecord): void => {
  const { decoded, text, moment } = record
  const envelope = decoded.ok ? decoded.event : decoded.envelope
  if (envelope && moment) rows.events.push(eventRow(envelope, text, moment))
  if (!decoded.ok || !moment) return
  const { event } = decoded
  if (event.type === 'rollcall.pools.observed.v1' || event.type === 'rollcall.chain.snapshot.v1') {
    rows.pools.push(...poolRows(event))
    rows.pool_states.push(...poolStateRows(event))
  }
  pushStakes(rows, event, moment)
}

const latestPools = (rows: StatelessRows['pools']): StatelessRows['pools'] => [
  ...new Map(rows.map((row) => [row.operator_address, row])).values(),
]

/** What of it could not be read, or not be folded. */
const applyRecord = (
  context: FoldContext,
  record: FoldRecord,
  offset: bigint,
): Unread | undefined => {
  const { decoded, moment } = record
  if (!decoded.ok) return unreadRecord(record, decoded)
  const { event } = decoded
  if (event.type === 'rollcall.abci-event.unread.v1') return unreadAbciEvent(event, record)
  if (!moment) return undefined
  return attempt([record], () => applyEvent(context, event, { moment, offset }))[0]
}

/** A step over some records. One that the fold fails on must not keep all others from being served. */
const attempt = (records: readonly FoldRecord[], step: () => void): Unread[] => {
  try {
    step()
    return []
  } catch (error) {
    return records.flatMap((record) => {
      if (!record.decoded.ok) return []
      const { event } = record.decoded
      const reason = `${event.type} could not be folded: ${(error as Error).message}`
      return unreadRecord(record, { envelope: event, reason })
    })
  }
}

const ofEvents =
  (isOne: (event: GovernanceEvent) => boolean) =>
  ({ decoded }: FoldRecord): boolean =>
    decoded.ok && isOne(decoded.event)

const isSnapshot = (event: GovernanceEvent) => event.type === 'rollcall.chain.snapshot.v1'
const isEvidence = (event: GovernanceEvent) => event.type === 'rollcall.tally.evidence.v1'

const applyHeight = (
  context: FoldContext,
  records: readonly FoldRecord[],
  prepared: PreparedTallies | undefined,
): { unread: Unread[]; tallies: StatelessRows['tallies'] } => {
  // Folding again must begin with a whole height, so that is where every event of it stands.
  const offset = records[0]?.offset ?? 0n
  const events: GovernanceEvent[] = []
  const observations: BookEvent[] = []
  const snapshot: SnapshotChunk[] = []
  for (const { decoded } of records) {
    if (!decoded.ok) continue
    const { event } = decoded
    events.push(event)
    if (isObservation(event)) observations.push(event)
    if (event.type === 'rollcall.chain.snapshot.v1') snapshot.push({ event, offset })
  }
  let tallies: StatelessRows['tallies'] = []
  const unread: Unread[] = []
  const keep = (problems: readonly Unread[]): void => {
    for (const problem of problems) {
      applyUnread(context, problem, offset)
      unread.push(problem)
    }
  }
  const step = (isOne: (event: GovernanceEvent) => boolean, apply: () => void): void =>
    keep(attempt(records.filter(ofEvents(isOne)), apply))
  // What the height left behind comes first: every row of it is priced with the state after it, and
  // an operator is known as one whether its vote or its pool's first observation stands first.
  if (observations.length > 0) step(isObservation, () => observe(context, observations))
  if (snapshot.length > 0) {
    step(isSnapshot, () => {
      tallies = applySnapshot(context, snapshot)
    })
  }
  for (const record of records) {
    const problem = applyRecord(context, record, offset)
    if (problem) keep([problem])
  }
  // The last word on a round that ended here, whatever else this height said of it.
  step(isEvidence, () => applyEvidence(context, events, prepared))
  context.proposals.settle()
  return { unread, tallies }
}

/** Where a record stands on the chain. What has no legible index stands at its height's very end. */
const positionOfRecord = ({ moment, height }: FoldRecord): bigint =>
  moment?.position ?? positionOf({ height, index: indexOf(ORDINAL.marker, 0) - 1 })

const isMarker = ({ decoded }: FoldRecord): boolean =>
  decoded.ok && decoded.event.type === 'rollcall.block.indexed.v1'

/** A marker ends its height: what stands behind it with the same height is the height told again. */
const groupByHeight = (records: readonly FoldRecord[]): FoldRecord[][] => {
  const groups: FoldRecord[][] = []
  let isOpen = false
  for (const record of records) {
    const last = groups.at(-1)
    if (isOpen && last?.[0]?.height === record.height) last.push(record)
    else groups.push([record])
    isOpen = !isMarker(record)
  }
  return groups
}

export const createGovernanceFold = (options: FoldOptions = {}): GovernanceFold => {
  const book = createPoolBook()
  const proposals = createOpenProposals(book, options.closed ?? [])
  const context = { book, proposals }
  const keepsRows = options.keepsRows ?? (() => true)
  let rows = emptyRows()
  let lastPosition = -1n
  return {
    apply(records, prepared) {
      for (const told of groupByHeight(records)) {
        // A height that was told before, whoever repeats it.
        const group = told.filter((record) => positionOfRecord(record) > lastPosition)
        const last = group.at(-1)
        if (!last) continue
        lastPosition = positionOfRecord(last)
        const { unread, tallies } = applyHeight(context, group, prepared)
        if (!keepsRows()) continue
        for (const record of group) pushStateless(rows, record)
        for (const { letter } of unread) rows.dead_letters.push(deadLetterRow(letter))
        rows.tallies.push(...tallies)
      }
    },
    drain() {
      const folded = proposals.drain()
      const { tallies, pools, ...stateless } = rows
      rows = emptyRows()
      return {
        ...stateless,
        ...folded,
        pools: latestPools(pools),
        tallies: [...tallies, ...folded.tallies],
      }
    },
    firstOffset: () => proposals.firstOffset(),
    openProposals: () => [...proposals.all()].length,
  }
}
