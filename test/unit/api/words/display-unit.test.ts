// Tests of amounts in display units: the decimal point moves exactly, without floating-point numbers.
import { describe, expect, it } from 'vitest'
import { readApiConfig } from '../../../../api/config.ts'
import {
  convertToUnit,
  groupThousands,
  parseDisplayUnit,
  truncateTo,
} from '../../../../api/words/display-unit.ts'

const ATOM = { name: 'ATOM', denom: 'uatom', decimals: 6 }

describe('a display unit', () => {
  it('has a name, a denom and a number of decimal places', () => {
    expect(parseDisplayUnit('ATOM=uatom/6')).toEqual(ATOM)
    expect(parseDisplayUnit('ETH=wei/18')).toMatchObject({ decimals: 18 })
  })

  it.each(['', 'ATOM', 'ATOM=uatom', 'ATOM=uatom/-1', 'ATOM=uatom/99', '<b>=uatom/6'])(
    '%j is refused, and the message shows a valid value',
    (raw) => {
      expect(parseDisplayUnit(raw)).toBeUndefined()
      if (raw !== '') {
        expect(() => readApiConfig({ DISPLAY_UNIT: raw })).toThrow(/DISPLAY_UNIT.*ATOM=uatom\/6/)
      }
    },
  )

  it.each([
    ['0', '0'],
    ['1', '0.000001'],
    ['1000000', '1'],
    ['86928674715878', '86928674.715878'],
    ['1031582449.000000005999060225', '1031.582449000000005999060225'],
    ['-5', '-0.000005'],
    ['900719925474099312345678901234567890', '900719925474099312345678901234.56789'],
  ])('%s uatom are %s ATOM', (base, shown) => {
    expect(convertToUnit(base, ATOM)).toBe(shown)
  })

  it('a value that is not a decimal has no amount', () => {
    expect(convertToUnit('1e6', ATOM)).toBeUndefined()
    expect(groupThousands('NaN')).toBeUndefined()
  })

  it('thousands are separated, and further decimal places are truncated', () => {
    expect(groupThousands('86928674.715878')).toBe('86\u202f928\u202f674.715878')
    expect(groupThousands('999')).toBe('999')
    expect(truncateTo('0.999', 2)).toBe('0.99')
    expect(truncateTo('5.001', 2)).toBe('5')
  })
})
