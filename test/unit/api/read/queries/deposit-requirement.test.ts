// Tests of the deposit that is missing for the start of a vote.
import { describe, expect, it } from 'vitest'
import { toDepositRequirement } from '../../../../../api/read/queries/deposit-requirement.ts'

const coins = (...all: [string, string][]) => all.map(([denom, amount]) => ({ denom, amount }))
const row = {
  expedited: false,
  totalDeposit: coins(['uroll', '30']),
  minDeposit: coins(['uroll', '100']),
  expeditedMinDeposit: coins(['uroll', '500']),
  minDepositReason: null,
}

describe('the deposit that starts a vote', () => {
  it('has as missing amount the minimum minus the deposits', () => {
    expect(toDepositRequirement(row)).toEqual({
      minimum: coins(['uroll', '100']),
      expeditedMinimum: null,
      missing: coins(['uroll', '70']),
      reason: null,
    })
  })

  it('is compared denom by denom, with amounts beyond 64 bits', () => {
    const large = 10n ** 70n
    const { missing } = toDepositRequirement({
      ...row,
      totalDeposit: coins(['uatom', '9'], ['uroll', `${large - 1n}`], ['other', '999']),
      minDeposit: coins(['uatom', '9'], ['uroll', `${large}`], ['uosmo', '3']),
    })
    expect(missing).toEqual(coins(['uroll', '1'], ['uosmo', '3']))
  })

  it('is the expedited minimum if the proposal is expedited', () => {
    expect(toDepositRequirement({ ...row, expedited: true })).toEqual({
      minimum: coins(['uroll', '100']),
      expeditedMinimum: coins(['uroll', '500']),
      missing: coins(['uroll', '470']),
      reason: null,
    })
  })

  it('is not known for an expedited proposal if the parameters have no expedited minimum', () => {
    const found = toDepositRequirement({ ...row, expedited: true, expeditedMinDeposit: [] })
    expect(found).toMatchObject({ expeditedMinimum: null, missing: null })
    expect(found.reason).toContain('no minimum for an expedited vote')
  })

  it('is null with the reason, and never 0, if the minimum is not known', () => {
    const unknown = { ...row, minDeposit: [], minDepositReason: 'not observed' }
    expect(toDepositRequirement(unknown)).toEqual({
      minimum: null,
      expeditedMinimum: null,
      missing: null,
      reason: 'not observed',
    })
  })
})
