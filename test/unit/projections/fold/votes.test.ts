// Ballots in, pool rows out: who carries what, and in which order.
import { describe, expect, it } from 'vitest'
import { ATTO, formatDecimal } from '../../../../ingest/contract/decimal.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { foldHeights } from '../../../support/fold-heights.ts'
import {
  closed,
  heightOf,
  paramsObserved,
  poolsObserved,
  stakeChanged,
  submitted,
  vote,
  votingStarted,
} from '../../../support/governance-events.ts'
import { all, pool, to } from '../../../support/governance-values.ts'

const pools = [pool('a'), pool('b'), pool('c')]
const opened = (id = '7'): GovernanceEvent[][] => [
  heightOf(1, [submitted(id)], 1),
  heightOf(2, [votingStarted(id), poolsObserved(pools), paramsObserved()], 1),
]
const delegating = (...delegations: ReturnType<typeof to>[]) => ({ delegations })
const decimal = (atto: string | null | undefined) =>
  atto === null || atto === undefined ? atto : formatDecimal(BigInt(atto))

const setup = (heights: GovernanceEvent[][]) => {
  const tables = foldHeights([...opened(), ...heights])
  const rows = tables.final('pool_votes')
  return {
    tables,
    rows,
    tally: tables.final('tallies').at(-1),
    row: (name: string) => rows.find((row) => row.operator_address === `${name}-operator`),
    order: rows.map((row) => row.operator_address.replace('-operator', '')),
  }
}

