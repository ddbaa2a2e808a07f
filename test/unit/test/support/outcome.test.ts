// Tests of the lines of a run: one for each suite, and an end that names all that failed or was left out.
import { describe, expect, it } from 'vitest'
import {
  addOutcomes,
  endLines,
  formatDuration,
  isGreen,
  NOTHING,
  type Outcome,
  suiteLine,
} from '../../../support/suite/outcome.ts'

const GREEN: Outcome = { ...NOTHING, passed: 2, suites: [{ name: 'unit', ms: 1_000 }] }
const RED: Outcome = {
  ...NOTHING,
  passed: 3,
  failures: [{ suite: 'hostile', name: 'a.test.ts: a test', reason: 'no', repeat: 'npx vitest' }],
  skipped: [{ name: 'a skipped test', reason: 'the test skips itself' }],
  suites: [{ name: 'hostile', ms: 60_000 }],
}
const LACKING: Outcome = { ...NOTHING, lacking: [{ name: 'kafka', reason: 'no `java`' }] }

describe('the outcome of a run', () => {
  it('is the sum over its suites', () => {
    const { passed, failures, skipped, suites } = addOutcomes(GREEN, RED)
    expect([passed, failures.length, skipped.length]).toEqual([5, 1, 1])
    expect(suites.map(({ name }) => name)).toEqual(['unit', 'hostile'])
  })

  it('has one line for a suite, with its time and its sums', () => {
    expect(suiteLine('unit', GREEN, 41_400)).toMatch(/^✓ unit +41 s {3}2 passed, 0 failed$/)
    expect(suiteLine('hostile', RED, 61_000)).toMatch(
      /^✗ hostile +1 min 1 s {3}3 passed, 1 failed, 1 skipped$/,
    )
  })

  it('names at its end each failure with its command, what was left out, and the sums', () => {
    const lines = endLines([GREEN, RED, LACKING].reduce(addOutcomes), false)
    expect(lines.slice(lines.findIndex((line) => line.startsWith('failed:')))).toEqual([
      'failed: hostile: a.test.ts: a test: no',
      '  repeat: npx vitest',
      'not run: a skipped test (the test skips itself)',
      'not run: kafka (no `java`)',
      '5 passed, 1 failed, 1 skipped',
    ])
  })

  it('is green if something passed and nothing failed', () => {
    expect(isGreen(GREEN, true)).toBe(true)
    expect(isGreen(NOTHING, false)).toBe(false)
    expect(isGreen(addOutcomes(GREEN, RED), false)).toBe(false)
  })

  it('is green without a suite that the machine cannot run, but not in CI', () => {
    const outcome = addOutcomes(GREEN, LACKING)
    expect(isGreen(outcome, false)).toBe(true)
    expect(isGreen(outcome, true)).toBe(false)
    expect(endLines(outcome, true)).toContain('CI allows nothing to be left out')
  })

  it('is not green in CI with a test that skips itself', () => {
    const outcome = { ...GREEN, skipped: RED.skipped }
    expect([isGreen(outcome, false), isGreen(outcome, true)]).toEqual([true, false])
  })
})

describe('a duration', () => {
  it.each([
    [400, '0 s'],
    [59_400, '59 s'],
    [59_600, '1 min 0 s'],
    [754_000, '12 min 34 s'],
  ])('of %d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})
