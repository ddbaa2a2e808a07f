// Folds the whole log: records in, rows of every table out. A fold from its first offset gives the same state. Each height is folded in
// named phases.
import { markerIn } from '../../ingest/contract/codec.ts'
import { ORDINAL, toIndex, toPosition } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { EventPosition } from './event-position.ts'
import { evolve, invalidate } from './evolve.ts'
import { FoldError, foldFailure } from './fold-error.ts'
import { isOfPast, reconstructVotes } from './past-votes.ts'
import {
  type Changing,
  dateBallots,
  giveUpUnread,
  readDepositParams,
  readEndedRound,
  readRound,
} from './proposal.ts'
import { gatherReadings, type Reading } from './reading.ts'
import {
  type FoldRecord,
  type Undecodable,
  undecodableAbciEvent,
  undecodableRecord,
} from './record.ts'
import { addEventRows, append } from './rows/event-rows.ts'
import { emptyRows, type FoldedRows, takeEndedRows, takeOpenRows } from './rows/rows.ts'
import { applySnapshot } from './snapshot.ts'
import { type ClosedProposal, createFoldState, type FoldState, firstOffset } from './state.ts'

/** All records of one height, or of several if a marker is undecodable. */
type Height = {
  records: readonly FoldRecord[]
  /** False if its rows are already written. */
  keepsRows: boolean
}

/** A height during the fold: its rows are returned only after the last phase. */
type Draft = {
  readonly state: FoldState
  readonly records: readonly FoldRecord[]
  readonly events: readonly GovernanceEvent[]
  readonly readings: readonly Reading[]
  readonly keepsRows: boolean
  /** A later fold must begin with a whole height, so every event of the height has this offset. */
  readonly offset: bigint
  readonly rows: FoldedRows
}

/** Yields where other work may run. */
type Steps = Generator<undefined, void>
type Phase = (draft: Draft) => void

const describeRecord = ({ decoded, offset, height }: FoldRecord): string => {
  const name = decoded.ok ? `${decoded.event.type} (${decoded.event.id})` : 'a record'
  return `${name} at offset ${offset}, height ${height},`
}

const changeAt = ({ state, offset }: Draft, { at }: { at: EventPosition }): Changing => ({
  state,
  at,
  offset,
})

const applyUndecodable = (draft: Draft, undecodable: Undecodable): void => {
  invalidate(changeAt(draft, undecodable), undecodable)
  draft.rows.undecodable.push(undecodable)
}

const introduceSnapshot: Phase = ({ state, events, offset, rows }) => {
  const chunks = events.filter((event) => event.type === 'rollcall.chain.snapshot.v1')
  if (chunks.length > 0) append(rows.tallies, applySnapshot(state, chunks, offset))
}

const toUndecodable = (record: FoldRecord): Undecodable | undefined => {
  const { decoded } = record
  if (!decoded.ok) return undecodableRecord(record, decoded)
  const { event } = decoded
  const isUndecodable = event.type === 'rollcall.abci-event.undecodable.v1'
  return isUndecodable ? undecodableAbciEvent(event, record) : undefined
}

const refusedRecord = (record: FoldRecord, event: GovernanceEvent, reason: string): Undecodable =>
  undecodableRecord(record, {
    envelope: event,
    reason: `${event.type} could not be folded: ${reason}`,
  })

const applyRecord = (draft: Draft, record: FoldRecord): void => {
  const undecodable = toUndecodable(record)
  if (undecodable) applyUndecodable(draft, undecodable)
  const { at } = record
  if (undecodable || !record.decoded.ok || !at) return
  const { event } = record.decoded
  try {
    evolve(changeAt(draft, { at }), event)
  } catch (error) {
    if (!(error instanceof FoldError)) throw foldFailure(describeRecord(record), error)
    applyUndecodable(draft, refusedRecord(record, event, error.message))
  }
}

const applyEvents: Phase = (draft) => {
  for (const record of draft.records) applyRecord(draft, record)
}

const isOfSnapshot = ({ ordinal }: Reading): boolean => ordinal === ORDINAL.before
const isOfHistory = ({ ordinal }: Reading): boolean => ordinal === ORDINAL.history

const applyReadings = (draft: Draft, isOfPhase: boolean): void => {
  for (const reading of draft.readings) {
    if (reading.head.final || isOfSnapshot(reading) !== isOfPhase) continue
    const read = isOfHistory(reading) ? dateBallots : readRound
    read(changeAt(draft, reading), reading)
  }
}

const readSnapshotVotes: Phase = (draft) => applyReadings(draft, true)

/** After the events and the tallies of the height: the state is that of its end. */
const readOpenVotes: Phase = (draft) => applyReadings(draft, false)

function* applyTallies(draft: Draft): Steps {
  for (const reading of draft.readings) {
    if (!reading.head.final || isOfHistory(reading)) continue
    yield* readEndedRound(changeAt(draft, reading), reading)
  }
}

const applyParams: Phase = (draft) => {
  for (const reading of draft.readings) {
    if (!isOfHistory(reading)) readDepositParams(changeAt(draft, reading), reading)
  }
}

