// The status page of the operator port: readiness with its reasons, and the lists of its details as tables.
import { renderPage } from '../../html/render.tsx'

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

function Table({ name, rows }: { name: string; rows: readonly Row[] }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <table>
      <caption>{inWords(name)}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{inWords(column)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column) => (
              <td>{cell(row[column])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const STYLE = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif }
body { margin: 2rem }
table { border-collapse: collapse; margin-block: 1rem }
caption { text-align: start; font-weight: bold }
th, td { text-align: start; padding: .3rem .8rem .3rem 0 }
`

/** Reloads itself. Every text is escaped: reasons quote what endpoints say. */
export function operatorsPage({ ready, reasons, details = {} }: Shown): string {
  const title = ready ? 'Ready' : 'Not ready'
  return renderPage(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta http-equiv="refresh" content="10" />
        <title>{title}</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {reasons.length > 0 && (
            <ul>
              {reasons.map((reason) => (
                <li>{reason}</li>
              ))}
            </ul>
          )}
          {Object.entries(details).map(
            ([name, value]) => isTable(value) && <Table name={name} rows={value} />,
          )}
          <p>
            <a href="/readyz">/readyz</a> <a href="/metrics">/metrics</a>{' '}
            <a href="/livez">/livez</a>
          </p>
        </main>
      </body>
    </html>,
  )
}
