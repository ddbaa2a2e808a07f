// A table that a script sorts and filters. On a phone each row is a list; the roles keep it a table for screen readers.
import { type Html, html } from '../../../infra/base/html/html.ts'
import { type Column, scrollable } from './elements.ts'

type Cell = { shown: Html; sort: string | undefined }

type SortableTable = {
  label: string
  rowName: string
  totalItems: number
  columns: readonly Column[]
  rows: readonly {
    rank: number
    choice: readonly [value: string, name: string]
    cells: readonly Cell[]
  }[]
}

const numberClass = ({ isNumber }: Column): Html | undefined =>
  isNumber ? html` class="number"` : undefined

const columnHead = (column: Column): Html =>
  html`<th role="columnheader" scope="col"${numberClass(column)}>${column.name}</th>`

const bodyCell = ({ shown, sort }: Cell, column: Column | undefined, n: number): Html => {
  if (n === 0 || !column) return html`<th role="rowheader" scope="row">${shown}</th>`
  const order = sort !== undefined && html` data-sort="${sort}"`
  // One element: on a phone, the card layout puts it next to the label.
  return html`
<td role="cell" data-label="${column.name}"${numberClass(column)}${order}><span>${shown}</span></td>`
}

export const sortableTable = ({
  label,
  rowName,
  totalItems,
  columns,
  rows,
}: SortableTable): Html => {
  const shown = rows.map(
    ({ rank, choice: [value, name], cells }) =>
      html`<tr role="row" data-rank="${rank}" data-choice="${value}" data-choice-name="${name}">
${cells.map((cell, n) => bodyCell(cell, columns[n], n))}</tr>`,
  )
  return scrollable(
    label,
    html`<table class="votes" role="table" data-sortable="${rowName}" data-total="${totalItems}">\
<thead role="rowgroup"><tr role="row">${columns.map(columnHead)}</tr></thead>\
<tbody role="rowgroup">
${shown}
</tbody></table>`,
  )
}
