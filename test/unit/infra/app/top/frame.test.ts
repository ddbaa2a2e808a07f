// Tests of the text of `rollcall top`: from metrics to the lines of a terminal.
import { describe, expect, it } from 'vitest'
import { createAlertHistory } from '../../../../../infra/app/top/alerts.ts'
import { frameLines, summaryLine } from '../../../../../infra/app/top/frame.ts'
import { createOverview } from '../../../../../infra/app/top/overview.ts'
import type { Reading } from '../../../../../infra/app/top/reading.ts'
import { hasColours, styledText } from '../../../../../infra/app/top/style.ts'
import { reached, unreachable } from './readings.ts'

const AT_MS = Date.UTC(2026, 10, 23, 12, 34, 56)
const TERMINAL = { columns: 80, rows: 24 }

const ingestText = (heights: number) =>
  `rollcall_ingest_leading 1
rollcall_ingest_tip_height 1612
rollcall_ingest_appended_height 1610
rollcall_ingest_lag_blocks 2
rollcall_ingest_heights_total ${heights}`

const projectionsText = (events: number) =>
  `rollcall_projections_leading 1
rollcall_projections_height 1609
rollcall_projections_lag_events 12
rollcall_projections_events_total ${events}`

const apiText = (ok: number, failed: number) =>
  `rollcall_api_served_height 1608
rollcall_api_freshness_seconds 0.84
rollcall_api_stream_listeners 3
rollcall_api_answers_total{operation="getHealth",status="200"} ${ok}
rollcall_api_answers_total{operation="getHealth",status="500"} ${failed}`

const at = (port: number, text: string, atMs: number): Reading =>
  reached(text, { url: `http://127.0.0.1:${port}`, atMs })

const createContents = (before: readonly Reading[], now: readonly Reading[]) => ({
  overview: createOverview(before, now),
  alerts: createAlertHistory().update(now, AT_MS),
  atMs: AT_MS,
})

const services = () => {
  const before = [
    at(9001, ingestText(100), 0),
    at(9003, projectionsText(1_000), 0),
    at(9005, apiText(50, 0), 0),
  ]
  const now = [
    at(9001, ingestText(102), 2_000),
    at(9002, 'rollcall_ingest_leading 0', 2_000),
    at(9003, projectionsText(1_030), 2_000),
    at(9005, apiText(60, 1), 2_000),
    unreachable('http://127.0.0.1:9006', 'connect ECONNREFUSED 127.0.0.1:9006'),
  ]
  return createContents(before, now)
}

const renderLines = (...parameters: Parameters<typeof frameLines>): string[] =>
  frameLines(...parameters).map(({ text }) => text)

describe('the view of rollcall top', () => {
  it('shows heights, lag, rates, leaders, one row for each service and the alerts', () => {
    expect(renderLines(services(), TERMINAL)).toEqual([
      'Rollcall   12:34:56 UTC   4 of 5 operator ports respond',
      'Height     chain 1,612   log 1,610   projected 1,609   served 1,608',
      'Lag        indexing 0.8 s   to append 2 heights   to project 12 events',
      'Rates      1.0 heights/s   15.0 events/s   5.5 requests/s   0.5 errors/s',
      'Streams    3 listeners',
      'Leaders    ingest at 127.0.0.1:9001   projections at 127.0.0.1:9003',
      '',
      'INSTANCE             SERVICE     STATE     HEIGHT     QUEUE       RATE',
      '127.0.0.1:9001       ingest      leads     1,610      2 heights   1.0 heights/s',
      '127.0.0.1:9002       ingest      standby   –          –           –',
      '127.0.0.1:9003       projections leads     1,609      12 events   15.0 events/s',
      '127.0.0.1:9005       api         ready     1,608      –           5.5 req/s',
      '127.0.0.1:9006  unreachable: connect ECONNREFUSED 127.0.0.1:9006',
      '',
      'ALERTS, newest first',
      '12:34:56  critical  127.0.0.1:9006: unreachable: connect ECONNREFUSED 127.0.0.1:',
    ])
  })

  it('has a row for each service of one machine, and no rates before the second reading', () => {
    const machine = [at(9090, `${ingestText(5).replace(/.*leading.*\n/, '')}\n${apiText(1, 0)}`, 0)]
    const lines = renderLines(createContents([], machine), TERMINAL)
    expect(lines[3]).toBe('Rates      – heights/s   – events/s   – requests/s   – errors/s')
    expect(lines.filter((line) => line.startsWith('127.0.0.1:9090'))).toEqual([
      '127.0.0.1:9090       ingest      ready     1,610      2 heights   –',
      '127.0.0.1:9090       api         ready     1,608      –           –',
    ])
    expect(lines.slice(-2)).toEqual(['ALERTS, newest first', 'none'])
  })

  it('has no rate for a process that restarted between two readings', () => {
    const { overview } = createContents(
      [at(9001, ingestText(100), 0)],
      [at(9001, ingestText(3), 1_000)],
    )
    expect(overview.heightsPerSecond).toBeUndefined()
  })

  it('fits a terminal of any size, and shows the number of omitted lines', () => {
    const now = Array.from({ length: 40 }, (_, index) =>
      unreachable(`http://127.0.0.1:${9000 + index}`, 'x'.repeat(200)),
    )
    for (const size of [TERMINAL, { columns: 40, rows: 14 }, { columns: 300, rows: 30 }]) {
      const lines = renderLines(createContents([], now), size)
      expect(lines.length).toBeLessThanOrEqual(size.rows)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(size.columns)
      expect(lines.filter((line) => /^and \d+ more$/.test(line))).toHaveLength(2)
    }
  })

  it('removes control characters from all external text', () => {
    const evil = '\u001b]0;title\u0007\u001b[2J\r\n\u202ereversed'
    const now = [
      reached('', { ready: false, reasons: [evil] }),
      unreachable('http://127.0.0.1:9006', evil),
      reached('rollcall_ingest_endpoint_healthy{endpoint="a\\nb\u009b2Jc"} 0'),
    ]
    const contents = createContents([], now)
    const lines = [...renderLines(contents, { columns: 200, rows: 50 }), summaryLine(contents)]
    expect(lines.join('')).toContain(']0;title[2Jreversed')
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  it('shows the same on one line without a terminal', () => {
    expect(summaryLine(services())).toBe(
      '2026-11-23T12:34:56.000Z height 1,608 of 1,612, indexing lag 0.8 s, 1.0 heights/s, 5.5 requests/s, ' +
        '4 of 5 respond, alerts: 127.0.0.1:9006: unreachable: connect ECONNREFUSED 127.0.0.1:9006',
    )
  })

  it('has colors on a terminal only, and none if NO_COLOR is set', () => {
    expect(hasColours(true, undefined)).toBe(true)
    expect(hasColours(true, '')).toBe(true)
    expect(hasColours(true, '1')).toBe(false)
    expect(hasColours(false, undefined)).toBe(false)
    const line = { text: 'not ready', style: 'red' } as const
    expect(styledText(line, true)).toBe('\u001b[31mnot ready\u001b[0m')
    expect(styledText(line, false)).toBe('not ready')
  })
})
