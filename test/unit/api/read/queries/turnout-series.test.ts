// Tests of turnout over time: cumulative sums, with powers of the tally only.
import { describe, expect, it } from 'vitest'
import { computeNeededPower, toSteps } from '../../../../../api/read/queries/turnout-series.ts'
import { ATTO as ONE, parseDecimal, quo } from '../../../../../ingest/contract/decimal.ts'
import { tallies } from '../../../../../projections/contract/tables/votes.ts'
import { tallyRow } from '../../../../support/store/read-model-seed.ts'
import type { TallyRow } from '../../../../support/store/stored-rows.ts'

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

const readTally = (changes: Partial<TallyRow>) => tallies.decode(tallyRow(1, 10, changes))

const steps = (tally: Partial<TallyRow>, rows = ROWS) =>
  toSteps(rows, { span, tally: readTally({ ...finalTally, ...tally }) }, 100)

describe('turnout over time', () => {
  it('is cumulative, ends with the vote, and is truncated to whole units', () => {
    expect(steps({})).toEqual([
      { until: '1970-01-01T00:00:00.100Z', ballots: 2, votingPower: '60', turnout: '0.0060' },
      { until: '1970-01-01T00:00:00.950Z', ballots: 3, votingPower: '100', turnout: '0.0100' },
    ])
  })

  it.each([
    ['the vote is open', { final: false }],
    ['the tally is not known', { yes: null }],
    ['the powers differ from the tally', { yes: '900' }],
  ] as const)('has no power if %s', (_why, tally) => {
    expect(
      steps(tally).map(({ ballots, votingPower, turnout }) => [ballots, votingPower ?? turnout]),
    ).toEqual([
      [2, null],
      [3, null],
    ])
  })

  it('has no power if one power is not known', () => {
    const rows = [{ ...row(0, 2, '0'), unknown_powers: '1' }, row(1, 0, `100${ATTO}`)]
    expect(steps({}, rows).every(({ votingPower }) => votingPower === null)).toBe(true)
  })
})

describe('the power that reaches a quorum', () => {
  it.each([
    ['0.334', '1000'],
    ['0.333333333333333333', '3'],
    ['0.000000000000000001', '7'],
    ['0.4', '999999999999999999999999'],
    ['0', '5'],
    ['1', '12345'],
  ])('is the least one that the chain rounds to %s of %s', (quorum, bonded) => {
    const needed = computeNeededPower(readTally({ quorum, bonded_tokens: bonded })) ?? -1n
    const rounded = (power: bigint) => quo(power, BigInt(bonded) * ONE)
    const limit = parseDecimal(quorum)
    expect(rounded(needed) >= limit).toBe(true)
    expect(needed === 0n || rounded(needed - 1n) < limit).toBe(true)
  })

  it('is unknown without a quorum or without the bonded stake', () => {
    expect(computeNeededPower(readTally({ quorum: null }))).toBeNull()
    expect(computeNeededPower(readTally({ bonded_tokens: null }))).toBeNull()
    expect(computeNeededPower(readTally({ bonded_tokens: '0' }))).toBeNull()
  })
})
