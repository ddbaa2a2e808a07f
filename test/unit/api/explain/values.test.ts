// Shares and durations in readable form.
import { describe, expect, it } from 'vitest'
import { durationText, percentText } from '../../../../api/explain/values.ts'

describe('readable values', () => {
  it.each([
    ['0.334000000000000000', '33.4 %'],
    ['1.000000000000000000', '100 %'],
    ['0.000000000000000001', '0.0000000000000001 %'],
    ['1.5', undefined],
    ['-0.1', undefined],
    ['1', undefined],
  ])('the share %s is %s', (text, percent) => expect(percentText(text)).toBe(percent))

  it.each([
    ['172800s', '2 days'],
    ['90061s', '1 day 1 hour 1 minute 1 second'],
    ['0s', '0 seconds'],
    ['0.500s', '0.5 seconds'],
    ['60.000000001s', '1 minute 0.000000001 seconds'],
    ['5m', undefined],
  ])('the duration %s is %s', (text, duration) => expect(durationText(text)).toBe(duration))
})
