// The contract of a log that many processes append to: on SQLite, on Kafka and in memory.
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { createEntry, decodeText, readAll } from '../support/log/log-entries.ts'
import type { LogStorage } from './log.ts'

/** A wait that ends by it ends the test first. */
const NEVER_MS = 3_600_000
const WRITERS = ['a', 'b', 'c']
const EACH = 50

export const describeAppender = (name: string, createStorage: () => Promise<LogStorage>): void => {
  describe(`${name} keeps the contract of a log with many writers`, () => {
    const setup = async () => {
      const storage = await createStorage()
      onTestFinished(() => storage.remove())
      const keep = (log: EventLog) => {
        onTestFinished(() => log.close())
        return log
      }
      return {
        open: async () => keep(await storage.open()),
        openReader: async () => keep(await storage.openReader()),
      }
    }

    it('returns to each writer the offset after its own record, in one order for all', async () => {
      const { open, openReader } = await setup()
      const afters = new Map<string, bigint>()
      await Promise.all(
        WRITERS.map(async (writer) => {
          const log = await open()
          for (let at = 0; at < EACH; at++) {
            const text = `${writer} ${at}`
            afters.set(text, await log.append([createEntry(1, text)]))
          }
        }),
      )
      const records = await readAll(await openReader())
      expect(records.map((record) => [decodeText(record), record.offset + 1n])).toEqual(
        [...afters].sort(([, one], [, other]) => (one < other ? -1 : 1)),
      )
      for (const writer of WRITERS) {
        expect(records.map(decodeText).filter((text) => text.startsWith(writer))).toEqual(
          Array.from({ length: EACH }, (_, at) => `${writer} ${at}`),
        )
      }
    })

    it('has the records of parallel appends of one writer, in the order of its calls', async () => {
      const { open } = await setup()
      const log = await open()
      const texts = Array.from({ length: EACH }, (_, at) => `fact ${at}`)
      const afters = await Promise.all(texts.map((text) => log.append([createEntry(1, text)])))
      const records = await readAll(log)
      expect(records.map(decodeText)).toEqual(texts)
      expect(records.map(({ offset }) => offset + 1n)).toEqual(afters)
    })

    it('wakes a reader in another place, which cannot append', async () => {
      const { open, openReader } = await setup()
      const log = await open()
      await log.append([createEntry(1, 'first')])
      const reader = await openReader()
      const { signal } = new AbortController()
      const waiting = reader.waitFor(await reader.end(), { timeoutMs: NEVER_MS, signal })
      await log.append([createEntry(1, 'second')])
      await waiting
      expect((await readAll(reader)).map(decodeText)).toEqual(['first', 'second'])
      await expect(reader.append([createEntry(1, 'third')])).rejects.toMatchObject({
        code: 'LOG_FENCED',
      })
    })
  })
}
