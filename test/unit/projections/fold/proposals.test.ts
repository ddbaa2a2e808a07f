// Tests a proposal's row from its submission to its close, and the comparison of its tally with the chain.
import { describe, expect, it, vi } from 'vitest'
import { toPosition } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import type { FoldedRows } from '../../../../projections/fold/rows/rows.ts'
import { toChainMatch } from '../../../../projections/fold/rows/tallies.ts'
import { foldHeights } from '../../../support/fold/fold-heights.ts'
import {
  canceled,
  closed,
  createHeightEvents,
  deposited,
  finalReading,
  firstReading,
  reading,
  reconciled,
  restarted,
  stakeOf,
  submitted,
  vote,
  voteWith,
  votingStarted,
  votingState,
} from '../../../support/log/governance-events.ts'
import {
  all,
  params,
  pool,
  proposalState,
  to,
  toBlockTime,
} from '../../../support/log/governance-values.ts'
import type { TableName, TableRows } from '../../../support/store/memory-store.ts'

/** The columns that a test checks. A column is compared as a whole; its value may be a matcher. */
type Columns<T extends TableName> = Partial<TableRows[T]>

type Given = {
  /** All rows of a table, in key order. */
  rows<T extends TableName>(table: T): TableRows[T][]
  /** The records that could not be decoded or folded. */
  undecodable: FoldedRows['undecodable']
  /** The table has exactly these rows, in key order. */
  expectRows<T extends TableName>(table: T, expected: readonly Columns<T>[]): Given
  /** The table has exactly this row. */
  expectRow<T extends TableName>(table: T, expected: Columns<T>): Given
  /** The row of `pool_votes` of the named pool. */
  expectPool(name: string, expected: Columns<'pool_votes'>): Given
}

const pick = (row: object, expected: object): object =>
  Object.fromEntries(Object.entries(row).filter(([column]) => Object.hasOwn(expected, column)))

const expectColumns = (rows: readonly object[], expected: readonly object[]): void => {
  // An unexpected row is shown with all its columns.
  expect(rows.map((row, at) => pick(row, expected[at] ?? row))).toEqual(expected)
}

const given = (...heights: Parameters<typeof foldHeights>[0]): Given => {
  const { final: rows, undecodable } = foldHeights(heights)
  // A helper's failure is reported at the line of the test that called it.
  const helper = <Args extends readonly unknown[]>(check: (...args: Args) => void) =>
    vi.defineHelper((...args: Args): Given => {
      check(...args)
      return self
    })
  const self: Given = {
    rows,
    undecodable,
    expectRows: helper((table: TableName, expected: readonly object[]) =>
      expectColumns(rows(table), expected),
    ),
    expectRow: helper((table: TableName, expected: object) =>
      expectColumns(rows(table), [expected]),
    ),
    expectPool: helper((name: string, columns: Columns<'pool_votes'>) => {
      const operator = `${name}-operator`
      const ofPool = rows('pool_votes').filter((row) => row.operator_address === operator)
      expectColumns(ofPool, [{ operator_address: operator, ...columns }])
    }),
  }
  return self
}

/** Height 1 to 3: an open vote with its first reading, in which the operator of pool `a` voted yes. */
const openVoteWithBallot = (): GovernanceEvent[][] => [
  createHeightEvents(1, [submitted('7')], 1),
  createHeightEvents(
    2,
    [votingStarted('7'), firstReading('7', [pool('a'), pool('b'), pool('c')])],
    1,
  ),
  createHeightEvents(3, voteWith('7', 'a-account', [to('a', '1')]), 1),
]

const rowTime = (height: number) =>
  `${toBlockTime(height).replace('T', ' ').replace('Z', '')}000000`
const submission = createHeightEvents(1, [submitted('7')], 1)

