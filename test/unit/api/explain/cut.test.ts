// Limits the length of texts and JSON; short ones stay the same.
import { describe, expect, it } from 'vitest'
import { boundedJson, cut } from '../../../../api/explain/cut.ts'
import { durationText, percentText } from '../../../../api/explain/readable.ts'

describe('bounded texts', () => {
  it('truncates a text without an unpaired surrogate at its end', () => {
    expect(cut('abcdef', 4)).toBe('abc…')
    expect(cut('ab😀def', 4)).toBe('ab…')
    expect(cut('abcd', 4)).toBe('abcd')
  })

  it('write JSON like JSON.stringify', () => {
    const value = { a: [1, 'x"y', { b: null }], c: {}, d: [], e: true }
    expect(boundedJson(value)).toBe(JSON.stringify(value, null, 2))
  })

  it('bounds the work for long and deep values', () => {
    let deep: unknown = 0
    for (let n = 0; n < 100_000; n++) deep = [deep]
    expect(boundedJson(deep, 10_000)).toContain('…')
    const long = Array.from({ length: 100_000 }, (_, n) => n)
    expect(boundedJson(long)).toHaveLength(1_000)
  })
})

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
