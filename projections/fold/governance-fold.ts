// Folds the whole log: records in, rows of every table out. A fold from its first offset gives the same state.
import { markerIn } from '../../ingest/contract/codec.ts'
import { ORDINAL, toIndex, toPosition } from '../../ingest/contract/envelope.ts'
import { foldHeight } from './height.ts'
import type { FoldRecord } from './record.ts'
import { append } from './rows/event-rows.ts'
import { emptyRows, type FoldedRows, takeOpenRows } from './rows/rows.ts'
import { type ClosedProposal, createFoldState, firstOffset } from './state.ts'

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
