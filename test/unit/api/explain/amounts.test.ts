// Display units: from the settings, else none.
import { describe, expect, it } from 'vitest'
import { amountText, createUnitLookup } from '../../../../api/explain/amounts.ts'
import { plain } from '../../../support/api/explained.ts'

const shown = (denom: string, amount: string, unit = 'uroll') => {
  const setting = { name: 'ROLL', denom: unit, decimals: 6 }
  return plain(amountText({ denom, amount }, createUnitLookup(setting)))
}

describe('amounts', () => {
  it('are exact, in the configured unit', () => {
    expect(shown('uroll', '1234567000001')).toBe('1 234 567.000001 ROLL')
  })

  it('are in base units if no unit is known', () => {
    expect(shown('uother', '1500000')).toBe('1 500 000 uother')
  })

  it('show the denom as well if anyone can create it with any symbol', () => {
    const denom = 'factory/cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu/uatom'
    expect(shown(denom, '1000000', denom)).toBe('1 ROLL (factory/cosmos…xu/uatom)')
  })
})
