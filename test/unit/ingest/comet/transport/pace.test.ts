// Tests the order, number, pauses and rate of requests to one endpoint.
import { expect, it } from 'vitest'
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

it.each([
  ['known to the operator', 12, 60, 0],
  ['found by a refusal', undefined, 60, 0.02],
])(
  'runs as many requests as a limit allows that is %s',
  async (_, maxPerSecond, seconds, share) => {
    const { clock, run } = setup(maxPerSecond === undefined ? {} : { maxPerSecond })
    const perSecond = 12
    const counts = { granted: 0, refused: 0 }
    let bucket = perSecond
    const ask = async () => {
      if (bucket < 1) {
        counts.refused++
        throw new LimitedError('slow down')
      }
      bucket--
      counts.granted++
    }
    for (let each = 0; each < 30 * seconds; each++) void run(ask).catch(() => undefined)
    for (let step = 0; step < 100 * seconds; step++) {
      clock.advance(10)
      bucket = Math.min(perSecond, bucket + perSecond / 100)
      await turn()
    }
    expect(counts.granted).toBeGreaterThan(0.5 * perSecond * seconds)
    expect(counts.refused).toBeLessThanOrEqual(share * counts.granted)
  },
)

it('runs many more requests once the endpoint no longer refuses them', async () => {
  const { clock, run } = setup()
  for (let each = 0; each < 12; each++) await run(async () => undefined)
  const refuse = () => Promise.reject(new LimitedError('slow down'))
  await expect(run(refuse)).rejects.toMatchObject({ code: 'RPC_LIMITED' })
  let granted = 0
  for (let each = 0; each < 10_000; each++) void run(async () => ++granted)
  // Under the limit that the refusal showed, 3,600.
  for (let step = 0; step < 30_000 && granted < 10_000; step++) {
    clock.advance(10)
    await turn()
  }
  expect(granted).toBe(10_000)
})
