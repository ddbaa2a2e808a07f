// Tests of export and import of a log: the copy is equal byte for byte, also after an interruption.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeLargeFile } from '../../infra/app/tools/log/lines.ts'
import type { EventLog, LogEntry } from '../../infra/base/log/event-log.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { computeFingerprints, type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'
import {
  createLogMoves,
  fingerprintLog,
  importInto,
  never,
  readLines,
} from '../support/log/moved-log.ts'

const HEIGHTS = 160
let demo: DemoLog
beforeAll(async () => {
  demo = await indexDemoChain(HEIGHTS)
})
afterAll(() => demo.remove())

const { exportTo } = createLogMoves(() => demo)

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
      expect(await fingerprintLog(copy)).toEqual(computeFingerprints(demo.records))
    },
  )

  it('has one unchanged event per line, between its header and its trailer', async () => {
    const { file, sha256 } = await exportTo('log.ndjson')
    const lines = readLines(file)
    expect(lines.slice(1, -1)).toEqual(
      demo.records.map(({ value }) => Buffer.from(value).toString()),
    )
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      rollcall: 'export',
      format: 1,
      version: '0.0.0',
      chainId: 'rollcall-demo-1',
    })
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ records: demo.records.length, sha256 })
  })

  it('keeps undecodable records without losing a byte', async () => {
    const marker = demo.records.at(-1)!
    const event = JSON.parse(Buffer.from(marker.value).toString()) as GovernanceEvent
    const odd = (value: Uint8Array | string): LogEntry => ({
      height: marker.height,
      timeMs: marker.timeMs,
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
    const log = await demo.createLog([...demo.records.slice(0, -1), ...entries, marker])
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
    expect(await fingerprintLog(copy)).toEqual(computeFingerprints(demo.records))
  })

  it('of a range starts with the quiet heights of its first marker', async () => {
    const quiet = demo.records
      .map(({ value }) => JSON.parse(Buffer.from(value).toString()) as GovernanceEvent)
      .find((event) => event.type === 'rollcall.block.indexed.v1' && event.data.from < event.height)
    if (quiet?.type !== 'rollcall.block.indexed.v1') throw new Error('no quiet heights')
    const { from, to } = await exportTo('q.ndjson', { from: quiet.height, to: quiet.height })
    expect([from, to]).toEqual([quiet.data.from, quiet.height])
    await expect(exportTo('none.ndjson', { from: HEIGHTS + 1 })).rejects.toThrow(/ends at 160/)
  })
})

describe('an import that is repeated', () => {
  it('compares the existing heights and continues after them', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const half = demo.records.findIndex(({ height }) => height > 70)
    const copy = await demo.createLog(demo.records.slice(0, half))
    const { present, appended } = await importInto(copy, file)
    expect(Math.min(present, appended)).toBeGreaterThan(20)
    expect(await fingerprintLog(copy)).toEqual(computeFingerprints(demo.records))
    expect(await importInto(copy, file)).toMatchObject({ appended: 0, height: HEIGHTS })
  })

  it('leaves whole heights when it is interrupted, and then gives the same log', async () => {
    const { file } = await exportTo('log.ndjson.gz')
    const copy = await demo.createLog()
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
    const left = await fingerprintLog(copy)
    expect(left).toEqual(computeFingerprints(demo.records.slice(0, left.length)))
    await importInto(copy, file)
    expect(await fingerprintLog(copy)).toEqual(computeFingerprints(demo.records))
  })
})
describe('an export to a file, which has a temporary name until it is complete', () => {
  it('keeps an existing file, and removes its own, if it is canceled', async () => {
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