describe('a proposal', () => {
  it('a proposal that no event reported has what the state knows of it', () => {
    const messages = [{ '@type': '/cosmos.bank.v1beta1.MsgSend' }]
    const found = reconciled('9', { finding: 'found', messages })
    const ballots = [{ ...stakeOf('x', to('a', '1')), options: all('yes') }]
    given(
      submission,
      createHeightEvents(4, [found, firstReading('9', [pool('a')], { ballots })]),
    ).expectRows('proposals', [
      { proposal_id: '7', history: 'complete' },
      {
        proposal_id: '9',
        title: 'Proposal 9',
        status: 'voting_period',
        round: 1,
        messages: JSON.stringify(messages),
        submitted_height: null,
        history: 'partial',
        history_reason: expect.stringContaining('no event reported the proposal before height 4'),
      },
    ])
    given(createHeightEvents(4, [found, firstReading('9', [pool('a')], { ballots })]))
      .expectRow('tallies', { yes: '1', ballots: 1 })
      .expectRow('ballots', { voter: 'x', height: null })
  })

  it('a proposal closes with the tally of the chain, at the final watermark, also if its reading is lost', {
    tags: 'projections:tally-matches-chain',
  }, () => {
    const tables = given(...openVoteWithBallot(), createHeightEvents(9, [closed('7')]))
      .expectRow('proposals', { status: 'passed', closed_height: '9', failed_reason: null })
      .expectRow('proposals', { closed_time: rowTime(9) })
      .expectRow('tallies', {
        yes: '100',
        chain_yes: '100',
        chain_no: '0',
        live_yes_atto: `${1_000n * 10n ** 18n}`,
        final: true,
        matches_chain: 'unknown',
        bonded_tokens: null,
        quorum: null,
        pools_voted: 1,
      })
      .expectRow('watermarks', { final: true })
    expect(BigInt(tables.rows('watermarks')[0]?.position ?? 0)).toBeGreaterThanOrEqual(
      toPosition({ height: 9, index: 1 }),
    )
  })

  it('the stake of an open vote has the height of the last reading that left none for later', () => {
    const whole = { params: params(), bondedTokens: '3000' }
    const readAgain = (changes: object) =>
      given(
        ...openVoteWithBallot(),
        createHeightEvents(4, [reading('7', { ...whole, ...changes })]),
      )
    readAgain({ queued: 2 }).expectRow('tallies', { stake_height: '2' })
    readAgain({}).expectRow('tallies', { stake_height: '4' })
  })

  it('a vote that is shorter than a day has its last day from its beginning', () => {
    given(...openVoteWithBallot()).expectRow('tallies', { last_day_time: rowTime(2) })
    const longer = votingState('7', { votingEndTime: toBlockTime(50_002) })
    given(submission, createHeightEvents(2, [votingStarted('7', { proposal: longer })])).expectRow(
      'tallies',
      { last_day_time: rowTime(50_002 - 14_400) },
    )
  })

  it('a closed proposal keeps the pools of its close, and ignores later changes', () => {
    const atClose = pool('a', { tokens: '500', delegatorShares: '1000.0', moniker: 'Then' })
    const ballot = { ...stakeOf('a-account', to('a', '1')), options: all('yes') }
    const tables = given(
      ...openVoteWithBallot(),
      createHeightEvents(9, [
        closed('7'),
        finalReading('7', { pools: [atClose, pool('b')], ballots: [ballot] }),
      ]),
      createHeightEvents(10, [
        reading('8', { pools: [pool('a', { tokens: '1', moniker: 'Now' })] }),
      ]),
    ).expectPool('a', { moniker: 'Then', bonded_tokens: '500' })
    expect(tables.rows('pools')[0]).toMatchObject({ moniker: 'Now', tokens: '1' })
    const history = tables
      .rows('pool_states')
      .filter((row) => row.operator_address === 'a-operator')
    expect(history.map(({ height, tokens }) => [height, tokens])).toEqual([
      ['2', '1000'],
      ['9', '500'],
      ['10', '1'],
    ])
  })

  it('a closed proposal has NULL for everything that the node could not return at the close', () => {
    const hidden = closed('7', { finalTally: null, unavailableReason: 'pruned' })
    given(...openVoteWithBallot(), createHeightEvents(9, [hidden]))
      .expectRow('tallies', { yes: null, chain_yes: null, bonded_tokens: null, quorum: null })
      .expectRow('tallies', { final: true, matches_chain: 'unknown' })
      .expectRow('tallies', { matches_chain_reason: 'pruned' })
      .expectRow('proposals', { status: 'passed', history_reason: 'pruned' })
  })

  it('an unknown outcome is shown with its name on the chain', () => {
    const result = 'optimistic_proposal_rejected'
    const odd = closed('7', { outcome: 'unknown', result, proposal: null })
    given(...openVoteWithBallot(), createHeightEvents(9, [odd])).expectRow('proposals', {
      status: result,
      history_reason: expect.stringContaining(result),
    })
  })

  it('a proposal that is canceled during its vote keeps its last numbers, which are not those of the chain', () => {
    given(...openVoteWithBallot(), createHeightEvents(4, [canceled('7')]))
      .expectRow('proposals', { status: 'canceled', round: 1 })
      .expectRow('tallies', { yes: '1000', chain_yes: null, final: true })
      .expectRow('tallies', { matches_chain: 'unknown', quorum: '0.334' })
      .expectRow('tallies', { matches_chain_reason: expect.stringContaining('canceled') })
  })

  it('a ballot has the time of its last vote, and that of the first one, whatever was voted in between', () => {
    const cast = (height: number) => createHeightEvents(height, [vote('7', 'alice')])
    given(
      submission,
      createHeightEvents(2, [votingStarted('7')]),
      cast(3),
      cast(4),
      cast(5),
    ).expectRow('ballots', { known_time: rowTime(5), first_time: rowTime(3) })
  })

  it('a closed proposal does not change when a later event names it', () => {
    given(
      ...openVoteWithBallot(),
      createHeightEvents(9, [closed('7')]),
      createHeightEvents(10, [vote('7', 'late'), deposited('7', { proposal: proposalState('7') })]),
    )
      .expectRow('proposals', { status: 'passed' })
      .expectRow('ballots', { voter: 'a-account' })
  })
})

