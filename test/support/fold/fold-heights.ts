// Folds heights of events into tables in memory, for tests of the rows that a reader sees.
import { encodeEvent } from '../../../ingest/contract/codec.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { Table } from '../../../projections/contract/table/define-table.ts'
import { GOVERNANCE_TABLES, type GovernanceTable } from '../../../projections/contract/tables.ts'
import { createGovernanceFold } from '../../../projections/fold/governance-fold.ts'
import { type FoldRecord, readRecord } from '../../../projections/fold/record.ts'
import type { FoldedRows } from '../../../projections/fold/rows/rows.ts'
import { createMemoryTables, type MemoryTables, type TableName } from '../store/memory-store.ts'

export const toFoldRecords = (events: readonly GovernanceEvent[], firstOffset = 0n): FoldRecord[] =>
  events.map((event, order) =>
    readRecord({
      offset: firstOffset + BigInt(order),
      height: event.height,
      timeMs: Date.parse(event.time),
      value: encodeEvent(event),
    }),
  )

/** The rows of the tables after these heights, each drained separately. */
export const foldHeights = (
  heights: readonly (readonly FoldRecord[] | readonly GovernanceEvent[])[],
): MemoryTables & { undecodable: FoldedRows['undecodable'] } => {
  const fold = createGovernanceFold()
  const tables = createMemoryTables()
  const undecodable: FoldedRows['undecodable'] = []
  let offset = 0n
  for (const height of heights) {
    const [first] = height
    const records =
      first && 'decoded' in first
        ? (height as readonly FoldRecord[])
        : toFoldRecords(height as readonly GovernanceEvent[], offset)
    offset += BigInt(records.length)
    fold.apply(records)
    const { tallyAlerts: _alerts, impossible: _impossible, ...rest } = fold.drain()
    const { undecodable: found, ...drained } = rest
    undecodable.push(...found)
    for (const [name, rows] of Object.entries(drained)) {
      const table: Table = GOVERNANCE_TABLES[name as GovernanceTable]
      tables.insert(table.name as TableName, rows.map(table.encode))
    }
  }
  return { ...tables, undecodable }
}
