// Tests the parts of pools and of delegators who voted themselves: in atto, truncated to whole units once.
import { describe, expect, it } from 'vitest'
import { formatDecimal, parseDecimal } from '../../../../ingest/contract/decimal.ts'
import type { PoolState } from '../../../../ingest/contract/facts.ts'
import { RunningTally, type TallyPool, tally } from '../../../../ingest/tally/tally.ts'
import { createBallots, createPools, vote } from '../../../support/fold/tally-cases.ts'

const pool = (name: string, tokens: string, shares: string, counted = true): TallyPool => ({
  counted,
  pool: {
    operatorAddress: `operator-${name}`,
    accountAddress: name,
    moniker: name,
    tokens,
    delegatorShares: shares,
    status: 'bonded',
    jailed: false,
  } satisfies PoolState,
})
const ballot = (voter: string, option: string, shares: Readonly<Record<string, string>>) => ({
  voter,
  options: vote(option),
  delegations: Object.entries(shares).map(([name, amount]) => ({
    operatorAddress: `operator-${name}`,
    shares: amount,
  })),
})

describe('the parts of a tally', () => {
  it('are the part of the pool, with the stake of its operator, and the parts of its delegators', () => {
    const sketch = {
      pools: { one: { tokens: 100 } },
      delegations: { one: { one: 10 }, alice: { one: 30 } },
      votes: { one: 'yes', alice: 'no' },
    }
    const part = tally(createPools(sketch), createBallots(sketch)).pools.get('operator-one')!
    expect(part.vote).toEqual(vote('yes'))
    expect(formatDecimal(part.votingPower)).toBe('70000000')
    expect(part.delegators).toMatchObject({ ballots: 1, votingPower: parseDecimal('30000000') })
    expect(formatDecimal(part.sums.yes)).toBe('70000000')
    expect(formatDecimal(part.sums.no)).toBe('30000000')
  })

  it('report the power that a pool without a vote would have', () => {
    const result = tally([pool('one', '100', '100')], [ballot('alice', 'no', { one: '30' })])
    const part = result.pools.get('operator-one')!
    expect(part.vote).toBeNull()
    expect(formatDecimal(part.votingPower)).toBe('70')
    expect(result.votingPower).toBe(parseDecimal('30'))
    expect(result.counts.yes).toBe('0')
  })

  it('are truncated to whole units only after they are added up', () => {
    const halves = ['a', 'b', 'c'].map((name) => pool(name, '1', '2'))
    const ballots = ['a', 'b', 'c'].map((name) => ballot(`of ${name}`, 'yes', { [name]: '1' }))
    expect(tally(halves, ballots).counts.yes).toBe('1')
    expect(tally(halves.slice(0, 1), ballots).counts.yes).toBe('0')
  })

  it('follow a slashed pool, whose shares are worth less than one unit', () => {
    const result = tally([pool('one', '2', '3')], [ballot('alice', 'yes', { one: '1' })])
    expect(formatDecimal(result.sums.yes)).toBe('0.666666666666666667')
  })

  it('split a weighted vote, and round each part separately', () => {
    const third = '0.333333333333333333'
    const options = [
      { option: 'yes', weight: third },
      { option: 'no', weight: third },
      { option: 'abstain', weight: '0.333333333333333334' },
    ]
    const result = tally([pool('one', '3', '3')], [{ ...ballot('a', '', { one: '1' }), options }])
    expect(result.sums).toEqual({
      yes: parseDecimal(third),
      no: parseDecimal(third),
      abstain: parseDecimal('0.333333333333333334'),
      noWithVeto: 0n,
    })
  })

  it('give power to an option that x/gov does not have, and count it nowhere', () => {
    const result = tally([pool('one', '5', '5')], [ballot('alice', 'option_7', { one: '5' })])
    expect(result.votingPower).toBe(parseDecimal('5'))
    expect(result.counts).toEqual({ yes: '0', no: '0', abstain: '0', noWithVeto: '0' })
  })

  it('omit pools that the chain does not iterate, and delegations to deleted pools', () => {
    const result = tally(
      [pool('one', '5', '5'), pool('two', '9', '9', false)],
      [ballot('alice', 'yes', { one: '1', two: '9', gone: '7' }), ballot('two', 'no', {})],
    )
    expect([...result.pools.keys()]).toEqual(['operator-one'])
    expect(result.counts).toMatchObject({ yes: '1', no: '0' })
  })

  it('are zero for a pool without shares', () => {
    const result = tally([pool('one', '0', '0')], [ballot('one', 'yes', {})])
    expect(result.votingPower).toBe(0n)
  })

  it('have the power of each delegation as ballots are added', () => {
    const running = new RunningTally([pool('one', '2', '3'), pool('two', '4', '4')])
    const powers = running.add(ballot('alice', 'yes', { one: '3', gone: '1', two: '1' }))
    expect(powers.map(formatDecimal)).toEqual(['2', '0', '1'])
  })

  it('include only the operator if the chain has no inheritance', () => {
    const sketch = {
      pools: { one: { tokens: 100 }, two: { tokens: 50 } },
      delegations: { one: { one: 10, two: 3 }, alice: { one: 30 } },
      votes: { one: 'yes', alice: 'no', two: 'no' },
    }
    const result = tally(createPools(sketch), createBallots(sketch), 'no_inheritance')
    expect(result.counts).toMatchObject({ yes: '13000000', no: '30000000' })
    expect(formatDecimal(result.votingPower)).toBe('43000000')
  })
})
