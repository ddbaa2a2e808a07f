// A store that answers nothing is noticed within two seconds, and a slow store is not mistaken for it.
import { afterEach, describe, expect, it } from 'vitest'
import { createStoreLiveness, LIVENESS_CHECKS } from '../../../../api/read/store.ts'
import type { Store } from '../../../../infra/base/clickhouse/client.ts'
import { AppError, type ErrorCode } from '../../../../infra/base/runtime/errors.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Pending queries by their SQL, which a test answers. */
const createAnswers = () => {
  const pending = new Map<
    string,
    { resolve: (rows: never[]) => void; reject: (e: Error) => void }
  >()
  const select = (sql: string) =>
    new Promise<never[]>((resolve, reject) => pending.set(sql, { resolve, reject }))
  const take = (sql: string) => {
    const query = pending.get(sql)
    if (!query) throw new Error(`no pending query ${sql}`)
    pending.delete(sql)
    return query
  }
  let isResponding = false
  return {
    store: { select, isResponding: async () => isResponding } as unknown as Store,
    respond: () => {
      isResponding = true
    },
    isAsked: (sql: string) => pending.has(sql),
    answer: (sql: string) => take(sql).resolve([]),
    fail: (sql: string, code: ErrorCode) => take(sql).reject(new AppError(code, 'no')),
  }
}

const setup = () => {
  const answers = createAnswers()
  const clock = createFakeClock({ autoAdvance: false })
  const { store, whileAlive, follow } = createStoreLiveness(answers.store, {
    logger: silentLogger(),
    clock,
  })
  const controller = new AbortController()
  const following = follow(controller.signal)
  ends.push(() => {
    controller.abort()
    return following
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const checks = async (count: number, lateByMs = 0) => {
    for (let n = 0; n < count; n++) {
      await settle()
      clock.advance(LIVENESS_CHECKS.everyMs + lateByMs)
    }
    await settle()
  }
  /** The outcome of a page read so far. */
  const readPage = (sql: string): { outcome: string } => {
    const page = { outcome: 'waits' }
    whileAlive(() => store.select(sql)).then(
      () => Object.assign(page, { outcome: 'answered' }),
      (error: AppError) => Object.assign(page, { outcome: error.code }),
    )
    return page
  }
  const poll = (sql = 'poll') => void store.select(sql).catch(() => undefined)
  return { ...answers, checks, readPage, poll, settle }
}

const { limit, everyMs } = LIVENESS_CHECKS

describe('a store that answers nothing', () => {
  it('fails pending reads within two seconds and new reads at once', async () => {
    const { checks, isAsked, readPage, poll, settle } = setup()
    poll()
    const pages = [readPage('one'), readPage('two')]
    await checks(limit - 1)
    expect(pages.map(({ outcome }) => outcome)).toEqual(['waits', 'waits'])
    await checks(1)
    expect(pages.map(({ outcome }) => outcome)).toEqual(['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'])
    // One more interval, because a read begins between two checks.
    expect((limit + 1) * everyMs).toBeLessThanOrEqual(2_000)
    const page = readPage('new')
    await settle()
    expect([page.outcome, isAsked('new')]).toEqual(['STORE_UNAVAILABLE', false])
  })

  it('gets one read if no other is pending, and is alive again after the first answer', async () => {
    const { answer, checks, fail, readPage, poll, settle } = setup()
    poll()
    await checks(limit)
    fail('poll', 'DEADLINE_EXCEEDED')
    await settle()
    const trial = readPage('trial')
    const other = readPage('other')
    answer('trial')
    await settle()
    expect([trial.outcome, other.outcome]).toEqual(['answered', 'STORE_UNAVAILABLE'])
    const next = readPage('next')
    await checks(limit - 1)
    answer('next')
    await settle()
    expect(next.outcome).toBe('answered')
  })
})

describe('a store that is only busy', () => {
  it('keeps every slow read, while it answers the poll or refuses another read', async () => {
    const { answer, checks, fail, readPage, poll, settle } = setup()
    const page = readPage('slow')
    for (let n = 0; n < 20; n++) {
      poll()
      if (n % 2 === 0) readPage('other')
      await checks(limit - 1)
      if (n % 2 === 0) fail('other', 'STORE_REFUSED')
      else answer('poll')
      await settle()
    }
    expect(page.outcome).toBe('waits')
    answer('slow')
    await settle()
    expect(page.outcome).toBe('answered')
  })

  it('is not mistaken for a hanging one by an API that is itself late', async () => {
    const { checks, readPage } = setup()
    const page = readPage('slow')
    await checks(limit - 1, 60_000)
    expect(page.outcome).toBe('waits')
  })
})
