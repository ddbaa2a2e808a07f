// What nobody can know of a vote is NULL, and what its tally is measured by.
import { describe, expect, it } from 'vitest'
import { ATTO, formatDecimal } from '../../../../ingest/contract/decimal.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { foldHeights } from '../../../support/fold-heights.ts'
import {
  heightOf,
  paramsObserved,
  poolsObserved,
  restarted,
  stakeChanged,
  submitted,
  vote,
  votingStarted,
  votingState,
} from '../../../support/governance-events.ts'
import { params, pool, to } from '../../../support/governance-values.ts'

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

describe('what nobody can know', () => {
  it('is NULL in every pool and in the total while one voter’s delegations are unknown', () => {
    const { row, tally, tables } = setup([
      heightOf(3, [vote('7', 'x', delegating(to('b', '1')))]),
      heightOf(4, [vote('7', 'y', { delegations: null, delegationsReason: 'pruned' })]),
    ])
    expect(row('b')).toMatchObject({ voting_power_atto: null, delegator_power_atto: null })
    expect(row('b')).toMatchObject({ yes_atto: null, bonded_tokens: '1000' })
    expect(tally).toMatchObject({ yes: null, live_yes_atto: null, ballots: 2, pools_voted: 0 })
    expect(tables.final('ballots')[1]).toMatchObject({ delegations_known: false, delegations: [] })
    expect(tables.final('proposals')[0]).toMatchObject({ history: 'partial' })
    expect(tables.final('proposals')[0]?.history_reason).toContain('pruned')
  })

  it('is known again once the voter’s delegations are', () => {
    const { row, tally } = setup([
      heightOf(3, [vote('7', 'x', delegating(to('b', '1')))]),
      heightOf(4, [vote('7', 'y', { delegations: null, delegationsReason: 'pruned' })]),
      heightOf(5, [stakeChanged('y', [to('c', '2')])]),
    ])
    expect(decimal(row('b')?.yes_atto)).toBe('1')
    expect(tally?.yes).toBe('3')
  })

  it('is the number of ballots where a vote names no voter', () => {
    const { tally, tables } = setup([
      heightOf(3, [vote('7', '', { voter: null, voterReason: 'the event names none' })]),
    ])
    expect(tally).toMatchObject({ yes: null, ballots: null, pools_voted: null })
    expect(tables.final('proposals')[0]?.history_reason).toContain('names none')
  })

  it('is the power in a pool that was never observed', () => {
    const { row, tally, tables } = setup([
      heightOf(3, [vote('7', 'x', delegating(to('z', '1'), to('a', '1')))]),
    ])
    expect(row('z')).toMatchObject({ status: 'unspecified', voting_power_atto: null })
    expect(row('z')).toMatchObject({ bonded_tokens: null, delegator_ballots: 1 })
    expect(decimal(row('a')?.yes_atto)).toBe('1')
    expect(tally).toMatchObject({ yes: null, ballots: 1 })
    expect(tables.final('proposals')[0]?.history_reason).toContain('z-operator')
  })

  it('is every price after the node could not show the pools', () => {
    const lost = { bondedTokens: null, unavailableReason: 'state is pruned' }
    const { row, tally, tables } = setup([
      heightOf(3, [vote('7', 'a-account', delegating(to('a', '1')))]),
      heightOf(4, [poolsObserved([], lost)]),
    ])
    expect(row('a')).toMatchObject({ voted: true, voting_power_atto: null, bonded_tokens: null })
    expect(tally).toMatchObject({ yes: null, bonded_tokens: null, pools_voted: 1 })
    expect(tables.final('proposals')[0]?.history_reason).toContain('state is pruned')
  })

  it('ends when a full observation comes: a pool that it does not list is gone', () => {
    const { row, tally } = setup([
      heightOf(3, [vote('7', 'x', delegating(to('a', '1'), to('b', '5')))]),
      heightOf(4, [poolsObserved([pool('a')]), stakeChanged('x', [to('a', '1')])]),
    ])
    expect(row('b')).toMatchObject({ status: 'unbonded', bonded_tokens: '0', yes_atto: '0' })
    expect(tally?.yes).toBe('1')
  })
})

describe('the tally of an open vote', () => {
  it('is measured by the latest parameters and bonded total', () => {
    const { tally } = setup([
      heightOf(3, [poolsObserved([], { full: false, bondedTokens: '3100' })]),
      heightOf(4, [paramsObserved(params({ quorum: '0.4' }))]),
    ])
    expect(tally).toMatchObject({
      bonded_tokens: '3100',
      quorum: '0.4',
      threshold: '0.5',
      veto_threshold: '0.334',
      final: false,
      matches_chain: 'unknown',
    })
  })

  it('truncates once, in the total', () => {
    const thirds = [pool('a', { tokens: '1', delegatorShares: '3.000000000000000000' })]
    const { row, tally } = setup([
      heightOf(3, [poolsObserved(thirds, { full: false })]),
      heightOf(4, [
        vote('7', 'x', delegating(to('a', '2'), to('b', '0.5'))),
        vote('7', 'y', delegating(to('c', '0.900000000000000000'))),
      ]),
    ])
    expect(decimal(row('a')?.yes_atto)).toBe('0.666666666666666667')
    expect(tally).toMatchObject({ yes: '2', live_yes_atto: '2066666666666666667' })
  })

  it('has the threshold of expedited votes while it is one, and begins empty after a restart', () => {
    const expedited = votingState('8', { expedited: true })
    const tables = foldHeights([
      heightOf(1, [submitted('8')], 1),
      heightOf(2, [
        votingStarted('8', { proposal: expedited }),
        poolsObserved(pools),
        paramsObserved(),
      ]),
      heightOf(3, [vote('8', 'a-account', delegating(to('a', '1')))]),
      heightOf(4, [restarted('8'), poolsObserved(pools)]),
      heightOf(5, [vote('8', 'b-account', { round: 2, ...delegating(to('b', '1')) })]),
    ])
    const [first, second] = tables.final('tallies')
    expect(first).toMatchObject({ round: 1, final: true, threshold: '0.667', yes: '1', no: '2' })
    expect(first).toMatchObject({ chain_yes: '1', live_yes_atto: (1000n * ATTO).toString() })
    expect(second).toMatchObject({ round: 2, final: false, threshold: '0.5', yes: '1000' })
    expect(tables.final('pool_votes').map((row) => [row.round, row.rank, row.moniker])).toEqual([
      [1, 0, 'Pool a'],
      [2, 0, 'Pool b'],
    ])
    expect(tables.final('proposals')[0]).toMatchObject({ round: 2, status: 'voting_period' })
    expect(tables.final('proposals')[0]).toMatchObject({ expedited: false, closed_time: null })
    expect(tables.final('watermarks')[0]?.final).toBe(false)
  })
})
