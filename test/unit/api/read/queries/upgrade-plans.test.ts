// The time at which a chain reaches the height of an upgrade.
import { describe, expect, it } from 'vitest'
import { estimateTime } from '../../../../../api/read/queries/upgrade-plans.ts'

describe('the estimated time of an upgrade', () => {
  const from = { height: 500, time: '2026-11-21T07:10:00Z' }
  const to = { height: 1_000, time: '2026-11-21T08:00:00Z' }

  it('follows from the average block time between two blocks', () => {
    expect(estimateTime('101000', { from, to })).toEqual({
      time: '2026-11-28T06:40:00.000Z',
      blockSeconds: 6,
      blocks: 500,
    })
  })

  it.each([
    ['the earlier block is later', { height: 500, time: '2026-11-21T09:00:00Z' }, '101000'],
    ['the time of the earlier block is invalid', { height: 500, time: 'x' }, '101000'],
    ['the height has passed', from, '900'],
    ['the time is beyond the year 9999', from, '9'.repeat(20)],
  ])('is unknown if %s', (_, block, height) => {
    expect(estimateTime(height, { from: block, to })).toBeUndefined()
  })
})
