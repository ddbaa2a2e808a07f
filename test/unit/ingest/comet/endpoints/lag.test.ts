// Tests how long a URL is not asked again for a height that one of its nodes does not have yet.
import { expect, it } from 'vitest'
import { createLag } from '../../../../../ingest/comet/endpoints/window.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const setup = () => {
  const clock = createFakeClock()
  const lag = createLag(clock, new AbortController().signal)
  /** A node lacked the height so long after another one had it. */
  const missAfter = (height: number, ms: number) => {
    lag.saw(height)
    clock.advance(ms)
    lag.missed(height)
  }
  return { clock, lag, missAfter }
}

it('waits for no height that all nodes had', () => {
  const { lag, missAfter } = setup()
  missAfter(10, 800)
  lag.saw(11)
  expect(lag.waitMs(11)).toBe(0)
  expect(lag.waitMs(9)).toBe(0)
})

it('waits for a height that a node lacks until the slowest node so far would have it', () => {
  const { lag, missAfter } = setup()
  missAfter(10, 800)
  missAfter(11, 100)
  expect(lag.waitMs(11)).toBeGreaterThan(700)
  expect(lag.waitMs(11)).toBeLessThanOrEqual(900)
})

it('ends the wait at that time', async () => {
  const { clock, lag, missAfter } = setup()
  missAfter(10, 800)
  missAfter(11, 100)
  await lag.untilLikely(11)
  expect(lag.waitMs(11)).toBe(0)
  expect(clock.now()).toBeLessThanOrEqual(1_900)
})

it('does not wait for a node that is far behind', () => {
  const { lag, missAfter } = setup()
  missAfter(10, 60_000)
  expect(lag.waitMs(10)).toBe(0)
})

it('forgets the lag of a node that has caught up', () => {
  const { lag, missAfter } = setup()
  missAfter(10, 1_000)
  for (let height = 11; height < 500; height++) lag.saw(height)
  missAfter(500, 1)
  expect(lag.waitMs(500)).toBeLessThan(20)
})

it('learns again after a height that never existed', () => {
  const { clock, lag, missAfter } = setup()
  lag.saw(Number.MAX_SAFE_INTEGER)
  clock.advance(61_000)
  missAfter(10, 800)
  expect(lag.waitMs(10)).toBeGreaterThan(0)
})
