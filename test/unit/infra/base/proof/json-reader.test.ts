// Tests that untrusted JSON has one form per value: a laxer form would be a change that no signature covers.
import { describe, expect, it } from 'vitest'
import { readTimestamp } from '../../../../../infra/base/proof/header.ts'
import { readJson } from '../../../../../infra/base/proof/json-reader.ts'
import { ProofError } from '../../../../../infra/base/proof/proof-error.ts'

/** Each kind of value, with other forms that a laxer reader accepts. */
const OTHER_FORMS = {
  base64: ['AB==', 'AA', 'AA=', 'AA==\n', ' AA==', 'AA==AA==', 'A-==', 'A_==', '=', '%%%%'],
  hex: ['ABC', '0xAB', 'AB ', 'A G0', 'ZZ', 'AB\n0'],
  integer: ['007', '-0', '+1', '1.0', '1e3', ' 1', '1n', '', '0x10', '9223372036854775808'],
  timestamp: [
    '2026-02-30T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T00:00:60Z',
    '2026-11-21T00:00:00',
    '2026-11-21T00:00:00+01:00',
    '2026-11-21T00:00:00.1234567890Z',
    '2026-11-21 00:00:00Z',
  ],
}
const READ = {
  base64: (value: unknown) => readJson(value).base64(),
  hex: (value: unknown) => readJson(value).hex(),
  integer: (value: unknown) => readJson(value).integer(),
  timestamp: (value: unknown) => readTimestamp(readJson(value)),
}

describe('a member of an untrusted proof', () => {
  it.each(['base64', 'hex', 'integer', 'timestamp'] as const)('has one form as %s', (kind) => {
    for (const text of OTHER_FORMS[kind]) expect(() => READ[kind](text), text).toThrow(ProofError)
  })

  it('is read as bytes of the expected size only', () => {
    expect(readJson('AA==').base64(1)).toEqual(Uint8Array.of(0))
    expect(() => readJson('AA==').base64(2)).toThrow('proof must be 2 bytes in base64.')
    expect(readJson('aB').hex(1)).toEqual(Uint8Array.of(0xab))
    expect(() => readJson('AB').hex(32)).toThrow('proof must be 32 bytes in hex.')
  })

  it('is read as a whole number up to that of 64 bits, and as no other value', () => {
    expect(readJson('9223372036854775807').integer()).toBe(2n ** 63n - 1n)
    expect(readJson(0).integer()).toBe(0n)
    for (const value of [1.5, -1, NaN, 2 ** 53, true, null, [1], { a: 1 }]) {
      expect(() => readJson(value).integer()).toThrow(ProofError)
    }
  })

  it('is not read from the prototype of an object, nor from a list that is too long', () => {
    expect(() => readJson({}).member('constructor')).toThrow(ProofError)
    expect(() => readJson([1, 2]).list(1)).toThrow('proof must be a list of at most 1 items.')
    expect(() => readJson({ length: 1 }).list(1)).toThrow(ProofError)
  })
})
