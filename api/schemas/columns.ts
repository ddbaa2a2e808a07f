// The type of CSV columns, in order. Columns are added at the end and never renamed: programs read them by name or by index.

export type Cell = string | number | boolean | null | undefined

/** A method type, because methods are bivariant: an array can then contain lists with different rows. */
type Column<Row> = { cell(row: Row): Cell }['cell']

export type Columns<Row> = Readonly<Record<string, Column<Row>>>

type Option = { option: string; weight: string }

/** `yes:1.000000000000000000`; the options of a split vote are separated by spaces. */
export const formatChoices = (options: readonly Option[]): string =>
  options.map(({ option, weight }) => `${option}:${weight}`).join(' ')