/** Leaves no state: after a restart, heights with written rows need not reconstruct anything again. */
function* reconstruct(draft: Draft): Steps {
  const { state, records, readings, offset, keepsRows } = draft
  const events = keepsRows ? draft.events.filter(isOfPast) : []
  if (events.length === 0) return
  const past = readings.filter((reading) => reading.head.final && isOfHistory(reading))
  const refused = yield* reconstructVotes(state, { events, readings: past, offset })
  for (const { events: rounds, reason } of refused) {
    for (const event of rounds) {
      const record = records.find(({ decoded }) => decoded.ok && decoded.event === event)
      if (record) applyUndecodable(draft, refusedRecord(record, event, reason))
    }
  }
}

const recordFacts: Phase = ({ records, rows, keepsRows }) => {
  if (keepsRows) for (const record of records) addEventRows(rows, record)
}

const closeEnded: Phase = ({ state, rows }) => {
  for (const round of state.changed.rounds) round.settle()
  takeEndedRows(rows, state)
  state.endedRounds.clear()
  for (const proposal of state.closing) {
    const { proposalId } = proposal
    state.proposals.delete(proposalId)
    state.closed.add(proposalId)
    if (proposal.unread.length > 0) state.awaited.set(proposalId, proposal)
  }
  state.closing.clear()
}

const giveUp: Phase = (draft) => {
  const at = draft.records.findLast((record) => record.at)?.at
  if (at) giveUpUnread(changeAt(draft, { at }))
}

function* runPhases(draft: Draft): Steps {
  introduceSnapshot(draft)
  readSnapshotVotes(draft)
  applyEvents(draft)
  yield* applyTallies(draft)
  readOpenVotes(draft)
  applyParams(draft)
  recordFacts(draft)
  closeEnded(draft)
  yield* reconstruct(draft)
  closeEnded(draft)
  giveUp(draft)
}

/**
 * The rows and alerts that are final with this height. Rows of open votes are created once per
 * commit (`takeOpenRows`). Throws `FOLD_FAILED` on a defect: then the state must not be used any more.
 */
function* foldHeight(state: FoldState, height: Height): Generator<undefined, FoldedRows> {
  const { records } = height
  const [first] = records
  const events: GovernanceEvent[] = []
  for (const { decoded } of records) if (decoded.ok) events.push(decoded.event)
  const readings = gatherReadings(events)
  const offset = first?.offset ?? 0n
  const draft = { ...height, state, events, readings, offset, rows: emptyRows() }
  try {
    yield* runPhases(draft)
  } catch (error) {
    throw foldFailure(first ? describeRecord(first) : 'a height', error)
  }
  return draft.rows
}

/** `keepsRows`: false for records with written rows: only the state of open proposals is kept. */
type ApplyOptions = { keepsRows?: boolean }

export type GovernanceFold = {
  /**
   * Folds all records of one or more heights. Throws `FOLD_FAILED` on a defect: then this fold must not be
   * used any more.
   */
  apply(records: readonly FoldRecord[], options?: ApplyOptions): void
  /** The same in steps, between which other work may run. */
  applySteps(records: readonly FoldRecord[], options?: ApplyOptions): Generator<undefined, void>
  /** Rows that changed since the last call, one per key. */
  drain(): FoldedRows
  /** First offset of open state; undefined if nothing is open. */
  firstOffset(): bigint | undefined
  openProposals(): number
}

/** The position of a record on the chain. A record without a valid index is at the end of its height. */
const getRecordPosition = ({ at, height }: FoldRecord): bigint =>
  at?.value ?? toPosition({ height, index: toIndex(ORDINAL.marker, 0) - 1 })

/** A marker ends its height: later records of the same height repeat the height. */
const groupByHeight = (records: readonly FoldRecord[]): FoldRecord[][] => {
  const groups: FoldRecord[][] = []
  let isOpen = false
  for (const record of records) {
    const last = groups.at(-1)
    if (isOpen && last?.[0]?.height === record.height) last.push(record)
    else groups.push([record])
    isOpen = markerIn(record.decoded) === undefined
  }
  return groups
}

const latestPools = (rows: FoldedRows['pools']): FoldedRows['pools'] => [
  ...new Map(rows.map((row) => [row.operatorAddress, row])).values(),
]

const appendRows = (rows: FoldedRows, more: FoldedRows): void => {
  for (const table of Object.keys(rows) as (keyof FoldedRows)[]) {
    append<unknown>(rows[table], more[table])
  }
}

/** `closed`: the proposals that were closed before the first record. */
export const createGovernanceFold = (closed: readonly ClosedProposal[] = []): GovernanceFold => {
  const state = createFoldState(closed)
  let rows = emptyRows()
  let lastPosition = -1n
  function* applySteps(all: readonly FoldRecord[], { keepsRows = true }: ApplyOptions = {}) {
    for (const group of groupByHeight(all)) {
      // A height may be repeated in the log.
      const records = group.filter((record) => getRecordPosition(record) > lastPosition)
      const last = records.at(-1)
      if (!last) continue
      lastPosition = getRecordPosition(last)
      const folded = yield* foldHeight(state, { records, keepsRows })
      if (keepsRows) appendRows(rows, folded)
    }
  }
  return {
    apply(records, options) {
      const steps = applySteps(records, options)
      while (!steps.next().done);
    },
    applySteps,
    drain() {
      takeOpenRows(rows, state)
      const drained = { ...rows, pools: latestPools(rows.pools) }
      rows = emptyRows()
      return drained
    },
    firstOffset: () => firstOffset(state),
    openProposals: () => state.proposals.size,
  }
}
