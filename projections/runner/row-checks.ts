// Checks rows against the declaration of their table before an insert. An invalid value becomes NULL if the column allows it; else
// the row is left out. Both are reported as a fault. Pure.
import type { Table } from '../contract/table/define-table.ts'
import type { StoredColumn } from '../contract/table/record.ts'

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

const MAX_SHOWN = 100

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

type Checked = Pick<Table, 'name' | 'columns' | 'fits'>

/** The first of these values that fits its column. */
const findFitting = ({ columns }: Checked, row: Row, names: readonly string[]): unknown => {
  const chosen = names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  const found = chosen.find(({ name, fits }) => fits(row[name]))
  return found && row[found.name]
}

/** The proposal and position of a row, for its faults. */
export const createFault = (
  table: Checked,
  row: object,
  { reason, detail }: { reason: string; detail: string },
): RowFault => ({
  table: table.name,
  proposalId: String(findFitting(table, row as Row, ['proposalId']) ?? '0'),
  position: BigInt((findFitting(table, row as Row, ['version', 'position']) as bigint) ?? 0n),
  reason,
  detail,
})

/** Without `LowCardinality`: it changes how a column is stored, not its values. */
const describeType = ({ sql }: StoredColumn): string =>
  sql.replace(/LowCardinality\(([^()]+)\)/, '$1')

/** As it would be stored. */
const describeValue = ({ encode }: StoredColumn, value: unknown): string =>
  shown(encode ? encode(value) : value)

const repairRow = (table: Checked, row: Row): { row: Row | undefined; faults: RowFault[] } => {
  const repaired: Row = { ...row }
  const faults: RowFault[] = []
  let isStorable = true
  for (const column of table.columns) {
    const { name, stored } = column
    const value = row[name]
    if (column.fits(value)) continue
    const repair = column.repair(value)
    repaired[name] = repair?.value
    isStorable &&= repair !== undefined
    // Text is stored anyway, with replacements for characters without an encoding.
    if (typeof repair?.value === 'string') continue
    faults.push(
      createFault(table, row, {
        reason: `${table.name}.${stored} cannot hold what was computed`,
        detail: `${stored} is ${describeValue(column, value)}, which is not a ${describeType(column)}`,
      }),
    )
  }
  return { row: isStorable ? repaired : undefined, faults }
}

export const checkRows = <R extends object>(
  table: Checked,
  rows: readonly R[],
): { rows: readonly R[]; faults: RowFault[] } => {
  const { fits } = table
  if (rows.every((row) => fits(row))) return { rows, faults: [] }
  const faults: RowFault[] = []
  const storable = rows.flatMap((row): R[] => {
    if (fits(row)) return [row]
    const checked = repairRow(table, row as Row)
    for (const fault of checked.faults) faults.push(fault)
    return checked.row ? [checked.row as R] : []
  })
  return { rows: storable, faults }
}
