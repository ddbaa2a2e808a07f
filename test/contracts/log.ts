// The contract of the event log with one writer: on SQLite, on Kafka and in memory.
import { afterEach, describe, expect, it } from 'vitest'
import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import { MAX_ENTRY_BYTES } from '../../infra/base/log/event-log.ts'
import { createEntry, decodeText, readAll } from '../support/log/log-entries.ts'

/** A wait that ends by it ends the test first. */
const NEVER_MS = 3_600_000

/** New empty storage for one log; `open` may be called several times for the same storage. */
export type LogStorage = {
  open(): Promise<EventLog>
  /** A second handle that only reads, like in another process. */
  openReader(): Promise<EventLog>
  remove(): Promise<void>
}

export const describeEventLog = (name: string, createStorage: () => Promise<LogStorage>): void => {
  describe(`${name} keeps the contract of the event log`, () => {
    const open: EventLog[] = []
    const storages: LogStorage[] = []
    afterEach(async () => {
      for (const log of open.splice(0)) await log.close()
      for (const storage of storages.splice(0)) await storage.remove()
    })

    const setup = async () => {
      const storage = await createStorage()
      storages.push(storage)
      const keep = (log: EventLog) => {
        open.push(log)
        return log
      }
      const log = keep(await storage.open())
      return {
        log,
        reopen: async () => {
          await log.close()
          return keep(await storage.open())
        },
        openAnother: async () => keep(await storage.open()),
        openReader: async () => keep(await storage.openReader()),
      }
    }

    it('is empty at first, and after an append of nothing: it has no records and no last record', async () => {
      const { log } = await setup()
      expect(await log.append([])).toBe(await log.end())
      expect(await readAll(log)).toEqual([])
      expect(await log.last()).toBeUndefined()
      expect(await log.offsetOfHeight(1)).toBe(await log.end())
    })

    it('returns appended records in order, byte for byte, with increasing offsets, also from the end of an append on', async () => {
      const { log } = await setup()
      const start = await log.end()
      const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
      const after = await log.append([
        createEntry(5, 'a'),
        { ...createEntry(5), value: bytes },
        createEntry(6, ''),
      ])
      await log.append([createEntry(7, 'd')])
      const records = await readAll(log, start)
      expect(records.map(decodeText).filter((_, at) => at !== 1)).toEqual(['a', '', 'd'])
      expect(Uint8Array.from(records[1]?.value ?? [])).toEqual(bytes)
      expect(records.map(({ height }) => height)).toEqual([5, 5, 6, 7])
      expect(records.map(({ timeMs }) => timeMs)).toEqual(
        [5, 5, 6, 7].map((h) => createEntry(h).timeMs),
      )
      for (const [at, { offset }] of records.entries()) {
        if (at > 0) expect(offset).toBeGreaterThan(records[at - 1]?.offset as bigint)
      }
      expect((await readAll(log, after)).map(decodeText)).toEqual(['d'])
    })

    it('reads at most the requested number of records and about that of bytes, but at least one', async () => {
      const { log } = await setup()
      const big = 'x'.repeat(50_000)
      await log.append([createEntry(1, big), createEntry(1, big), createEntry(1, big)])
      const read = (maxRecords: number, maxBytes: number) => log.read(0n, { maxRecords, maxBytes })
      expect(await read(2, 1_000_000)).toHaveLength(2)
      expect(await read(10, 10)).toHaveLength(1)
      expect(await read(10, 120_000)).toHaveLength(2)
    })

    it('does not change returned bytes during later reads and appends', async () => {
      const { log } = await setup()
      await log.append([createEntry(1, 'first'), createEntry(1, 'second')])
      const [first] = await log.read(0n, { maxRecords: 1, maxBytes: 1000 })
      await log.append([createEntry(2, 'third')])
      await readAll(log)
      expect(first && decodeText(first)).toBe('first')
    })

    it('returns its last record, also after a restart', async () => {
      const { log, reopen } = await setup()
      await log.append([createEntry(1, 'a'), createEntry(2, 'b')])
      expect(decodeText((await log.last()) as LogRecord)).toBe('b')
      const again = await reopen()
      expect(decodeText((await again.last()) as LogRecord)).toBe('b')
      await again.append([createEntry(3, 'c')])
      expect((await readAll(again)).map(decodeText)).toEqual(['a', 'b', 'c'])
    })

    it('accepts one height of thousands of entries as one append', async () => {
      const { log, openReader } = await setup()
      const value = new Uint8Array(8 * 1024).fill(7)
      const before = await log.end()
      const after = await log.append(
        Array.from({ length: 3000 }, () => ({ height: 9, timeMs: 9, value })),
      )
      const reader = await openReader()
      expect(after).toBeGreaterThanOrEqual(before + 3000n)
      expect(await readAll(reader, before)).toHaveLength(3000)
    })

    it('accepts an entry of the maximum size', async () => {
      const { log } = await setup()
      const value = new Uint8Array(MAX_ENTRY_BYTES).map((_, at) => at % 251)
      await log.append([{ height: 1, timeMs: 1, value }])
      expect(Buffer.compare(Buffer.from((await log.last())?.value ?? []), value)).toBe(0)
    })

    it('rejects a larger entry permanently, appends nothing of its height, and accepts the next append', async () => {
      const { log } = await setup()
      const value = new Uint8Array(MAX_ENTRY_BYTES + 1)
      await expect(
        log.append([createEntry(1), { height: 1, timeMs: 1, value }, createEntry(1)]),
      ).rejects.toMatchObject({ code: 'LOG_ENTRY_TOO_LARGE', retryable: false })
      expect(await readAll(log)).toEqual([])
      await log.append([createEntry(2, 'next')])
      expect((await readAll(log)).map(decodeText)).toEqual(['next'])
    })

    it('finds the first record of a height, or of the next existing height, or the end', async () => {
      const { log } = await setup()
      await log.append([createEntry(10, 'a'), createEntry(10, 'b'), createEntry(12, 'c')])
      await log.append([createEntry(40, 'd')])
      const at = async (height: number) => {
        const [record] = await log.read(await log.offsetOfHeight(height), {
          maxRecords: 1,
          maxBytes: 1000,
        })
        return record && decodeText(record)
      }
      expect([await at(0), await at(10), await at(11), await at(12), await at(13)]).toEqual([
        'a',
        'a',
        'c',
        'c',
        'd',
      ])
      expect(await log.offsetOfHeight(41)).toBe(await log.end())
    })

    it('wakes a waiting reader after an append', async () => {
      const { log, openReader } = await setup()
      const reader = await openReader()
      const { signal } = new AbortController()
      const waits = [log, reader].map((each) => each.waitFor(0n, { timeoutMs: NEVER_MS, signal }))
      await log.append([createEntry(1)])
      await Promise.all(waits)
      expect(await readAll(reader)).toHaveLength(1)
      // It does not wait for a record that exists.
      await log.waitFor(0n, { timeoutMs: NEVER_MS, signal })
    })

    it('stops waiting after the timeout, and at once after an abort', async () => {
      const { log } = await setup()
      const startedMs = performance.now()
      const never = new AbortController()
      await log.waitFor(await log.end(), { timeoutMs: 30, signal: never.signal })
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(25)
      const controller = new AbortController()
      const { signal } = controller
      const waiting = log.waitFor(await log.end(), { timeoutMs: NEVER_MS, signal })
      controller.abort()
      await waiting
    })

    it('fences a writer after another one has appended, and keeps the records of both', {
      tags: 'infra:one-writer',
    }, async () => {
      const { log, openAnother } = await setup()
      await log.append([createEntry(1, 'first')])
      const second = await openAnother()
      await second.append([createEntry(2, 'second')])
      await expect(log.append([createEntry(2, 'late')])).rejects.toMatchObject({
        code: 'LOG_FENCED',
      })
      await expect(log.append([createEntry(2, 'again')])).rejects.toMatchObject({
        code: 'LOG_FENCED',
      })
      await second.append([createEntry(3, 'third')])
      expect((await readAll(second)).map(decodeText)).toEqual(['first', 'second', 'third'])
    })

    it('lets a reader read beside the writer, which continues, and refuses its appends', async () => {
      const { log, openReader } = await setup()
      await log.append([createEntry(1, 'first')])
      const reader = await openReader()
      await expect(reader.append([createEntry(2)])).rejects.toMatchObject({ code: 'LOG_FENCED' })
      await log.append([createEntry(2, 'second')])
      expect((await readAll(reader)).map(decodeText)).toEqual(['first', 'second'])
    })

    it('rejects calls after it was closed', async () => {
      const { log } = await setup()
      await log.close()
      await expect(log.append([createEntry(1)])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
      await expect(log.end()).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
    })
  })
}
