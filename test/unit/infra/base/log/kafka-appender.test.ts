// Tests of an append whose response was lost: the appender searches for it before it retries.
import { expect, it } from 'vitest'
import type { LogEntry, LogRecord } from '../../../../../infra/base/log/event-log.ts'
import { createSharedAppend } from '../../../../../infra/base/log/kafka-appender.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createEntry, decodeText } from '../../../../support/log/log-entries.ts'

type Outcome = 'answered' | 'lost after the append' | 'lost before the append'

/** A topic in memory. Its brokers handle each append as `outcomes` says, and later ones without faults. */
const setup = (outcomes: readonly Outcome[]) => {
  const records: LogRecord[] = []
  const left = [...outcomes]
  let settled = 0
  let undecided = 0
  const put = (entries: readonly LogEntry[]): bigint => {
    for (const entry of entries) records.push({ ...entry, offset: BigInt(records.length) })
    return BigInt(records.length)
  }
  const end = () => BigInt(records.length)
  const append = createSharedAppend({
    topic: 'a-topic',
    partition: {
      bounds: async () => ({ start: 0n, end: end() }),
      fetch: async (from) => {
        // An open transaction of another writer is resolved a moment later.
        const stableEnd = undecided-- > 0 ? 0n : end()
        return { records: [], next: from, stableEnd, writtenEnd: end() }
      },
    },
    tail: { read: async (from) => records.filter(({ offset }) => offset >= from) },
    sender: {
      settle: async () => {
        settled++
      },
      append: async (entries) => {
        const outcome = left.shift() ?? 'answered'
        const after = outcome === 'lost before the append' ? 0n : put(entries)
        if (outcome === 'answered') return after
        undecided = 2
        throw new AppError('LOG_UNAVAILABLE', 'no answer', { retryable: true })
      },
    },
    signal: new AbortController().signal,
    appendMs: 500,
  })
  return { append, records, settled: () => settled, put }
}

it.each([
  ['lost after the append', ['lost after the append']],
  ['lost before the append', ['lost before the append']],
  [
    'lost repeatedly',
    ['lost before the append', 'lost before the append', 'lost after the append'],
  ],
] as const)(
  'an append with the outcome %s is in the log once, and its offset is returned',
  async (_, outcomes) => {
    const { append, records, put } = setup(outcomes)
    put([createEntry(1, 'of another')])
    expect(await append([createEntry(1, 'mine')])).toBe(2n)
    expect(records.map(decodeText)).toEqual(['of another', 'mine'])
  },
)

it('an open transaction of another process is resolved before each attempt', async () => {
  const { append, settled } = setup(['lost before the append'])
  await append([createEntry(1)])
  expect(settled()).toBe(2)
})

it('an append with an unknown outcome is not retryable: a retry must search the log first', async () => {
  const { append } = setup(Array.from({ length: 1_000 }, () => 'lost before the append'))
  await expect(append([createEntry(1)])).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    retryable: false,
  })
})
