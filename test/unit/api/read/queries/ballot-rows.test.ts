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

  it('is rounded in two steps, as in the tally', () => {
    const shares = '115459896282.54500990508836008'
    const rate = { tokens: 999999000001n, delegatorShares: '1000000000006.000000000000000014' }
    const delegations = [{ operatorAddress: 'a', shares, votingPower: null }]
    const [power] = computePowers({ a: pool(rate) }, { ...openBallot, delegations })
    expect(power).toMatch(/\.\d*428571428571428$/)
  })
})
