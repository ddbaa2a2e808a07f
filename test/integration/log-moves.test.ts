// Tests of export and import of a log: the copy is equal byte for byte, also after an interruption. A file that is truncated, altered,
// of another log or no export is refused.
import { setMaxListeners } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeLargeFile } from '../../infra/app/tools/log/lines.ts'
import { exportLog, importLog } from '../../infra/app/tools/log/move-log.ts'
import type { EventLog, LogEntry } from '../../infra/base/log/event-log.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import {
  computeFingerprints,
  type DemoLog,
  indexDemoChain,
  readRecords,
} from '../support/log/demo-log.ts'

const HEIGHTS = 160
let demo: DemoLog
beforeAll(async () => {
  demo = await indexDemoChain(HEIGHTS)
})
afterAll(() => demo.remove())

const never = new AbortController().signal
setMaxListeners(0, never)

type Exporting = { log?: EventLog; from?: number; to?: number }
const exportTo = async (
  name: string,
  { log = demo.log, from = 0, to = Number.POSITIVE_INFINITY }: Exporting = {},
) => {
  const file = join(demo.directory(), name)
  const options = { log, from, to, version: '0.0.0', signal: never, onProgress: () => {} }
  const exported = await exportLog({ ...options, output: writeLargeFile(file, never) })
  return { file, ...exported }
}
const importInto = (log: EventLog, file: string, signal = never) =>
  importLog({ log, file, signal, onProgress: () => {} })

const fingerprintLog = async (log: EventLog) => computeFingerprints(await readRecords(log))
const expectWholeCopy = async (log: EventLog) =>
  expect(await fingerprintLog(log)).toEqual(computeFingerprints(demo.records))
const readLines = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)
const eventIn = ({ value }: LogEntry) =>
  JSON.parse(Buffer.from(value).toString()) as GovernanceEvent
/** The records of the demo before this height. */
const recordsUpTo = (height: number, records: readonly LogEntry[] = demo.records) =>
  records.filter((record) => record.height <= height)

describe('an exported log', () => {
  it.each(['log.ndjson', 'log.ndjson.gz'])(
    'as %s imports to the same log, byte for byte',
    { tags: 'infra:export-is-exact' },
    async (name) => {
      const { file, records, wrapped, from, to } = await exportTo(name)
      expect([records, wrapped, from, to]).toEqual([demo.records.length, 0, 1, HEIGHTS])
      const copy = await demo.createLog()
      const imported = await importInto(copy, file)
      expect(imported).toMatchObject({ chainId: 'rollcall-demo-1', present: 0, height: HEIGHTS })
      await expectWholeCopy(copy)
    },
  )

  it('has one unchanged event per line, between its header and its trailer', async () => {
    const { file, sha256 } = await exportTo('log.ndjson')
    const [header = '', ...lines] = readLines(file)
    const trailer = lines.pop() ?? ''
    expect(lines).toEqual(demo.records.map(({ value }) => Buffer.from(value).toString()))
    expect(JSON.parse(header)).toEqual({
      rollcall: 'export',
      format: 1,
      version: '0.0.0',
      chainId: 'rollcall-demo-1',
    })
    expect(JSON.parse(trailer)).toMatchObject({ records: demo.records.length, sha256 })
  })

  it('keeps undecodable records without losing a byte', {
    tags: 'infra:export-is-exact',
  }, async () => {
    const at = demo.records.length >> 1
    const { height, timeMs, ...marker } = demo.records[at]!
    const event = eventIn({ height, timeMs, ...marker })
    const values = [
      '',
      Uint8Array.from({ length: 256 }, (_, at) => at),
      JSON.stringify(event, null, 2),
      '{"rollcall":"end","records":1}',
      JSON.stringify({ ...event, height: event.height + 1 }),
      '[1]',
      // More than one append of an import takes.
      new Uint8Array(5 * 2 ** 20),
    ]
    const entries = values.map((value) => ({ height, timeMs, value: Buffer.from(value) }))
    const log = await demo.createLog(demo.records.toSpliced(at, 0, ...(entries as never[])))
    const { file, wrapped } = await exportTo('log.ndjson', { log })
    expect(wrapped).toBe(entries.length)
    const copy = await demo.createLog()
    await importInto(copy, file)
    expect(await fingerprintLog(copy)).toEqual(await fingerprintLog(log))
  })

  it('of a range has whole heights, and two adjacent ranges make the whole log', async () => {
    const first = await exportTo('a.ndjson', { to: 100 })
    const second = await exportTo('b.ndjson', { from: 101 })
    expect(first.to).toBeLessThanOrEqual(100)
    expect(second.from).toBe(first.to + 1)
    const copy = await demo.createLog()
    await importInto(copy, first.file)
    await importInto(copy, second.file)
    await expectWholeCopy(copy)
  })

  it('of a range starts with the quiet heights of its first marker', async () => {
    const quiet = demo.records
      .map(eventIn)
      .find((event) => event.type === 'rollcall.block.indexed.v1' && event.data.from < event.height)
    if (quiet?.type !== 'rollcall.block.indexed.v1') throw new Error('no quiet heights')
    const { from, to } = await exportTo('q.ndjson', { from: quiet.height, to: quiet.height })
    expect([from, to]).toEqual([quiet.data.from, quiet.height])
    await expect(exportTo('none.ndjson', { from: HEIGHTS + 1 })).rejects.toThrow(/ends at 160/)
  })

  it('to a file that exists leaves that file and no other one if it is canceled', async () => {
    const file = join(demo.directory(), 'kept.gz')
    writeFileSync(file, gzipSync('before'))
    async function* lines() {
      yield Buffer.from('half')
      throw new Error('canceled')
    }
    await expect(writeLargeFile(file, never)(lines())).rejects.toThrow('canceled')
    expect(gunzipSync(readFileSync(file)).toString()).toBe('before')
    expect(readdirSync(demo.directory()).filter((name) => name.endsWith('partial'))).toEqual([])
  })
})

