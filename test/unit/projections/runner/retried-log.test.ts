// Tests that an unavailable log is retried, and that a damaged one fails at once.
import { expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createRetriedLog, type ReadableLog } from '../../../../projections/runner/retried-log.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'

const setup = (failures: AppError[]) => {
  const calls: string[] = []
  const fail = async <T>(name: string, value: T): Promise<T> => {
    calls.push(name)
    const failure = failures.shift()
    if (failure) throw failure
    return value
  }
  const log: ReadableLog = {
    read: () => fail('read', []),
    end: () => fail('end', 7n),
    offsetOfHeight: () => fail('offsetOfHeight', 3n),
    waitFor: () => fail('waitFor', undefined),
  }
  const clock = createFakeClock()
  return {
    calls,
    log: createRetriedLog(log, { signal: new AbortController().signal, clock }),
    clock,
  }
}

const away = () => new AppError('LOG_UNAVAILABLE', 'no broker answers', { retryable: true })

it.each(['end', 'read', 'offsetOfHeight'] as const)('%s is retried', async (name) => {
  const { log, calls, clock } = setup([away(), away()])
  const pending = name === 'read' ? log.read(0n, { maxRecords: 1, maxBytes: 1 }) : log[name](1)
  let isDone = false
  const done = pending.finally(() => {
    isDone = true
  })
  while (!isDone) await clock.advance(2_000)
  await done
  expect(calls).toEqual([name, name, name])
})

it('a permanent error is reported at once', async () => {
  const { log, calls } = setup([new AppError('LOG_DAMAGED', 'a record is garbled')])
  await expect(log.end()).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
  expect(calls).toEqual(['end'])
})
