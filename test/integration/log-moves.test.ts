// A log that moves: out into a file and into another log, byte for byte; and every file that must not get in.
import { setMaxListeners } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLargeFile } from '../../infra/large-file.ts'
import type { EventLog, LogEntry } from '../../infra/log/event-log.ts'
import { hasCode } from '../../infra/runtime/errors.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { exportLog } from '../../ingest/log-tools/export-log.ts'
import { importLog } from '../../ingest/log-tools/import-log.ts'
import { type DemoLog, fingerprintOf, indexDemoChain, recordsOf } from '../support/demo-log.ts'
import { createMemoryStore } from '../support/memory-store.ts'
import { finalTables, projectAll } from '../support/run-projections.ts'

const HEIGHTS = 160
let demo: DemoLog
beforeAll(async () => {
  demo = await indexDemoChain(HEIGHTS)
})
afterAll(() => demo.remove())

const never = new AbortController().signal
setMaxListeners(0, never)

const contentOf = async (log: EventLog) => fingerprintOf(await recordsOf(log))

const exportTo = async (
  name: string,
  { log = demo.log, from, to }: { log?: EventLog; from?: number; to?: number } = {},
) => {
  const file = join(demo.directory(), name)
  const sink = await createLargeFile(file, never)
  const exported = await exportLog({
    ...{ log, range: { from, to }, version: '0.0.0', sink, signal: never },
    onProgress: () => {},
  })
  await sink.commit()
  return { file, ...exported }
}

const importInto = (log: EventLog, file: string, signal = never) =>
  importLog({ log, file, signal, onProgress: () => {} })

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)

const fileOf = (lines: readonly string[], end = '\n'): string => {
  const file = join(demo.directory(), 'made.ndjson')
  writeFileSync(file, lines.join('\n') + end)
  return file
}

const lineAt = (file: string, place: number): string => linesOf(file)[place - 1] ?? ''

/** Refused in these words, and nothing of it is in the log. */
const expectRefused = async (log: EventLog, file: string, words: RegExp) => {
  const before = await contentOf(log)
  const error = await importInto(log, file).catch((thrown: unknown) => thrown)
  expect(String(error)).toMatch(words)
  expect(await contentOf(log)).toEqual(before)
  return error
}

