// Tests the counts of requests in all and in the last minute.
import { expect, it } from 'vitest'
import { createRequestCounts } from '../../../../../ingest/comet/transport/request-counts.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const setup = () => {
  const clock = createFakeClock({ autoAdvance: false })
  return { clock, counts: createRequestCounts(clock) }
}

it('has no share without a request', () => {
  const { counts } = setup()
  expect(counts.read()).toMatchObject({ grantedPerSecond: 0, refusedShare: null })
})

it('has what was granted per second in the last ten seconds, and the refused share of the last minute', () => {
  const { counts, clock } = setup()
  counts.refuse()
  for (let second = 0; second < 20; second++) {
    counts.grant()
    counts.grant()
    clock.advance(1_000)
  }
  expect(counts.read()).toMatchObject({ grantedPerSecond: 2, refusedShare: 1 / 41 })
  clock.advance(5_000)
  expect(counts.read()).toMatchObject({ grantedPerSecond: 1, refusedShare: 1 / 41 })
  clock.advance(36_000)
  expect(counts.read().refusedShare).toBe(0)
  clock.advance(60_000)
  expect(counts.read()).toEqual({
    granted: 40,
    refused: 1,
    grantedPerSecond: 0,
    refusedShare: null,
  })
})
