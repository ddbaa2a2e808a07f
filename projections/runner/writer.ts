// Writes one commit in a safe order for readers: rows, then watermarks, then the checkpoint. Waits as long as the store is
// unavailable. A row that its table cannot store is left out and reported, and the commit continues. Any other refusal of the
// store is a defect, and thrown.
import { isRefusedRow, type Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { retry } from '../../infra/base/runtime/retry.ts'
import type { Table } from '../contract/table/define-table.ts'
import { type CheckpointRow, checkpoints } from '../contract/tables/checkpoints.ts'
import type { DeadLetterRow } from '../contract/tables/dead-letters.ts'
import { GOVERNANCE_TABLES, type GovernanceRows, type GovernanceTable } from '../contract/tables.ts'
import type { FoldedRows } from '../fold/rows/rows.ts'
import type { RefusedRows } from './refused-rows.ts'
import { checkRows, createFault, type RowFault } from './row-checks.ts'

export type Writer = {
  /** `checkpointRow` is called after all other writes. */
  commit(rows: FoldedRows, checkpointRow: () => Promise<CheckpointRow>): Promise<void>
  /** One attempt, for a heartbeat. */
  beat(row: CheckpointRow): Promise<void>
}

export type WriterOptions = {
  store: Store
  database: string
  logger: Logger
  clock: Clock
  signal: AbortSignal
  retryMaxMs: number
  countRetry: () => void
  refusedRows: RefusedRows
}

type Insert = (table: string, rows: readonly object[]) => Promise<void>

const describeError = (error: unknown): string => (error as Error).message.split('\n')[0] ?? ''

/** Finds refused rows by bisection; writes all others. */
const insertAccepted = async (
  insert: Insert,
  table: Table,
  rows: readonly object[],
): Promise<RowFault[]> => {
  try {
    await insert(table.name, rows.map(table.encode))
    return []
  } catch (error) {
    if (!isRefusedRow(error)) throw error
    const [only] = rows
    if (rows.length === 1 && only) {
      const reason = `the store refused a row of ${table.name}`
      return [createFault(table, only, { reason, detail: describeError(error) })]
    }
    const middle = Math.ceil(rows.length / 2)
    const faults = await insertAccepted(insert, table, rows.slice(0, middle))
    return [...faults, ...(await insertAccepted(insert, table, rows.slice(middle)))]
  }
}

/** Letters of the same record become one with both reasons: the table keeps one per key. */
const joinLetters = (letters: readonly DeadLetterRow[]): DeadLetterRow[] => {
  const joined = new Map<string, DeadLetterRow>()
  for (const letter of letters) {
    const key = `${letter.offset} ${letter.rowPosition}`
    const other = joined.get(key)
    joined.set(key, other ? { ...other, reason: `${other.reason}; ${letter.reason}` } : letter)
  }
  return [...joined.values()]
}

/** Written last, in this order. */
const LAST: readonly GovernanceTable[] = ['deadLetters', 'watermarks']
const FIRST = (Object.keys(GOVERNANCE_TABLES) as GovernanceTable[]).filter(
  (name) => !LAST.includes(name),
)

export const createWriter = (options: WriterOptions): Writer => {
  const { store, database, logger, clock, signal, refusedRows } = options
  const insert: Insert = (table, rows) => {
    if (rows.length === 0) return Promise.resolve()
    return retry(() => store.insert(`${database}.${table}`, rows), {
      ...policies.writeRows(options.retryMaxMs),
      signal,
      clock,
      onRetry({ attempt, delayMs, error }) {
        options.countRetry()
        logger.warn({ table, attempt, delayMs, reason: error.message }, 'waited for ClickHouse')
      },
    })
  }
  /** Writes every row that the table can store; returns a fault for each of the others. */
  const write = async <Name extends GovernanceTable>(
    name: Name,
    rows: GovernanceRows[Name],
  ): Promise<RowFault[]> => {
    const table: Table = GOVERNANCE_TABLES[name]
    const checked = checkRows<object>(table, rows)
    return [...checked.faults, ...(await insertAccepted(insert, table, checked.rows))]
  }
  /** Rows that report other faults: a fault in them cannot be reported by a row. */
  const reportLost = (faults: readonly RowFault[]): void => {
    for (const { table, proposalId, reason, detail } of faults) {
      logger.error({ table, proposalId, reason, detail }, 'could not store a row')
    }
  }
  return {
    async commit(rows, checkpointRow) {
      const amended = { ...rows, proposals: refusedRows.amend(rows.proposals) }
      const writes = FIRST.map((name) => write(name, amended[name]))
      // A failed commit ends only after all of its writes, so that none of them comes later.
      const written = await Promise.all(writes).finally(() => Promise.allSettled(writes))
      const faults = written.flat()
      let letters = rows.deadLetters
      if (faults.length > 0) {
        const recorded = await refusedRows.recordFaults(faults, amended.proposals)
        reportLost(await write('proposals', recorded.proposals))
        letters = joinLetters([...letters, ...recorded.letters])
      }
      reportLost(await write('deadLetters', letters))
      reportLost(await write('watermarks', rows.watermarks))
      await insert(checkpoints.name, [checkpoints.encode(await checkpointRow())])
    },
    beat: (row) => store.insert(`${database}.${checkpoints.name}`, [checkpoints.encode(row)]),
  }
}
