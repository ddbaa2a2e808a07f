// Property tests of cursors: they round-trip, and all other texts are refused.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor, hashScope } from '../../api/resources/list.ts'
import { hostileText } from '../support/api/hostile-texts.ts'

const scopes = fc
  .array(hostileText(), { minLength: 1, maxLength: 4 })
  .map((parts) => hashScope(...parts))
const positions = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const NUMBER = /^(?:0|[1-9][0-9]{0,19})$/
const generations = fc.integer({ min: 0, max: 999_999_999 })

describe('a cursor', () => {
  it('round-trips for every generation, position and list', () => {
    fc.assert(
      fc.property(generations, positions, scopes, (generation, position, scope) => {
        const cursor = { generation, position, scope }
        expect(decodeCursor(encodeCursor(cursor), scope, NUMBER)).toEqual(cursor)
      }),
    )
  })

  it('with a position that its list has not issued is refused', () => {
    const positions = fc.oneof(
      fc.nat().map((number) => `0${number}`),
      fc.stringMatching(/^[0-9a-z~+]{1,20}$/).filter((text) => !NUMBER.test(text)),
    )
    fc.assert(
      fc.property(positions, scopes, (position, scope) => {
        const forged = encodeCursor({ generation: 1, position, scope })
        expect(() => decodeCursor(forged, scope, NUMBER)).toThrow(/nextCursor/)
      }),
    )
  })
})
