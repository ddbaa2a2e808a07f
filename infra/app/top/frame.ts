// Renders the overview and the alerts as lines for a terminal of any size. Pure.
import { printable } from '../../runtime/printable.ts'
import type { Alert } from './alerts.ts'
import type { Overview, ServiceRow } from './overview.ts'

export type Style = 'bold' | 'dim' | 'red' | 'yellow'
export type Line = { text: string; style?: Style }
export type FrameContents = { overview: Overview; alerts: readonly Alert[]; atMs: number }
export type FrameSize = { columns: number; rows: number }

const UNKNOWN = '–'
const COLUMNS = [21, 12, 10, 11, 12] as const
const MIN_ALERT_LINES = 3

const integerText = (value: number | undefined): string =>
  value === undefined ? UNKNOWN : value.toLocaleString('en-US', { maximumFractionDigits: 0 })

const rateText = (value: number | undefined): string =>
  value === undefined ? UNKNOWN : value.toFixed(1)

const timeText = (atMs: number): string => new Date(atMs).toISOString().slice(11, 19)

const inColumns = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => {
      const width = COLUMNS[at]
      return width === undefined ? cell : `${cell.slice(0, width - 1).padEnd(width)}`
    })
    .join('')
    .trimEnd()

const headLines = ({ overview, atMs }: FrameContents): Line[] => {
  const { reached, total, leaders, lagHeights, lagEvents, freshnessSeconds } = overview
  const { tip, appended, projected, served, streamListeners } = overview
  const reachedText = `${reached} of ${total} operator ports respond`
  return [
    { text: `Rollcall   ${timeText(atMs)} UTC   ${reachedText}`, style: 'bold' },
    {
      text: `Height     chain ${integerText(tip)}   log ${integerText(appended)}   projected ${integerText(projected)}   served ${integerText(served)}`,
    },
    {
      text: `Lag        indexing ${rateText(freshnessSeconds)} s   to append ${integerText(lagHeights)} heights   to project ${integerText(lagEvents)} events`,
    },
    {
      text: `Rates      ${rateText(overview.heightsPerSecond)} heights/s   ${rateText(overview.eventsPerSecond)} events/s   ${rateText(overview.requestsPerSecond)} requests/s   ${rateText(overview.errorsPerSecond)} errors/s`,
    },
    { text: `Streams    ${integerText(streamListeners)} listeners` },
    { text: `Leaders    ${leaders.length > 0 ? leaders.join('   ') : UNKNOWN}` },
  ]
}

const rowLine = ({ address, service, state, isHealthy, ...row }: ServiceRow): Line => {
  const height = row.height === undefined ? UNKNOWN : integerText(row.height)
  const text =
    service === undefined
      ? // A reason needs the space of all other columns.
        `${inColumns([address, ''])}  ${state}`
      : inColumns([address, service, state, height, row.queue ?? UNKNOWN, row.rate ?? UNKNOWN])
  return isHealthy ? { text } : { text, style: 'red' }
}

const alertLine = ({ level, text, sinceMs, clearedMs }: Alert): Line => {
  if (clearedMs !== undefined) {
    return { text: `${timeText(clearedMs)}  cleared   ${text}`, style: 'dim' }
  }
  const style = level === 'critical' ? 'red' : 'yellow'
  return { text: `${timeText(sinceMs)}  ${level.padEnd(10)}${text}`, style }
}

const cutTo = (lines: readonly Line[], count: number): Line[] => {
  if (lines.length <= count) return [...lines]
  const shown = lines.slice(0, Math.max(0, count - 1))
  return [...shown, { text: `and ${lines.length - shown.length} more`, style: 'dim' }]
}

/** Removes control characters of foreign text, and cuts lines to the width of the terminal. */
const toWidth = ({ text, ...line }: Line, columns: number): Line => ({
  ...line,
  text: [...printable(text)].slice(0, columns).join(''),
})

/** At most as many lines as the terminal has rows. Alerts get the lines that services leave, at least three. */
export const frameLines = (contents: FrameContents, { columns, rows }: FrameSize): Line[] => {
  const { overview, alerts } = contents
  const head = headLines(contents)
  const table = [...overview.rows.map(rowLine)]
  const alertLines: Line[] =
    alerts.length === 0 ? [{ text: 'none', style: 'dim' }] : alerts.map(alertLine)
  const tableTitle = inColumns(['INSTANCE', 'SERVICE', 'STATE', 'HEIGHT', 'QUEUE', 'RATE'])
  // Two titles, each with an empty line above it.
  const free = Math.max(2, rows - head.length - 4)
  const forAlerts = Math.min(alertLines.length, Math.max(MIN_ALERT_LINES, free - table.length))
  const forTable = Math.max(1, free - forAlerts)
  return [
    ...head,
    { text: '' },
    { text: tableTitle, style: 'bold' as const },
    ...cutTo(table, forTable),
    { text: '' },
    { text: 'ALERTS, newest first', style: 'bold' as const },
    ...cutTo(alertLines, forAlerts),
  ].map((line) => toWidth(line, columns))
}

/** Everything on one line, for output that cannot be rewritten. */
export const summaryLine = ({ overview, alerts, atMs }: FrameContents): string => {
  const active = alerts.filter(({ clearedMs }) => clearedMs === undefined)
  const parts = [
    `${new Date(atMs).toISOString()} height ${integerText(overview.served)} of ${integerText(overview.tip)}`,
    `indexing lag ${rateText(overview.freshnessSeconds)} s`,
    `${rateText(overview.heightsPerSecond)} heights/s`,
    `${rateText(overview.requestsPerSecond)} requests/s`,
    `${overview.reached} of ${overview.total} respond`,
    active.length === 0 ? 'no alerts' : `alerts: ${active.map(({ text }) => text).join('; ')}`,
  ]
  return printable(parts.join(', '))
}
