// Display units: from the bank metadata, else from the settings, else none.
import { describe, expect, it } from 'vitest'
import { amountText, createUnitLookup, unitFromMetadata } from '../../../../api/explain/amounts.ts'
import { createObservationLookup } from '../../../../api/explain/observations.ts'
import { createMetadata, observed, plain } from '../../../support/api/explained.ts'

const SETTING = { name: 'ROLL', denom: 'uroll', decimals: 6 }
const shown = (
  denom: string,
  amount: string,
  observations = [createMetadata('uatom', 'atom', 'ATOM')],
) =>
  plain(
    amountText({ denom, amount }, createUnitLookup(createObservationLookup(observations), SETTING)),
  )

describe('amounts', () => {
  it('are exact, in the unit of the metadata', () => {
    expect(shown('uatom', '1234567000001')).toBe('1 234 567.000001 ATOM')
  })

  it('are in the configured unit if the chain has no metadata', () => {
    expect(shown('uroll', '1500000')).toBe('1.5 ROLL')
    expect(
      shown('uroll', '1500000', [
        observed('/cosmos.bank.v1beta1.Query/DenomMetadata', { denom: 'uroll' }, null),
      ]),
    ).toBe('1.5 ROLL')
  })

  it('are in base units if no unit is known', () => {
    expect(shown('uother', '1500000')).toBe('1 500 000 uother')
  })

  it('show the denom as well if anyone can create it with any symbol', () => {
    const denom = 'factory/cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu/uatom'
    expect(shown(denom, '1000000', [createMetadata(denom, 'atom', 'ATOM')])).toBe(
      '1 ATOM (factory/cosmos…xu/uatom)',
    )
  })
})

describe('metadata', () => {
  const units = [
    { denom: 'uatom', exponent: 0 },
    { denom: 'atom', exponent: 6 },
  ]
  it.each([
    ['the symbol', { display: 'atom', symbol: 'ATOM', denom_units: units }, 'ATOM'],
    ['the display unit, without a symbol', { display: 'atom', denom_units: units }, 'atom'],
    ['no symbol with markup', { display: 'atom', symbol: '<b>', denom_units: units }, 'atom'],
    [
      'nothing if the display unit is the base unit',
      { display: 'uatom', denom_units: units },
      undefined,
    ],
    ['nothing if the unit is not listed', { display: 'x', denom_units: units }, undefined],
    [
      'nothing for an absurd exponent',
      { display: 'a', denom_units: [...units, { denom: 'a', exponent: 1e9 }] },
      undefined,
    ],
    ['nothing for a value that is not a list', { display: 'atom', denom_units: 'x' }, undefined],
  ])('gives %s as the name', (_, metadata, name) => {
    expect(unitFromMetadata(metadata, 'uatom')?.name).toBe(name)
  })

  it('counts decimals from the base unit, which can have an exponent above 0', () => {
    const metadata = {
      display: 'a',
      denom_units: [
        { denom: 'b', exponent: 2 },
        { denom: 'a', exponent: 8 },
      ],
    }
    expect(unitFromMetadata(metadata, 'b')).toEqual({ name: 'a', denom: 'b', decimals: 6 })
  })
})
