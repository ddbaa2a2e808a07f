// Tests of amounts in display units: the decimal point moves exactly, without floating-point numbers.
import { describe, expect, it } from 'vitest'
import { readApiConfig } from '../../../../api/config.ts'
import {
  convertToUnit,
  groupThousands,
  parseDisplayUnit,
} from '../../../../api/words/display-unit.ts'

const ATOM = { name: 'ATOM', denom: 'uatom', decimals: 6 }

describe('a display unit', () => {
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
    ['1', '0.000001'],
    ['1000000', '1'],
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
})
