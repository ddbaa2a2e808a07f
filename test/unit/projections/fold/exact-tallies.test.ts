// Evidence in, exact rows out: what a closed round was made up of, and whether it is the chain's own.
import { describe, expect, it } from 'vitest'
import { ATTO, formatDecimal } from '../../../../ingest/contract/decimal.ts'
import type { EventOf, GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { createGovernanceFold } from '../../../../projections/fold/governance-fold.ts'
import { foldHeights, recordsOf } from '../../../support/fold-heights.ts'
import {
  canceled,
  closed,
  evidence,
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
import { all, pool, to } from '../../../support/governance-values.ts'

type Told = EventOf<'rollcall.tally.evidence.v1'>['data']

/** Slashed, so that power is not shares: 900 tokens for 1000 shares. */
const slashed = pool('a', { tokens: '900', delegatorShares: '1000.000000000000000000' })
const whole = pool('b')
const jailed = pool('c', { jailed: true })
const pools = [slashed, whole, jailed]
const talliedPools = pools.map((each) => ({ pool: each, counted: !each.jailed }))

const opened = (id = '7', expedited = false): GovernanceEvent[][] => [
  heightOf(1, [submitted(id)], 1),
  heightOf(
    2,
    [
      votingStarted(id, { proposal: votingState(id, { expedited }) }),
      poolsObserved(pools),
      paramsObserved(),
    ],
    1,
  ),
]
const cast = [
  heightOf(3, [vote('7', 'a-account', { delegations: [to('a', '1')] })]),
  heightOf(4, [vote('7', 'carol', { options: all('no'), delegations: [to('a', '333')] })]),
]
const told: Told['ballots'] = [
  { voter: 'a-account', options: all('yes'), delegations: [to('a', '1')] },
  { voter: 'carol', options: all('no'), delegations: [to('a', '333'), to('c', '5')] },
]
// a: 667 · 0.9 = 600.3 yes with its operator's own 0.9 in it, 333 · 0.9 = 299.7 no.
const chains = { yes: '600', abstain: '0', no: '299', noWithVeto: '0' }
const closing = (
  changes: Partial<Told> = {},
  close: Parameters<typeof closed>[1] = { finalTally: chains },
) =>
  heightOf(9, [
    closed('7', close),
    evidence('7', { pools: talliedPools, ballots: told, ...changes }),
  ])

const setup = (heights: GovernanceEvent[][]) => {
  const tables = foldHeights(heights)
  const rows = tables.final('pool_votes')
  return {
    tables,
    rows,
    tally: tables.final('tallies').at(-1),
    row: (name: string) => rows.find((row) => row.operator_address === `${name}-operator`),
  }
}
const decimal = (atto: string | null | undefined) => formatDecimal(BigInt(atto ?? -1))

describe('a round that the chain tallied', () => {
  it('matches the chain where its evidence adds up to the same', () => {
    const { tally } = setup([...opened(), ...cast, closing()])
    expect(tally).toMatchObject({
      matches_chain: 'yes',
      matches_chain_reason: null,
      yes: '600',
      no: '299',
      final: true,
    })
  })

  it('says by how much it differs where it does not', () => {
    const other = { ...chains, no: '300' }
    const { tally } = setup([...opened(), ...cast, closing({}, { finalTally: other })])
    expect(tally).toMatchObject({
      matches_chain: 'no',
      matches_chain_reason: 'recomputed no 299, the chain has 300',
      no: '300',
    })
  })

  it.each<[string, Partial<Told>, RegExp]>([
    [
      'evidence that is not complete',
      { complete: false, incompleteReason: 'the reads took too long' },
      /incomplete: the reads took too long/,
    ],
    ['evidence of which a chunk is missing', { chunks: 3 }, /2 of its 3 chunks/],
    ['rules of its own', { strategy: 'none' }, /rules .* are not known/],
  ])('is unknown with %s, says why, and keeps the live numbers', (_, changes, reason) => {
    const { tally, row } = setup([...opened(), ...cast, closing(changes)])
    expect(tally?.matches_chain).toBe('unknown')
    expect(tally?.matches_chain_reason).toMatch(reason)
    expect(decimal(row('a')?.yes_atto)).toBe('600.3')
  })

  it('is unknown where the log has no evidence of it', () => {
    const { tally } = setup([...opened(), ...cast, heightOf(9, [closed('7')])])
    expect(tally).toMatchObject({ matches_chain: 'unknown' })
    expect(tally?.matches_chain_reason).toMatch(/no evidence/)
  })

  it('is put together from chunks, whichever order they stand in', () => {
    const [first, second] = told
    const chunk = (at: number, changes: Partial<Told>) =>
      evidence('7', { chunk: at, chunks: 2, params: null, bondedTokens: null, ...changes })
    const { tally, tables } = setup([
      ...opened(),
      ...cast,
      heightOf(9, [
        closed('7', { finalTally: chains }),
        chunk(1, { ballots: second ? [second] : [] }),
        chunk(0, { pools: talliedPools, ballots: first ? [first] : [] }),
      ]),
    ])
    expect(tally?.matches_chain).toBe('yes')
    expect(tables.final('ballots')).toHaveLength(2)
  })

  it('gives the pools what the tally gave them, to the last unit, so that they add up', () => {
    const { rows, row, tally } = setup([...opened(), ...cast, closing()])
    expect(decimal(row('a')?.yes_atto)).toBe('600.3')
    expect(decimal(row('a')?.no_atto)).toBe('299.7')
    expect(decimal(row('a')?.voting_power_atto)).toBe('600.3')
    expect(row('a')).toMatchObject({ delegator_ballots: 1, voted: true, bonded_tokens: '900' })
    expect(decimal(row('a')?.delegator_power_atto)).toBe('299.7')
    const sum = rows.reduce((total, each) => total + BigInt(each.no_atto ?? 0), 0n)
    expect(sum.toString()).toBe(tally?.live_no_atto)
    expect((sum / ATTO).toString()).toBe(tally?.no)
  })

  it('shows a pool that only the evidence knows of, behind those known before', () => {
    const { rows } = setup([...opened(), ...cast, closing()])
    expect(rows.map(({ rank, operator_address: operator }) => [rank, operator])).toEqual([
      [0, 'a-operator'],
      [1, 'c-operator'],
    ])
    expect(rows[1]).toMatchObject({ jailed: true, delegator_ballots: 1, no_atto: '0' })
  })

  it('tells what each ballot and each of its delegations carried', () => {
    const { tables } = setup([...opened(), ...cast, closing()])
    const [operator, carol] = tables.final('ballots')
    expect(decimal(operator?.voting_power_atto)).toBe('0.9')
    expect(carol).toMatchObject({ rank: 1, height: '4' })
    expect(decimal(carol?.voting_power_atto)).toBe('299.7')
    expect(carol?.delegations).toEqual([
      { operator_address: 'a-operator', shares: '333', voting_power_atto: `${2997n * 10n ** 17n}` },
      { operator_address: 'c-operator', shares: '5', voting_power_atto: '0' },
    ])
  })

  it('follows the evidence where the log had seen another stake or no vote at all', () => {
    const { tables, tally, row } = setup([
      ...opened(),
      heightOf(3, [vote('7', 'carol', { delegations: [to('b', '700')] })]),
      heightOf(9, [
        closed('7', { finalTally: chains }),
        evidence('7', { pools: talliedPools, ballots: told }),
        stakeChanged('carol', [to('b', '1')]),
      ]),
    ])
    expect(tally).toMatchObject({ matches_chain: 'yes', ballots: 2, pools_voted: 1 })
    expect(row('b')).toMatchObject({ rank: 0, delegator_ballots: 0, yes_atto: '0' })
    expect(tables.final('ballots').map(({ voter, height }) => [voter, height])).toEqual([
      ['carol', '3'],
      ['a-account', null],
    ])
  })

  it('names the pools of the tally that cast no vote', () => {
    const { tables } = setup([...opened(), ...cast, closing()])
    expect(tables.final('missed_votes')).toMatchObject([
      { operator_address: 'b-operator', proposal_id: '7', round: 1 },
    ])
  })

  it('adds up without inheritance where the chain has none', () => {
    const own = { yes: '0', abstain: '0', no: '299', noWithVeto: '0' }
    const { tally } = setup([
      ...opened(),
      ...cast,
      closing({ strategy: 'no_inheritance' }, { finalTally: own }),
    ])
    expect(tally?.matches_chain).toBe('yes')
  })

  it('survives evidence that nobody can count', () => {
    const [first] = told
    const absurd = { ...slashed, tokens: '1', delegatorShares: '0' }
    const { tally } = setup([
      ...opened(),
      ...cast,
      closing({ pools: [{ pool: absurd, counted: true }], ballots: first ? [first] : [] }),
    ])
    expect(['no', 'unknown']).toContain(tally?.matches_chain)
  })
})

describe('rounds that are not the last', () => {
  it('an expedited round that fell back has evidence, a verdict and rows of its own', () => {
    const { tables } = setup([
      ...opened('7', true),
      ...cast,
      heightOf(6, [
        restarted('7', { finalTally: chains }),
        evidence('7', { pools: talliedPools, ballots: told }),
      ]),
      heightOf(7, [vote('7', 'dave', { round: 2, delegations: [to('b', '10')] })]),
      heightOf(9, [
        closed('7', {
          round: 2,
          finalTally: { yes: '10', abstain: '0', no: '0', noWithVeto: '0' },
        }),
        evidence('7', {
          round: 2,
          pools: talliedPools,
          ballots: [{ voter: 'dave', options: all('yes'), delegations: [to('b', '10')] }],
        }),
      ]),
    ])
    expect(tables.final('tallies').map((row) => [row.round, row.matches_chain, row.yes])).toEqual([
      [1, 'yes', '600'],
      [2, 'yes', '10'],
    ])
    const byRound = tables.final('pool_votes').map((row) => [row.round, row.operator_address])
    expect(byRound).toEqual([
      [1, 'a-operator'],
      [1, 'c-operator'],
      [2, 'b-operator'],
    ])
  })

  it('a canceled vote is final and unknown: the chain tallied nothing', () => {
    const { tally } = setup([...opened(), ...cast, heightOf(9, [canceled('7')])])
    expect(tally).toMatchObject({ final: true, matches_chain: 'unknown' })
    expect(tally?.matches_chain_reason).toMatch(/tallied nothing/)
  })
})

describe('the alarm', () => {
  const alarmsOf = (last: GovernanceEvent[]) => {
    const fold = createGovernanceFold()
    for (const height of [...opened(), ...cast, last]) fold.apply(recordsOf(height))
    return fold.drain().alarms
  }

  it('is raised for a tally that differs, and for one that nobody can compute', () => {
    expect(alarmsOf(closing({}, { finalTally: { ...chains, yes: '1' } }))).toMatchObject([
      { proposalId: '7', round: 1, matchesChain: 'no' },
    ])
    expect(alarmsOf(closing({ strategy: 'none' }))).toMatchObject([{ matchesChain: 'unknown' }])
  })

  it('is not raised for one that matches, nor for a vote that was canceled', () => {
    expect(alarmsOf(closing())).toEqual([])
    expect(alarmsOf(heightOf(9, [canceled('7')]))).toEqual([])
  })
})

describe("a voter's stake", () => {
  it('is kept from its first ballot on, change by change', () => {
    const { tables } = setup([
      ...opened(),
      ...cast,
      heightOf(5, [stakeChanged('carol', [to('b', '2')])]),
      heightOf(6, [stakeChanged('carol', null)]),
    ])
    const history = tables.final('voter_stakes').filter(({ voter }) => voter === 'carol')
    expect(history.map((row) => [row.height, row.delegations_known, row.delegations])).toEqual([
      ['4', true, [{ operator_address: 'a-operator', shares: '333' }]],
      ['5', true, [{ operator_address: 'b-operator', shares: '2' }]],
      ['6', false, []],
    ])
  })
})
