// Tests of which of two media types a client gets for the same bytes.
import { describe, expect, it } from 'vitest'
import { prefersOther } from '../../../../api/http/document-type.ts'

const types = {
  usual: 'application/json; charset=utf-8',
  other: 'application/openapi+json;version=3.1',
}

describe('the alternative media type', () => {
  it.each([
    ['application/openapi+json', true],
    ['application/openapi+json;version=3.1, application/json;q=0.9', true],
    ['application/json, application/openapi+json;q=0.5', false],
    ['application/openapi+json;q=0', false],
    ['*/*', false],
    ['application/json', false],
    ['', false],
    [undefined, false],
  ])('for %s: %s', (accept, isOther) => {
    expect(prefersOther(accept, types)).toBe(isOther)
  })
})
