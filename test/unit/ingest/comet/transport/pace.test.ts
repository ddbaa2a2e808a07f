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
  const pace = createPace({ maxConcurrent: 4, clock, ...options })
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
})

it.each([
  ['what Retry-After says', 7_000, 7_000],
  ['a second without it', null, 1_000],
  ['at most a minute', 10_000_000, 60_000],
])(
  'after a refusal pauses for %s, and leaves the repeat to its caller',
  {
    tags: 'ingest:limits-are-obeyed',
  },
  async (_, retryAfterMs, pauseMs) => {
    const { pace, clock } = setup()
    await pace.run(async () => undefined)
    const refused = async () => Promise.reject(new LimitedError('slow down', retryAfterMs))
    await expect(pace.run(refused)).rejects.toMatchObject({ code: 'RPC_LIMITED' })
    let asked = 0
    const run = pace.run(async () => ++asked)
    await turn()
    clock.advance(pauseMs - 1)
    await turn()
    expect(asked).toBe(0)
    clock.advance(1_001)
    expect(await run).toBe(1)
  },
)

it('starts the read that began first, also when it is asked again', async () => {
  const { pace } = setup({ maxConcurrent: 1 })
  const { ends, request } = createRequests()
  const started: number[] = []
  const run = (order: number) =>
    pace.run(
      () => {
        started.push(order)
        return request()
      },
      { order },
    )
  const runs = [5, 6, 7].map(run)
  const again = run(2)
  await turn()
  for (let each = 0; each < 4; each++) {
    ends[each]?.()
    await turn()
  }
  await Promise.all([...runs, again])
  expect(started).toEqual([5, 2, 6, 7])
})

it('pauses once for refusals that come together, and longer if the first request after it is refused', async () => {
  const { pace, clock } = setup()
  for (let each = 0; each < 20; each++) await pace.run(async () => undefined)
  const { ends, request } = createRequests()
  const runs = [1, 2, 3, 4].map(() => pace.run(request))
  await turn()
  const ended = Promise.allSettled(runs)
  for (const end of ends.splice(0)) end(new LimitedError('slow down'))
  await ended
  for (const pauseMs of [1_000, 2_000]) {
    expect(pace.pausedMs()).toBe(pauseMs)
    clock.advance(pauseMs)
    const refuse = async () => Promise.reject(new LimitedError('HTTP status 403'))
    await expect(pace.run(refuse)).rejects.toMatchObject({ code: 'RPC_LIMITED' })
  }
  expect(pace.pausedMs()).toBe(4_000)
})

it('runs half as many requests at the same time after a refusal', {
  tags: 'ingest:limits-are-obeyed',
}, async () => {
  const { pace, clock } = setup()
  const refuse = () => Promise.reject(new LimitedError('slow down', 1_000))
  await expect(pace.run(refuse)).rejects.toMatchObject({ code: 'RPC_LIMITED' })
  const { ends, request } = createRequests()
  const runs = [1, 2, 3, 4].map(() => pace.run(request))
  for (let seconds = 0; seconds < 60; seconds++) {
    clock.advance(1_000)
    await turn()
  }
  expect(ends).toHaveLength(2)
  pace.close()
  for (const end of ends) end()
  await Promise.allSettled(runs)
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
