// The status page of the operator port: readiness with its reasons, and the lists of its details as tables.
import { type Html, html, markupOf } from '../../html/html.ts'

type Row = Readonly<Record<string, unknown>>

/** The readiness of a service. */
type Shown = { ready: boolean; reasons: readonly string[]; details?: Row }

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow)

/** `earliestBlock` → `earliest block`. */
const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return 'not known'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const line = (row: Row, columns: readonly string[]): Html =>
  html`<tr>${columns.map((column) => html`<td>${cell(row[column])}</td>`)}</tr>`

const table = (name: string, rows: readonly Row[]): Html => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return html`<table><caption>${inWords(name)}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${inWords(column)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => line(row, columns))}</tbody></table>`
}

const STYLE = html`<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif }
body { margin: 2rem }
table { border-collapse: collapse; margin-block: 1rem }
caption { text-align: start; font-weight: bold }
th, td { text-align: start; padding: .3rem .8rem .3rem 0 }
</style>`

/** Reloads itself. Every text is escaped: reasons quote what endpoints say. */
export const operatorsPage = ({ ready, reasons, details = {} }: Shown): string =>
  markupOf(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="10">
<title>${ready ? 'Ready' : 'Not ready'}</title>${STYLE}</head>
<body><main><h1>${ready ? 'Ready' : 'Not ready'}</h1>
${reasons.length > 0 && html`<ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
${Object.entries(details).map(([name, value]) => isTable(value) && table(name, value))}
<p><a href="/readyz">/readyz</a> <a href="/metrics">/metrics</a> <a href="/livez">/livez</a></p>
</main></body></html>
`)
