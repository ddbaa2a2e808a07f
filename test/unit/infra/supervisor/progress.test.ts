// The numbers a person waits by.
import { describe, expect, it } from 'vitest'
import { createProgressMeter, progressText } from '../../../../infra/supervisor/progress.ts'

describe('backfill progress', () => {
  it('gives rate and time left from what was served lately', () => {
    const meter = createProgressMeter()
    meter.add({ atMs: 0, height: 1_000, tip: 11_000 })
    const progress = meter.add({ atMs: 10_000, height: 2_000, tip: 11_000 })
    expect(progress).toEqual({
      height: 2_000,
      tip: 11_000,
      fraction: 0.1,
      heightsPerSecond: 100,
      secondsLeft: 90,
    })
    expect(progressText(progress)).toBe(
      'backfill: height 2,000 of 11,000 (10.0 %), 100 heights/s, 2 min left',
    )
  })

  it('forgets a slow start', () => {
    const meter = createProgressMeter()
    meter.add({ atMs: 0, height: 0, tip: 1_000 })
    meter.add({ atMs: 20_000, height: 10, tip: 1_000 })
    const { heightsPerSecond } = meter.add({ atMs: 30_000, height: 510, tip: 1_000 })
    expect(heightsPerSecond).toBe(50)
  })

  it('promises nothing before it has measured, nor while nothing moves', () => {
    const meter = createProgressMeter()
    const first = meter.add({ atMs: 0, height: 5, tip: 1_000 })
    expect(progressText(first)).toBe('backfill: height 5 of 1,000 (0.0 %), measuring')
    const stuck = meter.add({ atMs: 5_000, height: 5, tip: 1_000 })
    expect(stuck.secondsLeft).toBeUndefined()
    expect(progressText(stuck)).toBe('backfill: height 5 of 1,000 (0.0 %), 0 heights/s')
  })
})
