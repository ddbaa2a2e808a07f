// Tests the order, number and pauses of requests to one endpoint.
import { expect, it } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import {
  createPace,
  LimitedError,
  type PaceOptions,
  type Turn,
} from '../../../../../ingest/comet/transport/pace.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const setup = (options: Partial<PaceOptions> = {}) => {
  const clock = createFakeClock({ autoAdvance: false })
  const pace = createPace<Turn>({ maxConcurrent: 4, clock, ...options })
  const run = <T>(request: () => Promise<T>, place: Partial<Turn> = {}) =>
    new Promise<T>((resolve, reject) => {
      const start = () => void pace.run(request).then(resolve, reject)
      pace.enter({ order: 0, isBackground: false, start, ...place })
    })
  return { clock, pace, run }
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
  const { run } = setup()
  const order: number[] = []
  const { ends, request } = createRequests()
  const runs = [1, 2, 3, 4, 5, 6].map((number) =>
    run(() => {
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
    const { run, clock } = setup()
    await run(async () => undefined)
    const refused = async () => Promise.reject(new LimitedError('slow down', retryAfterMs))
    await expect(run(refused)).rejects.toMatchObject({ code: 'RPC_LIMITED' })
    let asked = 0
    const asking = run(async () => ++asked)
    await turn()
    clock.advance(pauseMs - 1)
    await turn()
    expect(asked).toBe(0)
    clock.advance(1_001)
    expect(await asking).toBe(1)
  },
)

it('starts the read that began first, also when it is asked again', async () => {
  const { run } = setup({ maxConcurrent: 1 })
  const { ends, request } = createRequests()
  const started: number[] = []
  const ask = (order: number) =>
    run(
      () => {
        started.push(order)
        return request()
      },
      { order },
    )
  const runs = [5, 6, 7].map(ask)
  await turn()
  const again = ask(2)
  await turn()
  for (let each = 0; each < 4; each++) {
    ends[each]?.()
    await turn()
  }
  await Promise.all([...runs, again])
  expect(started).toEqual([5, 2, 6, 7])
})

it('pauses once for refusals that come together, and longer if the first request after it is refused', async () => {
  const { pace, run, clock } = setup()
  for (let each = 0; each < 20; each++) await run(async () => undefined)
  const { ends, request } = createRequests()
  const runs = [1, 2, 3, 4].map(() => run(request))
  await turn()
  const ended = Promise.allSettled(runs)
  for (const end of ends.splice(0)) end(new LimitedError('slow down'))
  await ended
  for (const pauseMs of [1_000, 2_000]) {
    expect(pace.pausedMs()).toBe(pauseMs)
    clock.advance(pauseMs)
    const refuse = async () => Promise.reject(new LimitedError('HTTP status 403'))
    await expect(run(refuse)).rejects.toMatchObject({ code: 'RPC_LIMITED' })
  }
  expect(pace.pausedMs()).toBe(4_000)
})

it('runs half as many requests at the same time after a refusal', {
  tags: 'ingest:limits-are-obeyed',
}, async () => {
  const { pace, clock, run } = setup()
  const refuse = () => Promise.reject(new LimitedError('slow down', 1_000))
  await expect(run(refuse)).rejects.toMatchObject({ code: 'RPC_LIMITED' })
  const { ends, request } = createRequests()
  for (let each = 0; each < 4; each++) void run(request)
  for (let seconds = 0; seconds < 60; seconds++) {
    clock.advance(1_000)
    await turn()
  }
  expect(ends).toHaveLength(2)
  pace.close()
})

it('leaves other errors to its caller at once', async () => {
  const { run } = setup()
  const broken = new AppError('RPC_UNAVAILABLE', 'ECONNRESET', { retryable: true })
  await expect(run(() => Promise.reject(broken))).rejects.toBe(broken)
})

it('starts nothing that left, and nothing after it was closed', async () => {
  const { pace, run } = setup({ maxConcurrent: 1 })
  const { ends, request } = createRequests()
  const first = run(request)
  const started: string[] = []
  const turns = ['second', 'third', 'fourth'].map((name) => ({
    order: 0,
    isBackground: false,
    start: () => {
      started.push(name)
      void pace.run(async () => undefined)
    },
  }))
  for (const each of turns) pace.enter(each)
  pace.leave(turns[0]!)
  await turn()
  ends[0]!()
  await first
  await turn()
  await turn()
  expect(started).toEqual(['third', 'fourth'])
  const late = { ...turns[0]! }
  pace.enter(late)
  expect(pace.close()).toEqual([late])
  await turn()
  expect(started).toHaveLength(2)
})

it('takes along what waits, as far as the rate allows', async () => {
  const { pace, run, clock } = setup({ maxPerSecond: 20, maxConcurrent: 1 })
  const taken: number[] = []
  const place = (order: number): Turn => ({ order, isBackground: false, start: () => {} })
  clock.advance(1_000)
  await run(async () => {
    for (const order of [3, 1, 2, 7, 5, 4]) pace.enter(place(order))
    const along = pace.takeAlong(place(0), 9, ({ order }) => order !== 2)
    taken.push(...along.map(({ order }) => order))
  })
  expect(taken).toEqual([1, 3, 4, 5])
  expect(pace.close().map(({ order }) => order)).toEqual([2, 7])
})

it('lets requests in the background wait for all others, and keeps half of the places free', async () => {
  const { pace, run } = setup()
  const started: string[] = []
  const { ends, request } = createRequests()
  const ask = (name: string, isBackground: boolean) =>
    run(
      () => {
        started.push(name)
        return request()
      },
      { isBackground },
    )
  const runs = ['b1', 'b2', 'b3', 'b4'].map((name) => ask(name, true))
  await turn()
  expect(started).toEqual(['b1', 'b2'])
  runs.push(ask('f1', false), ask('f2', false), ask('f3', false))
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
