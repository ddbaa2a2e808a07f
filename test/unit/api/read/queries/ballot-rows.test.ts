// Tests of the power of delegations in a ballot, from rows to the response.
import { describe, expect, it } from 'vitest'
import { type PricingPool, toBallot } from '../../../../../api/read/queries/ballots.ts'
import { ballots } from '../../../../../projections/contract/tables/votes.ts'
import { ballotRow } from '../../../../support/api/lists-story.ts'

const pool = (changes: Partial<PricingPool> = {}): PricingPool => ({
  tokens: 3n,
  delegatorShares: '7.000000000000000000',
  status: 'bonded',
  jailed: false,
  counted: true,
  ...changes,
})
const delegations = [
  { operator_address: 'a', shares: '1.000000000000000000', voting_power_atto: null },
  { operator_address: 'b', shares: '2.5', voting_power_atto: null },
]
const readBallot = (changes: Parameters<typeof ballotRow>[2]) =>
  ballots.decode(ballotRow(1, 0, changes))
const openBallot = readBallot({ height: 5, delegations })
const computePowers = (pools: Record<string, PricingPool>, row = openBallot) => {
  const ballot = toBallot(row, new Map(Object.entries(pools)))
  return [ballot.votingPower, ballot.delegations?.map(({ votingPower }) => votingPower)]
}

describe('the power of a ballot in an open vote', () => {
  it('is the share of each delegation in the tokens of its pool, to 18 places, and their sum', () => {
    expect(computePowers({ a: pool(), b: pool({ tokens: 7n }) })).toEqual([
      '2.928571428571428571',
      ['0.428571428571428571', '2.5'],
    ])
  })

  it('is zero for a pool that is jailed, not bonded or empty, because the tally skips it', () => {
    const [jailed, unbonding] = [pool({ jailed: true }), pool({ status: 'unbonding' })]
    expect(computePowers({ a: jailed, b: unbonding })).toEqual(['0', ['0', '0']])
    expect(computePowers({ a: pool({ delegatorShares: '0' }), b: jailed })).toEqual([
      '0',
      ['0', '0'],
    ])
  })

  it('is unknown as a whole if one pool is unknown, or if the delegations are', () => {
    expect(computePowers({ a: pool() })).toEqual([null, ['0.428571428571428571', null]])
    const unknown = readBallot({ height: 5, delegations: [], delegations_known: false })
    expect(computePowers({ a: pool() }, unknown)).toEqual([null, undefined])
  })

  it('is a known zero for a voter without delegations', () => {
    expect(computePowers({}, readBallot({ height: 5, delegations: [] }))).toEqual(['0', []])
  })

  it('is rounded in two steps, as in the tally', () => {
    const shares = '115459896282.54500990508836008'
    const rate = { tokens: 999999000001n, delegatorShares: '1000000000006.000000000000000014' }
    const delegations = [{ operatorAddress: 'a', shares, votingPower: null }]
    const [power] = computePowers({ a: pool(rate) }, { ...openBallot, delegations })
    expect(power).toMatch(/\.\d*428571428571428$/)
  })

  it('is exact beyond the precision of a float', () => {
    const huge = { tokens: 1234567890123456789012345678n, delegatorShares: '1' }
    const row = readBallot({ height: 5, delegations: delegations.slice(0, 1) })
    expect(computePowers({ a: pool(huge) }, row)[0]).toBe('1234567890123456789012345678')
  })
})

describe('the power of a tallied ballot', () => {
  it('is the value of the tally, whatever the pools are now', () => {
    const tallied = delegations.map((delegation) => ({ ...delegation, voting_power_atto: '5' }))
    const row = readBallot({ height: 5, delegations: tallied, voting_power_atto: '10' })
    expect(computePowers({ a: pool(), b: pool() }, row)).toEqual([
      '0.00000000000000001',
      ['0.000000000000000005', '0.000000000000000005'],
    ])
  })

  it('is unknown without evidence of the tally', () => {
    const ballot = toBallot(openBallot, undefined)
    expect(ballot.votingPower).toBeNull()
    expect(ballot.delegations?.map(({ votingPower }) => votingPower)).toEqual([null, null])
  })
})
