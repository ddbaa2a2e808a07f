// Tests of turnout over time: cumulative sums, with powers of the tally only.
import { describe, expect, it } from 'vitest'
import { toSteps } from '../../../../../api/read/queries/turnout-series.ts'
import type { TallyRow } from '../../../../../projections/contract/read-model.ts'
import { tallyRow } from '../../../../support/store/read-model-seed.ts'

const ATTO = '000000000000000000'
const span = { startMs: 0, endMs: 950 }
const row = (step: number, ballots: number, power: string) => ({
  step: `${step}`,
  ballots: `${ballots}`,
  power,
  unknown_powers: '0',
  untimed: '0',
})
const ROWS = [row(0, 2, `60${ATTO}`), row(9, 1, '40500000000000000000')]
const finalTally = { final: true, yes: '70', no: '20', abstain: '8', no_with_veto: '2' }

const steps = (tally: Partial<TallyRow>, rows = ROWS) =>
  toSteps(rows, { span, tally: tallyRow(1, 10, { ...finalTally, ...tally }) }, 100)

describe('turnout over time', () => {
  it('is cumulative, ends with the vote, and is truncated to whole units', () => {
    expect(steps({})).toEqual([
      { until: '1970-01-01T00:00:00.100Z', ballots: 2, power: '60' },
      { until: '1970-01-01T00:00:00.950Z', ballots: 3, power: '100' },
    ])
  })

  it.each([
    ['the vote is open', { final: false }],
    ['the tally is not known', { yes: null }],
    ['the powers differ from the tally', { yes: '900' }],
  ] as const)('has no power if %s', (_why, tally) => {
    expect(steps(tally).map(({ ballots, power }) => [ballots, power])).toEqual([
      [2, null],
      [3, null],
    ])
  })

  it('has no power if one power is not known', () => {
    const rows = [{ ...row(0, 2, '0'), unknown_powers: '1' }, row(1, 0, `100${ATTO}`)]
    expect(steps({}, rows).every(({ power }) => power === null)).toBe(true)
  })
})
