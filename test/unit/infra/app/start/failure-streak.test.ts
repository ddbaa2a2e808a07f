// When a child that fails for the same reason each time is taken for one that works again.
import { describe, expect, it } from 'vitest'
import type { ChildExit } from '../../../../../infra/app/start/children.ts'
import { FailureStreak } from '../../../../../infra/app/start/failure-streak.ts'

const failed = (message: string): ChildExit => ({
  code: 70,
  signal: null,
  failure: { code: 'FOLD_FAILED', message },
})
const killed: ChildExit = { code: null, signal: 'SIGKILL', failure: undefined }

const createStreak = (...exits: [ChildExit, number][]) => {
  const streak = new FailureStreak()
  for (const [exit, ranMs] of exits) streak.add(exit, ranMs)
  return streak
}

const HOUR_MS = 60 * 60_000

describe('a streak of failures', () => {
  it('is repeated at the third failure with the same code and message', () => {
    const streak = createStreak([failed('a'), 0], [failed('a'), 0])
    expect([streak.isRepeated, streak.proofMs]).toEqual([false, 0])
    streak.add(failed('a'), 0)
    expect([streak.isRepeated, streak.count]).toEqual([true, 3])
  })

  it('starts again at a failure with another message', () => {
    const streak = createStreak(
      [failed('a'), 0],
      [failed('a'), 0],
      [failed('b'), 0],
      [failed('b'), 0],
    )
    expect(streak.count).toBe(2)
  })

  it('does not count a child that is killed without saying why', () => {
    expect(createStreak([killed, 0], [killed, 0], [killed, 0]).isRepeated).toBe(false)
    expect(
      createStreak([failed('a'), 0], [failed('a'), 0], [killed, 0], [failed('a'), 0]).count,
    ).toBe(1)
  })

  it('ends after ten seconds of running, or twice the longest run with the same failure if that is longer', () => {
    expect(createStreak([failed('a'), 0], [failed('a'), 900], [failed('a'), 800]).proofMs).toBe(
      10_000,
    )
    const slow = createStreak([failed('a'), 0], [failed('a'), 40_000], [failed('a'), 30_000])
    expect(slow.proofMs).toBe(80_000)
  })

  it('does not ask for more because the child had worked for long before it failed', () => {
    const streak = createStreak([failed('a'), 20 * HOUR_MS], [failed('a'), 10], [failed('a'), 10])
    expect([streak.count, streak.proofMs]).toEqual([3, 10_000])
  })

  it('starts again after a run of an hour', () => {
    expect(createStreak([failed('a'), 0], [failed('a'), 0], [failed('a'), HOUR_MS]).count).toBe(1)
  })
})