describe('an exported log', () => {
  it.each(['log.ndjson', 'log.ndjson.gz'])(
    'as %s makes the same log again, byte for byte',
    async (name) => {
      const { file, records, wrapped, from, to } = await exportTo(name)
      expect([records, wrapped, from, to]).toEqual([demo.records.length, 0, 1, HEIGHTS])
      const copy = await demo.logOf()
      const imported = await importInto(copy, file)
      expect(imported).toMatchObject({ chainId: 'rollcall-demo-1', present: 0, height: HEIGHTS })
      expect(await contentOf(copy)).toEqual(fingerprintOf(demo.records))
    },
  )

  it('has one event a line, exactly as the log has it, between its header and its trailer', async () => {
    const { file, sha256 } = await exportTo('log.ndjson')
    const lines = linesOf(file)
    expect(lines.slice(1, -1)).toEqual(
      demo.records.map(({ value }) => Buffer.from(value).toString()),
    )
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      ...{ rollcall: 'export', format: 1, version: '0.0.0' },
      ...{ chainId: 'rollcall-demo-1', from: 1, to: HEIGHTS },
    })
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ records: demo.records.length, sha256 })
  })

  it('gives the same read model as the log it is of', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const copy = await demo.logOf()
    await importInto(copy, file)
    const tablesOf = async (log: EventLog) => {
      const store = createMemoryStore()
      await projectAll(log, store)
      return finalTables(store.tables)
    }
    const [original, again] = [await tablesOf(demo.log), await tablesOf(copy)]
    expect(original['ballots']?.length).toBeGreaterThan(100)
    expect(again).toEqual(original)
  })

  it('keeps records that are no readable events without the loss of a byte', async () => {
    const marker = demo.records.at(-1)!
    const event = JSON.parse(Buffer.from(marker.value).toString()) as GovernanceEvent
    const odd = (value: Uint8Array | string): LogEntry => ({
      ...{ height: marker.height, timeMs: marker.timeMs },
      value: Buffer.from(value),
    })
    const entries = [
      odd(''),
      odd(Uint8Array.from({ length: 256 }, (_, at) => at)),
      odd(JSON.stringify(event, null, 2)),
      odd('{"rollcall":"end","records":1}'),
      odd(JSON.stringify({ ...event, height: event.height + 1 })),
      odd('[1]'),
    ]
    const log = await demo.logOf([...demo.records.slice(0, -1), ...entries, marker])
    const { file, wrapped, reasons } = await exportTo('log.ndjson', { log })
    expect(wrapped).toBe(entries.length)
    expect(reasons).toHaveLength(entries.length)
    const copy = await demo.logOf()
    await importInto(copy, file)
    expect(await contentOf(copy)).toEqual(await contentOf(log))
  })

  it('of a range has whole heights, and two that meet make the whole log', async () => {
    const first = await exportTo('a.ndjson', { to: 100 })
    const second = await exportTo('b.ndjson', { from: 101 })
    expect(first.to).toBeLessThanOrEqual(100)
    expect(second.from).toBe(first.to + 1)
    const copy = await demo.logOf()
    await importInto(copy, first.file)
    await importInto(copy, second.file)
    expect(await contentOf(copy)).toEqual(fingerprintOf(demo.records))
  })

  it('of a range begins with the quiet heights that its first marker covers', async () => {
    const quiet = demo.records
      .map(({ value }) => JSON.parse(Buffer.from(value).toString()) as GovernanceEvent)
      .find((event) => event.type === 'rollcall.block.indexed.v1' && event.data.from < event.height)
    if (quiet?.type !== 'rollcall.block.indexed.v1') throw new Error('no quiet heights')
    const { from, to } = await exportTo('q.ndjson', { from: quiet.height, to: quiet.height })
    expect([from, to]).toEqual([quiet.data.from, quiet.height])
    await expect(exportTo('none.ndjson', { from: HEIGHTS + 1 })).rejects.toThrow(/ends at 160/)
  })
})

describe('an import that is run again', () => {
  it('compares what is there and goes on behind it', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const half = demo.records.findIndex(({ height }) => height > 70)
    const copy = await demo.logOf(demo.records.slice(0, half))
    const { present, appended } = await importInto(copy, file)
    expect(Math.min(present, appended)).toBeGreaterThan(20)
    expect(await contentOf(copy)).toEqual(fingerprintOf(demo.records))
    expect(await importInto(copy, file)).toMatchObject({ appended: 0, height: HEIGHTS })
  })

  it('leaves whole heights where it is ended, and then makes the same log', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const copy = await demo.logOf()
    const ending = new AbortController()
    const append = copy.append.bind(copy)
    const ended: EventLog = {
      ...copy,
      append: async (entries) => {
        ending.abort()
        return await append(entries)
      },
    }
    const error = await importInto(ended, file, ending.signal).catch((thrown: unknown) => thrown)
    if (error !== undefined && !hasCode(error, 'ABORTED'))
      expect(error).toMatchObject({ present: 0 })
    const left = await contentOf(copy)
    expect(left).toEqual(fingerprintOf(demo.records.slice(0, left.length)))
    await importInto(copy, file)
    expect(await contentOf(copy)).toEqual(fingerprintOf(demo.records))
  })
})

