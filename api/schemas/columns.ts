// The flat columns of a list's rows, by name and in order. Columns are added at the end and never renamed: programs know them by
// name and place.

export type Cell = string | number | boolean | null | undefined

/** As a method: lists of different rows can then stand in one list of lists. */
type Column<Row> = { cell(row: Row): Cell }['cell']

export type Columns<Row> = Readonly<Record<string, Column<Row>>>

type Option = { option: string; weight: string }

/** `yes:1.000000000000000000`; the choices of a split vote with a space between them. */
export const formatChoices = (options: readonly Option[]): string =>
  options.map(({ option, weight }) => `${option}:${weight}`).join(' ')
