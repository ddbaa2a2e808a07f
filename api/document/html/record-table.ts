// A table that shows each row as a list on a phone. The ARIA roles keep it a table for screen readers.
import { type Html, html } from '../../../infra/base/html/html.ts'
import type { Column } from './elements.ts'

type RecordTable = {
  /** The accessible name of the table. */
  label: string
  caption: string
  columns: readonly Column[]
  /** The first cell is the header of its row. */
  rows: readonly (readonly Html[])[]
}

const cellClass = ({ isNumber }: Column): string => (isNumber ? 'number' : 'words')

const columnHead = (column: Column): Html =>
  html`<th scope="col" role="columnheader" class="${cellClass(column)}">${column.name}</th>`

const bodyCell = (content: Html, column: Column | undefined, n: number): Html => {
  if (n === 0 || !column) return html`<th scope="row" role="rowheader">${content}</th>`
  return html`<td role="cell" class="${cellClass(column)}" data-label="${column.name}">\
<span>${content}</span></td>`
}

const bodyRow = (cells: readonly Html[], columns: readonly Column[]): Html =>
  html`<tr role="row">${cells.map((cell, n) => bodyCell(cell, columns[n], n))}</tr>\n`

export const recordTable = ({ label, caption, columns, rows }: RecordTable): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">\
<table class="records" role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(columnHead)}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => bodyRow(cells, columns))}</tbody>
</table></div>`
