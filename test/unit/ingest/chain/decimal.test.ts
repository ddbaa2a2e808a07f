// Decimals as the chain writes them, exactly.
import { describe, expect, it } from 'vitest'
import { attoOfDecimal, decimalOfAtto, normalizeDecimal } from '../../../../ingest/chain/decimal.ts'

describe('decimals of 18 places', () => {
  it.each([
    ['0', '0.000000000000000000'],
    ['1', '0.000000000000000001'],
    ['500000000000000000', '0.500000000000000000'],
    ['1000000000000000000', '1.000000000000000000'],
    ['123456789012345678901234567890', '123456789012.345678901234567890'],
  ])('are read from the integers of the wire: %s', (atto, decimal) => {
    expect(decimalOfAtto(atto)).toBe(decimal)
  })

  it.each([
    ['0.5', '0.500000000000000000'],
    ['1', '1.000000000000000000'],
    ['.25', '0.250000000000000000'],
    ['007.10', '7.100000000000000000'],
  ])('are brought to 18 places: %s', (text, normalized) => {
    expect(normalizeDecimal(text)).toBe(normalized)
  })

  it.each(['', '.', '-1', '1e3', '0x1', '1.2.3', '0.1234567890123456789'])(
    'are not made of %j',
    (text) => {
      expect(attoOfDecimal(text)).toBeUndefined()
    },
  )

  it('are not made of a signed or broken wire integer', () => {
    expect(decimalOfAtto('-5')).toBeUndefined()
    expect(decimalOfAtto('0.5')).toBeUndefined()
  })
})
