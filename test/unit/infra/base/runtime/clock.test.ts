// Tests of the clock: it sleeps for the requested time, and never past an abort.
import { expect, it } from 'vitest'
import { systemClock } from '../../../../../infra/base/runtime/clock.ts'

it('sleeps at least for the requested time', async () => {
  const startedMs = performance.now()
  await systemClock.sleep(10)
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(9)
})

it('wakes with ABORTED as soon as the signal fires', async () => {
  const controller = new AbortController()
  const sleeping = systemClock.sleep(60_000, controller.signal)
  controller.abort()
  await expect(sleeping).rejects.toMatchObject({ code: 'ABORTED' })
})

it('does not start to sleep if the signal has fired', async () => {
  await expect(systemClock.sleep(60_000, AbortSignal.abort())).rejects.toMatchObject({
    code: 'ABORTED',
  })
})
