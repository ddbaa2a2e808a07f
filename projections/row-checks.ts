// Checks rows against the columns of their table before an insert. An invalid value becomes NULL if the column allows it; else
// the row is left out. Both are reported as a fault. Pure.
import { type ColumnCheck, compileColumn } from './column-checks.ts'
import { type CheckedRows, type CheckedTable, COLUMNS } from './contract/columns.ts'

/** A row that could not be stored without changes. */
export type RowFault = {
  table: string
  /** `'0'` if the row belongs to no single proposal. */
  proposalId: string
  /** Position of the row's event. */
  position: bigint
  /** Names table and column without the value: equal for every row with the same fault. */
  reason: string
  /** The exact fault, for the operator. */
  detail: string
}

type Row = Record<string, unknown>

const UINT64 = compileColumn('UInt64')
const MAX_SHOWN = 100

const checks = new Map(
  Object.entries(COLUMNS).map(([table, columns]): [string, [string, ColumnCheck][]] => [
    table,
    Object.entries(columns).map(([column, type]) => [column, compileColumn(type)]),
  ]),
)

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const digitsIn = (row: Row, columns: readonly string[]): string => {
  const value = columns.map((column) => row[column]).find((found) => UINT64.fits(found))
  return typeof value === 'string' ? value : '0'
}

/** The proposal and position of a row, for its faults. */
export const createFault = (
  table: string,
  row: object,
  { reason, detail }: { reason: string; detail: string },
): RowFault => ({
  table,
  proposalId: digitsIn(row as Row, ['proposal_id']),
  position: BigInt(digitsIn(row as Row, ['version', 'position'])),
  reason,
  detail,
})

const getColumnType = (table: string, column: string): string =>
  String((COLUMNS as Record<string, Record<string, string>>)[table]?.[column])

type Checked = { row: Row | undefined; faults: RowFault[] }

const repairRow = (table: string, row: Row, columns: readonly [string, ColumnCheck][]): Checked => {
  const stored: Row = { ...row }
  const faults: RowFault[] = []
  let isStorable = true
  for (const [column, check] of columns) {
    const value = row[column]
    if (check.fits(value)) continue
    const repair = check.repair(value)
    stored[column] = repair?.value
    isStorable &&= repair !== undefined
    // Text is stored anyway, with replacements for characters without an encoding.
    if (typeof repair?.value === 'string') continue
    const type = getColumnType(table, column)
    faults.push(
      createFault(table, row, {
        reason: `${table}.${column} cannot hold what was computed`,
        detail: `${column} is ${shown(value)}, which is not a ${type}`,
      }),
    )
  }
  return { row: isStorable ? stored : undefined, faults }
}

export const checkRows = <Table extends CheckedTable>(
  table: Table,
  rows: CheckedRows[Table],
): { rows: CheckedRows[Table]; faults: RowFault[] } => {
  const columns = checks.get(table) ?? []
  // One closure per table, none per row: this runs for every written value.
  const fits = (row: Row): boolean => {
    for (const [column, check] of columns) if (!check.fits(row[column])) return false
    return true
  }
  const all = rows as readonly Row[]
  if (all.every(fits)) return { rows, faults: [] }
  const faults: RowFault[] = []
  const stored = all.flatMap((row) => {
    if (fits(row)) return [row]
    const checked = repairRow(table, row, columns)
    for (const fault of checked.faults) faults.push(fault)
    return checked.row ?? []
  })
  return { rows: stored as unknown as CheckedRows[Table], faults }
}
