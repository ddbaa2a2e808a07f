// Shared HTML elements: sections, collapsed details, fact lists and parts of tables.
import { type Html, type HtmlValue, html } from '../../../infra/base/html/html.ts'

type Section = { id: string; title: HtmlValue; isLive?: boolean }

/** A section with a heading. A script replaces live sections when their data changes. */
export const section = ({ id, title, isLive = false }: Section, content: HtmlValue): Html => {
  const live = isLive && html` data-live="yes"`
  return html`<section id="${id}"${live} aria-labelledby="${id}-title">\
<h2 id="${id}-title">${title}</h2>${content}</section>`
}

/** Collapsed by default. Live updates keep it open, by its id. */
export const folded = (id: string, summary: string, content: HtmlValue): Html =>
  html`<details id="${id}"><summary>${summary}</summary>${content}</details>`

/** A term and its values in a list of facts. */
export const fact = (name: HtmlValue, ...values: readonly HtmlValue[]): Html =>
  html`<dt>${name}</dt>${values.map((value) => html`<dd>${value}</dd>`)}`

export type Column = { name: string; isNumber?: boolean }

const columnHead = ({ name, isNumber = false }: Column): Html =>
  html`<th scope="col"${isNumber && html` class="number"`}>${name}</th>`

export const tableHead = (columns: readonly Column[]): Html =>
  html`<thead><tr>${columns.map(columnHead)}</tr></thead>`

/** The head of a table in which all columns but the first are numbers. */
export const numbersHead = (first: string, ...others: readonly string[]): Html =>
  tableHead([{ name: first }, ...others.map((name) => ({ name, isNumber: true }))])

export const rowHead = (value: HtmlValue): Html => html`<th scope="row">${value}</th>`

export const numberCell = (value: HtmlValue): Html => html`<td class="number">${value}</td>`

/** A row of that table. */
export const numbersRow = (head?: HtmlValue, ...numbers: readonly HtmlValue[]): Html =>
  html`<tr>${rowHead(head)}${numbers.map(numberCell)}</tr>`

/** A row at the end of that table. Missing cells are empty. */
export const totalsRow = ([head, ...numbers]: readonly HtmlValue[], width: number): Html => {
  const missing = Array.from({ length: width - 1 - numbers.length }, () => html`<td></td>`)
  return html`<tr>${rowHead(head)}${numbers.map(numberCell)}${missing}</tr>`
}

/** Scrolls wide tables sideways. It has a label and takes the focus, so the keyboard can scroll it. */
export const scrollable = (label: string, table: Html): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`

/** A labelled control of a form. */
export const field = (id: string, label: string, control: Html): Html =>
  html`<p class="field"><label for="${id}">${label}</label>${control}</p>`
