// Tests of the progress numbers that a user sees.
import { describe, expect, it } from 'vitest'
import {
  barText,
  createProgressMeter,
  progressText,
} from '../../../../../infra/app/terminal/progress.ts'

const BACKFILL = { what: 'backfill: height', unit: 'heights' }

describe('progress', () => {
  it('computes rate and remaining time from recent samples', () => {
    const meter = createProgressMeter()
    meter.add({ atMs: 0, done: 1_000, total: 11_000 })
    const progress = meter.add({ atMs: 10_000, done: 2_000, total: 11_000 })
    expect(progress).toEqual({
      done: 2_000,
      total: 11_000,
      fraction: 0.1,
      perSecond: 100,
      secondsLeft: 90,
    })
    expect(progressText(progress, BACKFILL)).toBe(
      'backfill: height 2,000 of 11,000 (10.0 %), 100 heights/s, 2 min left',
    )
  })

  it('ignores a slow start', () => {
    const meter = createProgressMeter()
    meter.add({ atMs: 0, done: 0, total: 1_000 })
    meter.add({ atMs: 20_000, done: 10, total: 1_000 })
    const { perSecond } = meter.add({ atMs: 30_000, done: 510, total: 1_000 })
    expect(perSecond).toBe(50)
  })

  it('shows no remaining time before it has a rate, nor while nothing advances', () => {
    const meter = createProgressMeter()
    const first = meter.add({ atMs: 0, done: 5, total: 1_000 })
    expect(progressText(first, BACKFILL)).toBe('backfill: height 5 of 1,000 (0.0 %), measuring')
    const stuck = meter.add({ atMs: 5_000, done: 5, total: 1_000 })
    expect(stuck.secondsLeft).toBeUndefined()
    expect(progressText(stuck, BACKFILL)).toBe('backfill: height 5 of 1,000 (0.0 %), 0 heights/s')
  })

  it('has a bar that is full only at the end', () => {
    expect(barText({ fraction: 0 })).toBe(`[${'.'.repeat(20)}]`)
    expect(barText({ fraction: 0.999 })).toBe(`[${'#'.repeat(19)}.]`)
    expect(barText({ fraction: 1 })).toBe(`[${'#'.repeat(20)}]`)
  })
})
