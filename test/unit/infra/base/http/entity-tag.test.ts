// Tests of If-None-Match: whether the client already has the page.
import { describe, expect, it } from 'vitest'
import { hasAlready } from '../../../../../infra/base/http/response.ts'

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