describe('the pools of a vote', () => {
  it('show nobody before the first ballot', () => {
    const { rows, tally } = setup([])
    expect(rows).toEqual([])
    expect(tally).toMatchObject({
      yes: '0',
      pools_voted: 0,
      ballots: 0,
      pool_rows: 0,
      final: false,
    })
  })

  it('count the whole pool for its own vote while no delegator votes', () => {
    const { row, tally } = setup([heightOf(3, [vote('7', 'a-account', delegating(to('a', '10')))])])
    expect(row('a')).toMatchObject({ voted: true, delegator_ballots: 0, bonded_tokens: '1000' })
    expect(decimal(row('a')?.voting_power_atto)).toBe('1000')
    expect(decimal(row('a')?.yes_atto)).toBe('1000')
    expect(row('a')?.delegator_power_atto).toBe('0')
    expect(tally).toMatchObject({ yes: '1000', pools_voted: 1, ballots: 1 })
  })

  it('take a delegator out of the pool, wherever the pool itself votes', () => {
    const { row, tally } = setup([
      heightOf(3, [vote('7', 'a-account', delegating(to('a', '10')))]),
      heightOf(4, [vote('7', 'carol', { options: all('no'), ...delegating(to('a', '250')) })]),
    ])
    expect(decimal(row('a')?.voting_power_atto)).toBe('750')
    expect(decimal(row('a')?.delegator_power_atto)).toBe('250')
    expect(decimal(row('a')?.delegator_no_atto)).toBe('250')
    expect(decimal(row('a')?.yes_atto)).toBe('750')
    expect(decimal(row('a')?.no_atto)).toBe('250')
    expect(tally).toMatchObject({ yes: '750', no: '250', pools_voted: 1, ballots: 2, pool_rows: 1 })
  })

  it('say what a pool that did not vote would carry', () => {
    const { row, tally } = setup([heightOf(3, [vote('7', 'carol', delegating(to('b', '400')))])])
    expect(row('b')).toMatchObject({ voted: false, options: [], vote_height: null })
    expect(decimal(row('b')?.voting_power_atto)).toBe('600')
    expect(decimal(row('b')?.yes_atto)).toBe('400')
    expect(tally).toMatchObject({ yes: '400', pools_voted: 0 })
  })

  it("leave the operator's own stake in its pool, and count what it delegates elsewhere there", () => {
    const own = delegating(to('a', '100'), to('b', '50'))
    const { row, tally } = setup([heightOf(3, [vote('7', 'a-account', own)])])
    expect(row('a')).toMatchObject({ delegator_ballots: 0, delegator_power_atto: '0' })
    expect(decimal(row('a')?.voting_power_atto)).toBe('1000')
    expect(row('b')).toMatchObject({ voted: false, delegator_ballots: 1 })
    expect(decimal(row('b')?.delegator_power_atto)).toBe('50')
    expect(tally?.yes).toBe('1050')
  })

  it('split weighted votes, of pools and of delegators', () => {
    const options = [
      { option: 'yes', weight: '0.700000000000000000' },
      { option: 'abstain', weight: '0.300000000000000000' },
    ]
    const { row } = setup([
      heightOf(3, [vote('7', 'a-account', { options, ...delegating(to('a', '1')) })]),
      heightOf(4, [vote('7', 'carol', { options, ...delegating(to('a', '500')) })]),
    ])
    expect(decimal(row('a')?.yes_atto)).toBe('700')
    expect(decimal(row('a')?.delegator_abstain_atto)).toBe('150')
    expect(row('a')?.options).toEqual(options)
  })

  it('price shares by the tokens behind them', () => {
    const slashed = [pool('a', { tokens: '900', delegatorShares: '1000.000000000000000000' })]
    const { row } = setup([
      heightOf(3, [vote('7', 'carol', delegating(to('a', '100')))]),
      heightOf(4, [poolsObserved(slashed, { full: false, bondedTokens: '2900' })]),
    ])
    expect(decimal(row('a')?.yes_atto)).toBe('90')
    expect(decimal(row('a')?.voting_power_atto)).toBe('810')
    expect(row('a')?.bonded_tokens).toBe('900')
  })

  it('give pools that are jailed or not bonded no power, and say what they are', () => {
    const { row, tally } = setup([
      heightOf(3, [vote('7', 'a-account', delegating(to('a', '1'), to('b', '100')))]),
      heightOf(4, [
        poolsObserved([pool('a', { jailed: true }), pool('b', { status: 'unbonding' })], {
          full: false,
        }),
      ]),
    ])
    expect(row('a')).toMatchObject({ jailed: true, voted: true, voting_power_atto: '0' })
    expect(row('b')).toMatchObject({ status: 'unbonding', delegator_power_atto: '0' })
    expect(row('b')?.delegator_ballots).toBe(1)
    expect(tally).toMatchObject({ yes: '0', pools_voted: 1 })
  })

  it('replace a ballot by the same voter’s next one', () => {
    const { row, tally, tables } = setup([
      heightOf(3, [vote('7', 'carol', delegating(to('a', '100')))]),
      heightOf(4, [
        vote('7', 'carol', { options: all('no'), ...delegating(to('a', '100')) }),
        vote('7', 'carol', { options: all('no_with_veto'), ...delegating(to('b', '30')) }),
      ]),
    ])
    expect(tables.final('ballots')).toHaveLength(1)
    expect(tables.final('ballots')[0]).toMatchObject({
      rank: 0,
      height: '4',
      options: [{ option: 'no_with_veto' }],
    })
    expect(row('a')).toMatchObject({ rank: 0, delegator_ballots: 0, yes_atto: '0', no_atto: '0' })
    expect(decimal(row('b')?.no_with_veto_atto)).toBe('30')
    expect(tally).toMatchObject({ yes: '0', no: '0', no_with_veto: '30', ballots: 1, pool_rows: 2 })
  })

  it('follow a voter whose stake moves', () => {
    const { row, tally, tables } = setup([
      heightOf(3, [vote('7', 'carol', delegating(to('a', '100')))]),
      heightOf(5, [stakeChanged('carol', [to('a', '40'), to('c', '60')])]),
    ])
    expect(decimal(row('a')?.yes_atto)).toBe('40')
    expect(decimal(row('c')?.yes_atto)).toBe('60')
    expect(row('c')?.rank).toBe(1)
    expect(tally?.yes).toBe('100')
    expect(tables.final('ballots')[0]?.delegations).toEqual([
      { operator_address: 'a-operator', shares: '40', voting_power_atto: null },
      { operator_address: 'c-operator', shares: '60', voting_power_atto: null },
    ])
  })

  it('know an operator by its account even if its pool is first seen at the end of that height', () => {
    const late = pool('d', { tokens: '70' })
    const { row } = setup([
      heightOf(3, [
        vote('7', 'd-account', delegating(to('d', '70'))),
        poolsObserved([late], { full: false }),
      ]),
    ])
    expect(row('d')).toMatchObject({ voted: true, delegator_ballots: 0 })
    expect(decimal(row('d')?.yes_atto)).toBe('70')
  })

  it('count a delegator as the operator from the height that tells so', () => {
    const { row } = setup([
      heightOf(3, [vote('7', 'd-account', delegating(to('d', '70')))]),
      heightOf(4, [poolsObserved([pool('d', { tokens: '70' })], { full: false })]),
    ])
    expect(row('d')).toMatchObject({ voted: true, delegator_ballots: 0 })
    expect(decimal(row('d')?.voting_power_atto)).toBe('70')
  })

  it('keep a vote that came after the tally out of the pages', () => {
    const { rows, tally, tables } = setup([
      heightOf(3, [vote('7', 'carol', delegating(to('a', '1')))]),
      heightOf(4, [
        vote('7', 'gov', { counted: false, txHash: null, ...delegating(to('b', '100')) }),
        vote('7', 'carol', { counted: false, ...delegating(to('c', '1')) }),
        closed('7'),
        poolsObserved(pools),
      ]),
    ])
    expect(rows.map(({ operator_address: operator }) => operator)).toEqual(['a-operator'])
    expect(tally).toMatchObject({ ballots: 1, live_yes_atto: ATTO.toString() })
    const ballots = tables.final('ballots')
    expect(ballots.map(({ voter, counted }) => [voter, counted])).toEqual([
      ['carol', true],
      ['gov', false],
      ['carol', false],
    ])
  })
})

describe('the order of pools', () => {
  it('is first appearance, and by operator within one vote', () => {
    const { order } = setup([
      heightOf(3, [vote('7', 'x', delegating(to('c', '1'), to('b', '1')))]),
      heightOf(4, [vote('7', 'y', delegating(to('b', '1'), to('a', '1')))]),
    ])
    expect(order).toEqual(['b', 'c', 'a'])
  })

  it('goes by the bytes of addresses, not by their letters', () => {
    // `q` spells 0 and `a` spells 29 in bech32.
    const low = `valoper1${'q'.repeat(32)}aaaaaa`
    const high = `valoper1${'a'.repeat(32)}qqqqqq`
    const delegations = [high, low].map((operatorAddress) => ({ operatorAddress, shares: '1' }))
    const { rows } = setup([heightOf(3, [vote('7', 'x', { delegations })])])
    expect(rows.map((row) => row.operator_address)).toEqual([low, high])
  })

  it('does not change when a pool loses its last ballot', () => {
    const { order, row } = setup([
      heightOf(3, [vote('7', 'x', delegating(to('b', '1')))]),
      heightOf(4, [vote('7', 'y', delegating(to('a', '1')))]),
      heightOf(5, [stakeChanged('x', [])]),
    ])
    expect(order).toEqual(['b', 'a'])
    expect(row('b')).toMatchObject({ delegator_ballots: 0, yes_atto: '0', voted: false })
  })
})
