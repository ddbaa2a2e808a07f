// Limits the length of texts and JSON; short ones stay the same.
import { describe, expect, it } from 'vitest'
import { boundedJson, cut } from '../../../../api/explain/details.ts'

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
