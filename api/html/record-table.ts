// A table that is read row by row on a phone: each cell then carries its column's name. The roles say that it stays a table.
import { type Html, html } from '../../infra/html/html.ts'

export type Column = { name: string; isNumber?: boolean }

type RecordTable = {
  /** What the table is, for those who are led to it by name. */
  label: string
  caption: string
  columns: readonly Column[]
  /** The first cell names its row. */
  rows: readonly (readonly Html[])[]
}

const lookOf = ({ isNumber }: Column): string => (isNumber ? 'number' : 'words')

const cellOf = (cell: Html, column: Column | undefined, n: number): Html => {
  if (n === 0 || !column) return html`<th scope="row" role="rowheader">${cell}</th>`
  return html`<td role="cell" class="${lookOf(column)}" data-label="${column.name}"><span>${cell}</span></td>`
}

export const recordTable = ({ label, caption, columns, rows }: RecordTable): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="records" role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader" class="${lookOf(column)}">${column.name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => html`<tr role="row">${cells.map((cell, n) => cellOf(cell, columns[n], n))}</tr>\n`)}</tbody>
</table></div>`
