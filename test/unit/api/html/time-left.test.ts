// Durations in words, and the widths of bars.
import { describe, expect, it } from 'vitest'
import { spanInWords } from '../../../../api/html/time-left.ts'
import { width } from '../../../../api/shares.ts'

describe('durations and widths', () => {
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [3_661, '1 hour 1 minute'],
    [180_000, '2 days 2 hours'],
  ])('%i s are %s', (seconds, words) => expect(spanInWords(seconds)).toBe(words))

  it('formats the width of a share', () => {
    expect(['0.9500', '1', '0.5', '0.0004', null].map(width)).toEqual([
      '95.00%',
      '100.00%',
      '50.00%',
      '0.04%',
      '0.00%',
    ])
  })
})