describe('an import that is repeated', () => {
  it('compares the existing heights and continues after them', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const copy = await demo.createLog(recordsUpTo(70))
    const { present, appended } = await importInto(copy, file)
    expect(Math.min(present, appended)).toBeGreaterThan(20)
    await expectWholeCopy(copy)
    expect(await importInto(copy, file)).toMatchObject({ appended: 0, height: HEIGHTS })
  })

  it('leaves whole heights when it is interrupted, and then gives the same log', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const copy = await demo.createLog()
    const ending = new AbortController()
    const append: EventLog['append'] = (entries) => {
      ending.abort()
      return copy.append(entries)
    }
    const error = await importInto({ ...copy, append }, file, ending.signal).catch(
      (thrown: unknown) => thrown,
    )
    if (error !== undefined && !hasCode(error, 'ABORTED')) {
      expect(error).toMatchObject({ present: 0 })
    }
    const left = await fingerprintLog(copy)
    expect(left).toEqual(computeFingerprints(demo.records.slice(0, left.length)))
    await importInto(copy, file)
    await expectWholeCopy(copy)
  })
})

/** Expects this error, and an unchanged log. */
const expectRefused = async (log: EventLog, file: string, words: RegExp) => {
  const before = await fingerprintLog(log)
  const error = await importInto(log, file).catch((thrown: unknown) => thrown)
  expect(String(error)).toMatch(words)
  expect(await fingerprintLog(log)).toEqual(before)
  return error
}
const write = (content: string | Uint8Array, name = 'made.ndjson'): string => {
  const file = join(demo.directory(), name)
  writeFileSync(file, content)
  return file
}
const fileOf = (lines: readonly string[]) => write(`${lines.join('\n')}\n`)

type EditLines = (lines: string[]) => readonly string[]
const BROKEN: readonly [string, EditLines, RegExp][] = [
  ['has no trailer', (lines) => lines.slice(0, -1), /is cut off after line/],
  [
    'has an altered vote',
    (lines) => {
      const vote = lines.findIndex((line) => line.includes('"option":"yes"'))
      return lines.with(vote, lines[vote]!.replace('"option":"yes"', '"option":"nay"'))
    },
    /was altered: its checksum differs/,
  ],
  [
    'has a line that is not JSON',
    (lines) => lines.with(700, lines[700]!.replace('{', '')),
    /was altered at line 701: not JSON/,
  ],
  ['has lost a line', (lines) => lines.toSpliced(700, 1), /was altered|gap/],
  ['goes on', (lines) => [...lines, lines[1]!], /has lines after its trailer/],
  ['has no header', (lines) => lines.slice(1), /its first line is not a header/],
  [
    'has a later format',
    ([header = '']) => [header.replace('"format":1', '"format":2')],
    /has format 2, .* reads format 1/,
  ],
]

