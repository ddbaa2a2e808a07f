// Tests the comparisons of a tally at their limits, with the rounding of the chain.
import { describe, expect, it } from 'vitest'
import { compareTally, type TallyLimits } from '../../../../ingest/contract/compare-tally.ts'
import { ATTO, parseDecimal } from '../../../../ingest/contract/decimal.ts'

const LIMITS: TallyLimits = { quorum: '0.334', vetoThreshold: '0.334', threshold: '0.5' }

/** Votes in whole units. */
const compared = (
  { yes = 0n, no = 0n, abstain = 0n, noWithVeto = 0n },
  { bonded = '1000', ...limits }: Partial<TallyLimits> & { bonded?: string } = {},
) => {
  const sums = {
    yes: yes * ATTO,
    no: no * ATTO,
    abstain: abstain * ATTO,
    noWithVeto: noWithVeto * ATTO,
  }
  const votingPower = sums.yes + sums.no + sums.abstain + sums.noWithVeto
  return compareTally({ sums, votingPower }, { ...LIMITS, ...limits }, bonded)
}

describe('a comparison of a tally', () => {
  it('reaches the quorum at its limit, and veto and threshold only above their limits', () => {
    const atLimit = compared({ yes: 167n, no: 167n })
    expect([atLimit.quorum.isMet, atLimit.threshold.isMet]).toEqual([true, false])
    expect(compared({ yes: 168n, no: 166n }).threshold.isMet).toBe(true)
    expect(compared({ yes: 666n, noWithVeto: 334n }).veto.isMet).toBe(false)
    expect(compared({ yes: 665n, noWithVeto: 335n }).veto.isMet).toBe(true)
    expect(compared({ yes: 333n }).quorum.isMet).toBe(false)
  })

  it('rounds a share at 1e-18 before the comparison, as the chain does', () => {
    const third = compared({ yes: 1n, no: 2n }, { threshold: '0.333333333333333333' })
    expect(third.threshold).toEqual({ value: parseDecimal('0.333333333333333333'), isMet: false })
  })

  it('counts abstentions in the quorum and the veto, and not in the threshold', () => {
    const { quorum, veto, threshold } = compared({ yes: 2n, no: 1n, noWithVeto: 1n, abstain: 996n })
    expect([quorum.value, veto.value]).toEqual([ATTO, ATTO / 1000n])
    expect(threshold.value).toBe(ATTO / 2n)
  })

  it('has no value after a division by zero, and no outcome if its limit is not known', () => {
    const nothing = { value: null, isMet: null }
    expect(compared({}, { bonded: '0' })).toEqual({
      quorum: nothing,
      veto: nothing,
      threshold: nothing,
    })
    expect(compared({ yes: 1n }, { threshold: null }).threshold).toEqual({
      value: ATTO,
      isMet: null,
    })
  })
})