describe('a file that is not whole', () => {
  it('is refused with the line and height behind which it is cut off', async () => {
    const { file } = await exportTo('log.ndjson')
    const lines = linesOf(file)
    const log = await demo.logOf()
    const height = (JSON.parse(lines[499] ?? '') as GovernanceEvent).height
    const place = new RegExp(`is cut off after line 500 \\(height ${height}\\)`)
    await expectRefused(log, fileOf(lines.slice(0, 500)), place)
    await expectRefused(log, fileOf([...lines.slice(0, 500), lines[500]!.slice(0, 40)], ''), place)
    await expectRefused(log, fileOf(lines.slice(0, -1)), /is cut off after line/)
  })

  it('is refused where it is compressed and cut off, or altered', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const bytes = readFileSync(file)
    const log = await demo.logOf()
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

  it('is refused with the lines in which a byte was altered', async () => {
    const { file } = await exportTo('log.ndjson')
    const log = await demo.logOf()
    const lines = linesOf(file)
    const place = lines.findIndex((line, at) => at > 1_000 && /"option":"yes"/.test(line))
    const altered = lines.with(place, lines[place]!.replace('"option":"yes"', '"option":"nay"'))
    expect(place).toBeLessThan(2_000)
    await expectRefused(
      log,
      fileOf(altered),
      /was altered between line 1,001 and line 1,\d+: its checksum/,
    )
    const broken = lines.with(700, lines[700]!.replace('{', ''))
    await expectRefused(log, fileOf(broken), /was altered at line 701: not JSON/)
    await expectRefused(log, fileOf(lines.toSpliced(700, 1)), /was altered|gap/)
    await expectRefused(log, fileOf([...lines, lines[1]!]), /goes on behind its end/)
  })

  it('is refused where it never was an exported log', async () => {
    const { file } = await exportTo('log.ndjson')
    const log = await demo.logOf()
    await expectRefused(log, fileOf(linesOf(file).slice(1)), /its first line is no header/)
    await expectRefused(log, fileOf(['hello']), /its first line is no header/)
    const newer = lineAt(file, 1).replace('"format":1', '"format":2')
    await expectRefused(log, fileOf([newer]), /has format 2, .* reads format 1/)
  })
})

/** The demo's records as another chain, or another history of the same one, would have them. */
const rewritten = (change: (text: string) => string): LogEntry[] =>
  demo.records.map((record) => ({
    ...record,
    value: Buffer.from(change(Buffer.from(record.value).toString())),
  }))

describe('a log that a file does not fit', () => {
  it('is left alone where the file is of another chain', async () => {
    const other = await demo.logOf(
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

  it('is left alone where it has other bytes of the same heights, and told at which', async () => {
    let changed = 0
    const entries = rewritten((text) =>
      text.includes('"rollcall.vote.cast.v1"') && changed++ === 3
        ? text.replace('"counted":true', '"counted":false')
        : text,
    )
    const other = await demo.logOf(entries)
    const { file } = await exportTo('other.ndjson', { log: other })
    const half = await demo.logOf(
      demo.records.slice(
        0,
        demo.records.findIndex(({ height }) => height > 110),
      ),
    )
    await expectRefused(half, file, /at height \d+ they have other bytes of rollcall-demo-1\/\d+/)
  })

  it('is left alone where it goes further, where heights would be missing, or where the file is no beginning', async () => {
    const first = await exportTo('a.ndjson', { to: 50 })
    const third = await exportTo('c.ndjson', { from: 90 })
    await expectRefused(demo.log, first.file, /goes to height 160, further than the file/)
    const short = await demo.logOf()
    await expectRefused(short, third.file, /the log is empty, and the file begins at height/)
    await importInto(short, first.file)
    await expectRefused(short, third.file, /heights 51 to \d+ are missing/)
  })

  it('is left alone where the file follows another block than its last one', async () => {
    const first = await exportTo('a.ndjson', { to: 100 })
    const log = await demo.logOf(
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

describe('a file under another name until it is whole', () => {
  it('leaves what had the name before, and nothing of itself, where it is given up', async () => {
    const file = join(demo.directory(), 'kept.gz')
    writeFileSync(file, gzipSync('before'))
    const sink = await createLargeFile(file, never)
    await sink.write('half')
    await sink.abandon()
    expect(gunzipSync(readFileSync(file)).toString()).toBe('before')
  })
})