/** The demo as another chain, or as another history of the same chain. */
const rewritten = (change: (text: string) => string): LogEntry[] =>
  demo.records.map((record) => ({
    ...record,
    value: Buffer.from(change(Buffer.from(record.value).toString())),
  }))

describe('an import', { tags: 'infra:import-is-checked' }, () => {
  it.each(BROKEN)('of a file that %s is refused', async (_, edit, words) => {
    const { file } = await exportTo('log.ndjson')
    await expectRefused(await demo.createLog(), fileOf(edit(readLines(file))), words)
  })

  it('of a file that ends in a line is refused with the last complete line and height', async () => {
    const lines = readLines((await exportTo('log.ndjson')).file)
    const { height } = JSON.parse(lines[499]!) as GovernanceEvent
    const cut = write([...lines.slice(0, 500), lines[500]!.slice(0, 40)].join('\n'))
    const words = new RegExp(`is cut off after line 500 \\(height ${height}\\)`)
    await expectRefused(await demo.createLog(), cut, words)
  })

  it('of a compressed file that is truncated in a line or altered is refused', async () => {
    const bytes = readFileSync((await exportTo('log.ndjson.gz')).file)
    const log = await demo.createLog()
    const half = write(bytes.subarray(0, bytes.length >> 1), 'made.gz')
    await expectRefused(log, half, /is cut off after line/)
    const altered = Buffer.from(bytes)
    altered[altered.length - 5]! ^= 1
    await expectRefused(log, write(altered, 'made.gz'), /compressed bytes were altered/)
  })

  it('of another chain is refused', async () => {
    const log = await demo.createLog(
      rewritten((text) => text.replaceAll('rollcall-demo-1', 'other-1')),
    )
    const { file } = await exportTo('other.ndjson', { log })
    const words = /is of chain other-1, the log of rollcall-demo-1/
    expect(hasCode(await expectRefused(demo.log, file, words), 'CHAIN_MISMATCH')).toBe(true)
  })

  it('of other bytes at the same heights is refused, and the error names the height', async () => {
    let votes = 0
    const entries = rewritten((text) =>
      text.includes('"rollcall.vote.cast.v1"') && votes++ === 3
        ? text.replace('"weight":"1.', '"weight":"2.')
        : text,
    )
    const log = await demo.createLog(entries)
    const { file } = await exportTo('other.ndjson', { log })
    const half = await demo.createLog(recordsUpTo(110))
    await expectRefused(half, file, /at height \d+: they have other bytes of rollcall-demo-1\/\d+/)
  })

  it('is refused if the log is longer, if heights are missing between, or if the file has no start', async () => {
    const first = await exportTo('a.ndjson', { to: 50 })
    const third = await exportTo('c.ndjson', { from: 90 })
    await expectRefused(demo.log, first.file, /goes to height 160, beyond the file/)
    const short = await demo.createLog()
    await expectRefused(short, third.file, /the log is empty, and the file begins at height/)
    await importInto(short, first.file)
    await expectRefused(short, third.file, /heights 51 to \d+ are missing/)
  })

  it('is refused if the file continues another block than the last one of the log', async () => {
    const second = await exportTo('b.ndjson', { from: 101 })
    const last = `rollcall-demo-1/${second.from - 1}/2147479552`
    const other = rewritten((text) =>
      text.includes(last) ? text.replace(/"hash":"[0-9A-F]{8}/, '"hash":"00000000') : text,
    )
    const log = await demo.createLog(recordsUpTo(second.from - 1, other))
    await expectRefused(log, second.file, /does not follow the log: block \d+ follows/)
  })
})
