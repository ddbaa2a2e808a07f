// Tests of files that an import refuses: truncated, altered, not an export, or from another log.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogEntry } from '../../infra/base/log/event-log.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'
import { createLogMoves, expectRefused, importInto, readLines } from '../support/log/moved-log.ts'

const HEIGHTS = 160
let demo: DemoLog
beforeAll(async () => {
  demo = await indexDemoChain(HEIGHTS)
})
afterAll(() => demo.remove())

const { exportTo, fileOf } = createLogMoves(() => demo)

describe('an incomplete file', { tags: 'infra:import-is-checked' }, () => {
  it('is refused with the last complete line and height', async () => {
    const { file } = await exportTo('log.ndjson')
    const lines = readLines(file)
    const log = await demo.createLog()
    const height = (JSON.parse(lines[499] ?? '') as GovernanceEvent).height
    const expectedError = new RegExp(`is cut off after line 500 \\(height ${height}\\)`)
    await expectRefused(log, fileOf(lines.slice(0, 500)), expectedError)
    await expectRefused(
      log,
      fileOf([...lines.slice(0, 500), lines[500]!.slice(0, 40)], ''),
      expectedError,
    )
    await expectRefused(log, fileOf(lines.slice(0, -1)), /is cut off after line/)
  })

  it('is refused if it is compressed and truncated, or altered', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const bytes = readFileSync(file)
    const log = await demo.createLog()
    const write = (content: Uint8Array) => {
      const made = join(demo.directory(), 'made.gz')
      writeFileSync(made, content)
      return made
    }
    await expectRefused(log, write(bytes.subarray(0, bytes.length >> 1)), /is cut off after line/)
    const altered = Buffer.from(bytes)
    altered[altered.length - 5]! ^= 1
    await expectRefused(log, write(altered), /compressed bytes were altered/)
  })

  it('is refused if it has an altered byte, with the line where it is unreadable', async () => {
    const { file } = await exportTo('log.ndjson')
    const log = await demo.createLog()
    const lines = readLines(file)
    const lineIndex = lines.findIndex((line) => /"option":"yes"/.test(line))
    const altered = lines.with(
      lineIndex,
      lines[lineIndex]!.replace('"option":"yes"', '"option":"nay"'),
    )
    expect(lineIndex).toBeGreaterThan(0)
    await expectRefused(log, fileOf(altered), /was altered: its checksum differs/)
    const broken = lines.with(700, lines[700]!.replace('{', ''))
    await expectRefused(log, fileOf(broken), /was altered at line 701: not JSON/)
    await expectRefused(log, fileOf(lines.toSpliced(700, 1)), /was altered|gap/)
    await expectRefused(log, fileOf([...lines, lines[1]!]), /has lines after its trailer/)
  })

  it('is refused if it is not an export', async () => {
    const { file } = await exportTo('log.ndjson')
    const log = await demo.createLog()
    await expectRefused(log, fileOf(readLines(file).slice(1)), /its first line is not a header/)
    await expectRefused(log, fileOf(['hello']), /its first line is not a header/)
    const newer = (readLines(file)[0] ?? '').replace('"format":1', '"format":2')
    await expectRefused(log, fileOf([newer]), /has format 2, .* reads format 1/)
  })
})

/** The records of the demo as another chain, or another history of the same chain. */
const rewritten = (change: (text: string) => string): LogEntry[] =>
  demo.records.map((record) => ({
    ...record,
    value: Buffer.from(change(Buffer.from(record.value).toString())),
  }))

describe('a log that does not match the file', { tags: 'infra:import-is-checked' }, () => {
  it('is not changed if the file is of another chain', async () => {
    const other = await demo.createLog(
      rewritten((text) => text.replaceAll('rollcall-demo-1', 'other-1')),
    )
    const { file } = await exportTo('other.ndjson', { log: other })
    const error = await expectRefused(
      demo.log,
      file,
      /is of chain other-1, the log of rollcall-demo-1/,
    )
    expect(hasCode(error, 'CHAIN_MISMATCH')).toBe(true)
  })

  it('is not changed if it has other bytes at the same heights, and the error names the height', async () => {
    let changed = 0
    const entries = rewritten((text) =>
      text.includes('"rollcall.vote.cast.v1"') && changed++ === 3
        ? text.replace('"weight":"1.', '"weight":"2.')
        : text,
    )
    const other = await demo.createLog(entries)
    const { file } = await exportTo('other.ndjson', { log: other })
    const half = await demo.createLog(
      demo.records.slice(
        0,
        demo.records.findIndex(({ height }) => height > 110),
      ),
    )
    await expectRefused(half, file, /at height \d+: they have other bytes of rollcall-demo-1\/\d+/)
  })

  it('is not changed if it is longer, if heights are missing between, or if the file has no start', async () => {
    const first = await exportTo('a.ndjson', { to: 50 })
    const third = await exportTo('c.ndjson', { from: 90 })
    await expectRefused(demo.log, first.file, /goes to height 160, beyond the file/)
    const short = await demo.createLog()
    await expectRefused(short, third.file, /the log is empty, and the file begins at height/)
    await importInto(short, first.file)
    await expectRefused(short, third.file, /heights 51 to \d+ are missing/)
  })

  it('is not changed if the file continues another block than its last one', async () => {
    const first = await exportTo('a.ndjson', { to: 100 })
    const log = await demo.createLog(
      rewritten((text) =>
        text.includes(`rollcall-demo-1/${first.to}/2147479552`)
          ? text.replace(/"hash":"[0-9A-F]{8}/, '"hash":"00000000')
          : text,
      ).slice(
        0,
        demo.records.findIndex(({ height }) => height > first.to),
      ),
    )
    const second = await exportTo('b.ndjson', { from: first.to + 1 })
    await expectRefused(log, second.file, /does not follow the log: block \d+ follows/)
  })
})