describe('whether the tally matches the chain', () => {
  const chain = { yes: '5', abstain: '0', no: '1', noWithVeto: '0' }
  const end = { by: 'tallied' as const, chain }

  it('a recomputed tally matches the chain, differs with the numbers, or is unknown with the reason', {
    tags: 'projections:tally-matches-chain',
  }, () => {
    const known = { ...end, unavailableReason: null }
    expect(toChainMatch({ end: known, tally: { counts: chain } })).toEqual({
      matchesChain: 'yes',
      matchesChainReason: null,
    })
    expect(toChainMatch({ end: known, tally: { counts: { ...chain, no: '2' } } })).toEqual({
      matchesChain: 'no',
      matchesChainReason: 'recomputed no 2, the chain has 1: 1 less',
    })
    expect(toChainMatch({ end: known, tally: undefined }).matchesChain).toBe('unknown')
    expect(
      toChainMatch({
        end: { ...end, chain: null, unavailableReason: 'pruned' },
        tally: undefined,
      }),
    ).toEqual({
      matchesChain: 'unknown',
      matchesChainReason: 'pruned',
    })
  })
})

it('reports an event that contradicts the state, and folds the rest of its height', () => {
  const { undecodable } = given(
    ...openVoteWithBallot(),
    createHeightEvents(4, [restarted('7', { round: 1 })], 1),
    createHeightEvents(5, [restarted('7', { round: 1 }), vote('7', 'a-account', { round: 2 })], 1),
  )
    .expectRow('proposals', { round: 2, history: 'partial' })
    .expectRows('ballots', [
      { round: 1, height: '3' },
      { round: 2, height: '5' },
    ])
  expect(undecodable).toMatchObject([
    {
      at: { height: 5 },
      proposalId: '7',
      reason: 'rollcall.voting.restarted.v1 could not be folded: round 1 ends during round 2',
    },
  ])
})
