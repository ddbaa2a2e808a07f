// Tests of how far the log of agents is known: while it grows without a pause, and with records of a newer version.
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AgentFacts, followAgentFacts } from '../../../../auth/agents/agent-facts.ts'
import type { EventLog, LogRecord } from '../../../../infra/base/log/event-log.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const KEEP_MS = 100_000
const START_MS = 1_000_000_000_000

const revoked = (tokenId: string, type = 'rollcall.token.revoked.v1') => ({
  specversion: '1.0',
  id: '01900000-0000-7000-8000-000000000001',
  source: '/agents',
  subject: `tokens/${tokenId}`,
  type,
  time: new Date(START_MS).toISOString(),
  datacontenttype: 'application/json',
  data: {
    kind: 'access_token',
    tokenId,
    subject: 'reg_0123456789abcdef',
    expires: new Date(START_MS + KEEP_MS).toISOString(),
  },
})
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

type Read = { records: LogRecord[]; advance: (ms: number) => void; n: number }

/** A log that returns one record a read; `onRead` is called before each, and `fresh` has the state at that time. */
const setup = async (onRead: (read: Read) => void, records: LogRecord[] = []) => {
  const clock = createFakeClock({ startMs: START_MS, autoAdvance: false })
  const { logger, lines } = recordingLogger()
  const fresh: boolean[] = []
  let facts: AgentFacts | undefined
  const log: EventLog = {
    append: async () => 1n,
    offsetOfHeight: async () => 0n,
    last: async () => undefined,
    read: async (from) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (facts) fresh.push(facts.isFresh())
      onRead({ records, advance: clock.advance, n: fresh.length })
      return records.filter(({ offset }) => offset >= from).slice(0, 1)
    },
    end: async () => BigInt(records.length),
    waitFor: async () => undefined,
    close: async () => undefined,
  }
  const followed = await followAgentFacts({ log, clock, logger, keepMs: KEEP_MS })
  facts = followed
  onTestFinished(() => followed.close())
  const until = (reads: number) =>
    expect.poll(() => fresh.length, { interval: 1 }).toBeGreaterThanOrEqual(reads)
  return { facts: followed, clock, lines, fresh, until }
}

const record = (at: number, value: unknown, timeMs = START_MS): LogRecord => ({
  offset: BigInt(at),
  height: 0,
  timeMs,
  value: bytes(value),
})

describe('an instance', () => {
  it('stays current while every read finds a new record', async () => {
    const { facts, fresh, until } = await setup(({ records, advance, n }) => {
      if (n === 0 || n > 50) return
      advance(1_000)
      records.push(record(records.length, revoked(`token ${n}`)))
    })
    await until(52)
    expect(fresh).not.toContain(false)
    expect(facts.state.isTokenRevoked('token 50', START_MS + KEEP_MS)).toBe(true)
  })
})

describe('an instance whose clock goes back by a minute', () => {
  it('is not current while the log cannot be read, and is current with the next read', async () => {
    let isAway = false
    const { facts, clock, fresh, until } = await setup(() => {
      if (isAway) throw new AppError('LOG_UNAVAILABLE', 'gone', { retryable: true })
    })
    expect(facts.isFresh()).toBe(true)
    isAway = true
    clock.advance(-60_000)
    for (let n = 0; n < 3; n++) {
      expect(facts.isFresh()).toBe(false)
      clock.advance(6_000)
    }
    isAway = false
    await until(fresh.length + 2)
    expect(facts.isFresh()).toBe(true)
  })
})

describe('a record that this version cannot decode', () => {
  it.each([
    ['a newer version of an event', revoked('x', 'rollcall.token.revoked.v2')],
    ['an event with a changed member', { ...revoked('x'), data: { kind: 'refresh_token' } }],
  ])(
    'that is %s makes tokens unavailable until every earlier token has expired',
    async (_, value) => {
      const records = [record(0, value), record(1, revoked('later'))]
      const { facts, clock, lines, fresh, until } = await setup(() => undefined, records)
      expect(facts.isFresh()).toBe(false)
      expect(facts.ready().reasons).toEqual([
        'record 0 of the log of agents cannot be decoded: upgrade this instance, or wait until 2001-09-09T01:48:20.000Z',
      ])
      expect(lines.map(({ msg }) => msg)).toEqual([
        'failed to decode a record: tokens are refused, upgrade this instance',
      ])
      expect(facts.state.isTokenRevoked('later', START_MS + KEEP_MS)).toBe(true)
      clock.advance(KEEP_MS - 1)
      await until(fresh.length + 2)
      expect(facts.isFresh()).toBe(false)
      clock.advance(1)
      await until(fresh.length + 2)
      expect(facts.isFresh()).toBe(true)
    },
  )
})
