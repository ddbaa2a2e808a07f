// Tests of the reason of a rejection: the comparisons of the chain, in its order.
import { describe, expect, it } from 'vitest'
import { findOutcomeReason } from '../../../../../api/read/queries/outcome.ts'

const tally = (changes: Partial<Parameters<typeof findOutcomeReason>[1]> = {}) => {
  const sums = { yes: '60', no: '20', abstain: '10', noWithVeto: '10', ...changes }
  const { yes, no, abstain, noWithVeto } = sums
  const options = [yes, no, abstain, noWithVeto].map((sum) => BigInt(sum ?? 0))
  return {
    bondedTokens: '200',
    quorum: '0.4',
    threshold: '0.5',
    vetoThreshold: '0.334',
    votingPower: options.reduce((total, sum) => total + sum, 0n).toString(),
    ...sums,
  }
}

describe('the reason of a rejection', () => {
  it.each([
    [
      'a missed quorum, whatever the other comparisons give',
      { bondedTokens: '300' },
      'quorum_not_reached',
    ],
    ['a veto, before the threshold', { yes: '10', noWithVeto: '60' }, 'vetoed'],
    ['a missed threshold', { yes: '20', no: '60' }, 'threshold_not_met'],
    [
      'a missed threshold if all voters abstained',
      { yes: '0', no: '0', abstain: '100', noWithVeto: '0' },
      'threshold_not_met',
    ],
    [
      'a missed threshold without a veto',
      { vetoThreshold: null, yes: '20', no: '60' },
      'threshold_not_met',
    ],
    ['a veto without a quorum', { quorum: null, noWithVeto: '90' }, 'vetoed'],
    [
      'a missed quorum of three options',
      { noWithVeto: null, bondedTokens: '300' },
      'quorum_not_reached',
    ],
    [
      'a missed quorum if the weights of votes add up to more than 1',
      { votingPower: '70' },
      'quorum_not_reached',
    ],
  ])('is %s', (_, changes, reason) => {
    expect(findOutcomeReason('rejected', tally(changes))).toBe(reason)
  })

  it.each([
    ['the quorum is reached exactly', { bondedTokens: '250' }],
    ['the sums are not known', { yes: null, no: null, abstain: null, noWithVeto: null }],
    ['the rules are not known', { quorum: null, threshold: null, vetoThreshold: null }],
    ['the chain has no quorum', { quorum: null, bondedTokens: '900' }],
    ['the chain has no veto', { vetoThreshold: null, yes: '60', no: '0', noWithVeto: '40' }],
    ['nothing was bonded', { bondedTokens: '0' }],
  ])('is null if no comparison rejects, or if it is not known: %s', (_, changes) => {
    expect(findOutcomeReason('rejected', tally(changes))).toBeNull()
  })

  it.each(['passed', 'failed', 'voting_period', 'canceled', 'dropped'])(
    'is null for a proposal that is %s',
    (status) => {
      expect(findOutcomeReason(status, tally({ bondedTokens: '300' }))).toBeNull()
    },
  )
})
