// Tests of the choice of the content coding.
import { describe, expect, it } from 'vitest'
import { chooseCoding } from '../../../../api/http/coding.ts'

describe('the coding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=nonsense', 'identity'],
    ['zstd', 'identity'],
  ])('for %j is %s', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding)
  })
})
