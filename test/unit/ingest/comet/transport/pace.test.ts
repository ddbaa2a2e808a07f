// Tests the order, number and pauses of requests to one endpoint.
import { expect, it } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import {
  createPace,
  LimitedError,
  type PaceOptions,
} from '../../../../../ingest/comet/transport/pace.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const setup = (options: Partial<PaceOptions> = {}) => {
  const clock = createFakeClock({ autoAdvance: false })
  const pace = createPace({ maxConcurrent: 4, patienceMs: 30_000, clock, ...options })
  return { clock, pace }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Requests that end when the test says so. */
const createRequests = () => {
  const ends: ((outcome?: unknown) => void)[] = []
  const request = () =>
    new Promise<void>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)))
    })
  return { ends, request }
}

it('limits how many requests run at the same time, and keeps their order', async () => {
  const { pace } = setup()
  const order: number[] = []
  const { ends, request } = createRequests()
  const runs = [1, 2, 3, 4, 5, 6].map((number) =>
    pace.run(() => {
      order.push(number)
      return request()
    }),
  )
  await turn()
  expect(order).toEqual([1, 2, 3, 4])
  ends[3]!()
  await turn()
  expect(order).toEqual([1, 2, 3, 4, 5])
  for (let each = 0; each < 6; each++) {
    ends[each]?.()
    await turn()
  }
  await Promise.all(runs)
  expect(pace.read()).toMatchObject({ granted: 6, refused: 0, perSecond: null })
})

it.each([
  ['what Retry-After says', 7_000, 7_000],
  ['a second without it', null, 1_000],
  ['at most a minute', 10_000_000, 60_000],
])(
  'after a refusal pauses for %s, then asks again',
  {
    tags: 'ingest:limits-are-obeyed',
  },
  async (_, retryAfterMs, pauseMs) => {
    const { pace, clock } = setup({ patienceMs: 100_000 })
    await pace.run(async () => undefined)
    let asked = 0
    const run = pace.run(async () => {
      if (++asked === 1) throw new LimitedError('slow down', retryAfterMs)
      return 'answer'
    })
    await turn()
    expect(asked).toBe(1)
    clock.advance(pauseMs - 1)
    await turn()
    expect(asked).toBe(1)
    clock.advance(1_001)
    expect(await run).toBe('answer')
    expect(pace.read()).toMatchObject({ granted: 2, refused: 1 })
  },
)

it('counts refusals that come together as one', async () => {
  const { pace } = setup()
  await pace.run(async () => undefined)
  const { ends, request } = createRequests()
  const runs = [1, 2, 3, 4].map(() => pace.run(request))
  await turn()
  const { concurrent } = pace.read()
  for (const end of ends.splice(0)) end(new LimitedError('slow down', 1_000))
  await turn()
  expect(pace.read()).toMatchObject({ concurrent: concurrent / 2, refused: 4 })
  pace.close()
  await Promise.allSettled(runs)
})

it('only pauses for longer if the first request after a pause is refused', async () => {
  const { pace, clock } = setup({ patienceMs: 100_000 })
  for (let each = 0; each < 20; each++) await pace.run(async () => undefined)
  let refusals = 0
  const run = pace.run(async () => {
    if (++refusals <= 3) throw new LimitedError('HTTP status 403')
  })
  await turn()
  const { perSecond, concurrent } = pace.read()
  expect(perSecond).toBe(10)
  for (const pauseMs of [1_000, 2_000, 4_000]) {
    clock.advance(pauseMs)
    await turn()
  }
  await run
  expect(pace.read().perSecond).toBeGreaterThanOrEqual(10)
  expect(pace.read().concurrent).toBeGreaterThanOrEqual(concurrent)
})

it('gives up with the reason of the endpoint once its patience ends', async () => {
  const { pace, clock } = setup({ patienceMs: 5_000 })
  await pace.run(async () => undefined)
  const run = pace.run(async () => Promise.reject(new LimitedError('quota is used up', 2_000)))
  const outcome = run.catch((error: unknown) => error)
  for (let step = 0; step < 10; step++) {
    await turn()
    clock.advance(1_000)
  }
  expect(await outcome).toMatchObject({ code: 'RPC_LIMITED', message: 'quota is used up' })
})

it('gives up soon if nothing was ever granted', async () => {
  const { pace } = setup()
  const refused = () => Promise.reject(new LimitedError('HTTP status 403', 3_000))
  await expect(pace.run(refused)).rejects.toThrow('HTTP status 403')
})

it('leaves other errors to its caller at once', async () => {
  const { pace } = setup()
  const broken = new AppError('RPC_UNAVAILABLE', 'ECONNRESET', { retryable: true })
  await expect(pace.run(() => Promise.reject(broken))).rejects.toBe(broken)
})

it('ends what waits with its signal, and all of it when it is closed', async () => {
  const { pace } = setup({ maxConcurrent: 1 })
  const { ends, request } = createRequests()
  const first = pace.run(request)
  const aborting = new AbortController()
  const second = pace.run(request, { signal: aborting.signal })
  const third = pace.run(request)
  aborting.abort()
  await expect(second).rejects.toMatchObject({ code: 'ABORTED' })
  pace.close()
  await expect(third).rejects.toMatchObject({ code: 'ABORTED' })
  ends[0]!()
  await first
})

it('lets requests in the background wait for all others, and keeps half of the places free', async () => {
  const { pace } = setup()
  const started: string[] = []
  const { ends, request } = createRequests()
  const run = (name: string, isBackground: boolean) =>
    pace.run(
      () => {
        started.push(name)
        return request()
      },
      { isBackground },
    )
  const runs = ['b1', 'b2', 'b3', 'b4'].map((name) => run(name, true))
  await turn()
  expect(started).toEqual(['b1', 'b2'])
  runs.push(run('f1', false), run('f2', false), run('f3', false))
  await turn()
  expect(started).toEqual(['b1', 'b2', 'f1', 'f2'])
  expect(pace.waitMs()).toBe(0)
  ends[0]!()
  await turn()
  expect(started).toEqual(['b1', 'b2', 'f1', 'f2', 'f3'])
  for (let each = 1; each < 7; each++) {
    ends[each]?.()
    await turn()
  }
  await Promise.all(runs)
  expect(started.slice(5)).toEqual(['b3', 'b4'])
})
