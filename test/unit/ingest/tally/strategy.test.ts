// Tests the comparison of a recomputed tally with the chain's: yes, no with the numbers, or unknown with the reason.
import { describe, expect, it } from 'vitest'
import { compareWithChain, recompute } from '../../../../ingest/tally/strategy.ts'
import { createBallots, createPools } from '../../../support/fold/tally-cases.ts'

const counts = (yes: string, no = '0') => ({ yes, no, abstain: '0', noWithVeto: '0' })
const sketch = {
  pools: { one: { tokens: 100 } },
  delegations: { one: { one: 10 } },
  votes: { one: 'yes' },
}
const inputs = { pools: createPools(sketch), ballots: createBallots(sketch) }

describe('a strategy', () => {
  it('decides the power of a pool’s vote', () => {
    expect(recompute('inherit', inputs)?.counts).toEqual(counts('100000000'))
    expect(recompute('no_inheritance', inputs)?.counts).toEqual(counts('10000000'))
  })

  it('can be absent: then nothing is recomputed', () => {
    expect(recompute('none', inputs)).toBeUndefined()
  })
})

describe('the comparison with the chain', () => {
  const whole = { incompleteReason: null }

  it('is yes only if every option is equal', () => {
    expect(
      compareWithChain({ ...whole, recomputed: counts('5', '3'), chain: counts('5', '3') }),
    ).toEqual({ matchesChain: 'yes', reason: null })
  })

  it.each([
    ['no with veto', { yes: '5', abstain: '0', no: '3', noWithVeto: null }],
    ['abstentions and no with veto', { yes: '5', abstain: null, no: '3', noWithVeto: null }],
  ])('is yes if only options without votes are missing: %s', (_, chain) => {
    expect(compareWithChain({ ...whole, recomputed: counts('5', '3'), chain }).matchesChain).toBe(
      'yes',
    )
  })

  it('is no if an option with votes is missing', () => {
    const chain = { yes: '5', abstain: '0', no: null, noWithVeto: '0' }
    expect(compareWithChain({ ...whole, recomputed: counts('5', '3'), chain })).toEqual({
      matchesChain: 'no',
      reason: 'recomputed no 3, the chain has no such option',
    })
  })

  it('is no with both numbers of each option that differs', () => {
    expect(
      compareWithChain({ ...whole, recomputed: counts('5', '3'), chain: counts('5', '4') }),
    ).toEqual({ matchesChain: 'no', reason: 'recomputed no 3, the chain has 4: 1 more' })
  })

  it.each([
    ['own rules', { ...whole, recomputed: undefined, chain: counts('5') }, /its own rules/],
    ['no chain tally', { ...whole, recomputed: counts('5'), chain: null }, /unknown/],
    [
      'missing state, equal or not',
      { incompleteReason: 'pruned', recomputed: counts('5'), chain: counts('5') },
      /^pruned$/,
    ],
  ])('is unknown with the reason: %s', (_, comparison, reason) => {
    expect(compareWithChain(comparison)).toEqual({
      matchesChain: 'unknown',
      reason: expect.stringMatching(reason),
    })
  })
})
