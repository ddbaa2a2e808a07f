// Property tests of reading from Kafka for any gaps between records, any cuts of responses, and a growing log.
// Each query gives the same result as a scan of the whole log.
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LogRecord, ReadLimits } from '../../infra/base/log/event-log.ts'
import { createKafkaReader, type Partition } from '../../infra/base/log/kafka-reader.ts'

/** One offset: a record some heights above the previous one, or an entry that no reader sees. */
type Slot = { rise: number; bytes: number } | 'marker'

const slots = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ rise: fc.nat(3), bytes: fc.nat(50) }) },
    { weight: 1, arbitrary: fc.constant('marker' as const) },
  ),
  { maxLength: 40 },
)

const step = fc.oneof(
  fc.record({ kind: fc.constant('grow' as const), slots }),
  fc.record({
    kind: fc.constant('read' as const),
    from: fc.nat(90),
    maxRecords: fc.integer({ min: 1, max: 20 }),
    maxBytes: fc.nat(300),
  }),
  fc.record({ kind: fc.constant('last' as const), lag: fc.nat(3) }),
  fc.record({ kind: fc.constant('seek' as const), height: fc.nat(60) }),
  fc.record({ kind: fc.constant('wait' as const), from: fc.nat(90) }),
)

/** A topic in memory. `cuts` has the number of offsets in each response. */
const createTopic = (cuts: readonly number[]) => {
  const records: LogRecord[] = []
  let end = 0n
  let fetches = 0
  /** Records that the broker does not know to be committed, one less at each fetch. */
  let lag = 0n
  const partition: Partition = {
    bounds: async () => ({ start: 0n, end }),
    untilDecided: async () => {},
    fetch: async (from, { waitMs }) => {
      const reach = BigInt(cuts[fetches++ % cuts.length] ?? 1)
      const stableEnd = end - lag
      if (lag > 0n) lag -= 1n
      const next = from + reach < stableEnd ? from + reach : stableEnd
      if (next <= from) await pause(waitMs / 50)
      return {
        records: records.filter(({ offset }) => offset >= from && offset < next),
        next: next > from ? next : from,
        stableEnd,
      }
    },
  }
  const changeLeader = (unknown: number) => {
    lag = BigInt(unknown) < end ? BigInt(unknown) : end
  }
  const grow = (added: readonly Slot[]) => {
    for (const slot of added) {
      if (slot !== 'marker') {
        const height = (records.at(-1)?.height ?? 0) + slot.rise
        records.push({ offset: end, height, timeMs: 0, value: new Uint8Array(slot.bytes) })
      }
      end += 1n
    }
  }
  return { partition, records, grow, changeLeader }
}

/** The result of a scan of the whole log. */
const expectedRead = (records: readonly LogRecord[], from: bigint, limits: ReadLimits) => {
  const found: LogRecord[] = []
  let bytes = 0
  for (const record of records.filter(({ offset }) => offset >= from)) {
    bytes += record.value.byteLength
    if (found.length > 0 && (found.length >= limits.maxRecords || bytes > limits.maxBytes)) break
    found.push(record)
    if (bytes >= limits.maxBytes) break
  }
  return found
}

it('reads the records from any offset on, the last one, and the first of a height, without a gap', async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(cuts, fc.array(step, { maxLength: 25 }), async (reaches, steps) => {
      const { partition, records, grow, changeLeader } = createTopic(reaches)
      const { signal } = new AbortController()
      const reader = createKafkaReader(partition, signal)
      for (const each of steps) {
        const last = records.at(-1)
        const end = last ? last.offset + 1n : 0n
        if (each.kind === 'grow') grow(each.slots)
        if (each.kind === 'read') {
          const from = BigInt(each.from)
          expect(await reader.read(from, each)).toEqual(expectedRead(records, from, each))
        }
        if (each.kind === 'last') {
          changeLeader(each.lag)
          expect([await reader.last(), await reader.end()]).toEqual([last, end])
          changeLeader(0)
        }
        if (each.kind === 'seek') {
          const found = records.find(({ height }) => height >= each.height)
          expect(await reader.offsetOfHeight(each.height)).toBe(found?.offset ?? end)
        }
        if (each.kind === 'wait' && each.from < end) {
          await reader.waitFor(BigInt(each.from), { timeoutMs: 10_000, signal })
        }
      }
    }),
    { numRuns: 500 },
  )
})
