// Which coding is sent, and who has the page already.
import { describe, expect, it } from 'vitest'
import { codingFor, hasAlready } from '../../../../api/plugins/conditional.ts'

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
    expect(codingFor(header)).toBe(coding)
  })
})

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    [undefined, false],
  ])('%j against "a" is %s', (header, expected) => {
    expect(hasAlready(header, '"a"')).toBe(expected)
  })
})
