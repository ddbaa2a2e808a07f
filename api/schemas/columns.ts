// The type of CSV columns, in order. Columns are added at the end and never renamed: programs read them by name or by index.
import type { TObject } from 'typebox'

export type Cell = string | number | boolean | null | undefined

/** A method type, because methods are bivariant: an array can then contain lists with different rows. */
type Column<Row> = { cell(row: Row): Cell }['cell']

export type Columns<Row> = Readonly<Record<string, Column<Row>>>

/** One column per member of a flat schema. A new member must then be the last one of the schema. */
export const createColumns = <Row extends Readonly<Record<string, Cell>>>({
  properties,
}: TObject): Columns<Row> =>
  Object.fromEntries(Object.keys(properties).map((name) => [name, (row: Row) => row[name]]))

type Option = { option: string; weight: string }

/** `yes:1.000000000000000000`; the options of a split vote are separated by spaces. */
export const formatChoices = (options: readonly Option[]): string =>
  options.map(({ option, weight }) => `${option}:${weight}`).join(' ')
