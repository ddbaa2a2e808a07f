// Tests the exact rows of a closed round from its evidence, and the comparison with the chain.
import { describe, expect, it } from 'vitest'
import { ATTO } from '../../../../ingest/contract/decimal.ts'
import type { EventOf, GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { createGovernanceFold } from '../../../../projections/fold/governance-fold.ts'
import { toFoldRecords } from '../../../support/fold/fold-heights.ts'
import { given, openVote } from '../../../support/fold/given.ts'
import {
  canceled,
  closed,
  createHeightEvents,
  finalReading,
  reading,
  restarted,
  stakeOf,
  vote,
  voteWith,
} from '../../../support/log/governance-events.ts'
import { all, atto, pool, to } from '../../../support/log/governance-values.ts'

type Evidence = EventOf<'rollcall.round.read.v1'>['data']

/** Slashed, so power differs from shares: 900 tokens for 1000 shares. */
const slashed = pool('a', { tokens: '900', delegatorShares: '1000.000000000000000000' })
const pools = [slashed, pool('b'), pool('c', { jailed: true })]

const cast = [
  createHeightEvents(3, voteWith('7', 'a-account', [to('a', '1')])),
  createHeightEvents(4, voteWith('7', 'carol', [to('a', '333')], { options: all('no') })),
]
const voted = [...openVote({ pools }), ...cast]
const ofPool = { voter: 'a-account', options: all('yes'), delegations: [to('a', '1')] }
const ofCarol = {
  voter: 'carol',
  options: all('no'),
  delegations: [to('a', '333'), to('c', '5')],
}
const counted = { pools, ballots: [ofPool, ofCarol] }
// a: 667 · 0.9 = 600.3 yes, with 0.9 of its operator; 333 · 0.9 = 299.7 no.
const finalTally = { yes: '600', abstain: '0', no: '299', noWithVeto: '0' }
const closing = (changes: Partial<Evidence> = {}, close = { finalTally }) =>
  createHeightEvents(9, [closed('7', close), finalReading('7', { ...counted, ...changes })])

describe('a round that the chain tallied', () => {
  it('a tally matches the chain if its evidence adds up to the same numbers', () => {
    given(...voted, closing())
      .expectRow('tallies', { matches_chain: 'yes', matches_chain_reason: null })
      .expectRow('tallies', { yes: '600', no: '299', final: true })
  })

  it('a tally whose evidence adds up to other numbers reports the difference', () => {
    const other = { finalTally: { ...finalTally, no: '300' } }
    given(...voted, closing({}, other)).expectRow('tallies', {
      matches_chain: 'no',
      matches_chain_reason: 'recomputed no 299, the chain has 300: 1 more',
      no: '300',
    })
  })

  it.each<[string, Partial<Evidence>, RegExp]>([
    [
      'incomplete evidence',
      { complete: false, incompleteReason: 'the reads took too long' },
      /incomplete: the reads took too long/,
    ],
    ['evidence of which a chunk is missing', { chunks: 3 }, /2 of its 3 chunks/],
    ['unknown tally rules', { rule: 'own' }, /rules .* are unknown/],
  ])(
    'a tally with %s is unknown with the reason, and keeps the live numbers',
    (_, changes, reason) => {
      given(...voted, closing(changes))
        .expectRow('tallies', { matches_chain: 'unknown' })
        .expectRow('tallies', { matches_chain_reason: expect.stringMatching(reason) })
        .expectPool('a', { yes_atto: atto('600.3') })
    },
  )

  it('a tally without evidence in the log is unknown', () => {
    given(...voted, createHeightEvents(9, [closed('7')])).expectRow('tallies', {
      matches_chain: 'unknown',
      matches_chain_reason: expect.stringMatching(/no evidence/),
    })
  })

  it('chunks of evidence are combined in any order', () => {
    const chunk = (at: number, changes: Partial<Evidence>) =>
      finalReading('7', { chunk: at, chunks: 2, ...changes }, 2 - at)
    const tables = given(
      ...voted,
      createHeightEvents(9, [
        closed('7', { finalTally }),
        chunk(1, { ballots: [ofCarol] }),
        chunk(0, { pools, ballots: [ofPool] }),
      ]),
    ).expectRow('tallies', { matches_chain: 'yes' })
    expect(tables.rows('ballots')).toHaveLength(2)
  })

  it('the rows of pools have the exact power of the tally, and add up to it', () => {
    const tables = given(...voted, closing())
      .expectPool('a', { yes_atto: atto('600.3'), no_atto: atto('299.7') })
      .expectPool('a', { voting_power_atto: atto('600.3'), delegator_power_atto: atto('299.7') })
      .expectPool('a', { delegator_ballots: 1, voted: true, bonded_tokens: '900' })
    const rows = tables.rows('pool_votes')
    const sum = rows.reduce((total, each) => total + BigInt(each.no_atto ?? 0), 0n)
    tables.expectRow('tallies', { live_no_atto: sum.toString(), no: (sum / ATTO).toString() })
  })

  it('a pool that is only in the evidence is ranked after earlier ones', () => {
    given(...voted, closing()).expectRows('pool_votes', [
      { rank: 0, operator_address: 'a-operator' },
      {
        rank: 1,
        operator_address: 'c-operator',
        jailed: true,
        delegator_ballots: 1,
        no_atto: '0',
      },
    ])
  })

  it('a tallied ballot has the power of itself and of each of its delegations', () => {
    const [a, c] = ['a-operator', 'c-operator']
    given(...voted, closing()).expectRows('ballots', [
      { voting_power_atto: atto('0.9') },
      {
        rank: 1,
        height: '4',
        voting_power_atto: atto('299.7'),
        delegations: [
          { operator_address: a, shares: '333', voting_power_atto: atto('299.7') },
          { operator_address: c, shares: '5', voting_power_atto: '0' },
        ],
      },
    ])
  })

  it('the rows follow the evidence if the log had another stake, or no vote', () => {
    given(
      ...openVote({ pools }),
      createHeightEvents(3, voteWith('7', 'carol', [to('b', '700')], { options: all('no') })),
      closing(),
    )
      .expectRow('tallies', { matches_chain: 'yes', ballots: 2, pools_voted: 1 })
      .expectPool('b', { rank: 0, delegator_ballots: 0, yes_atto: '0' })
      .expectRows('ballots', [
        { voter: 'carol', height: '3' },
        { voter: 'a-account', height: null },
      ])
      .expectRow('proposals', {
        history: 'partial',
        history_reason: 'the state has a vote that no event reports: a-account',
      })
  })

  it('a vote that the evidence lacks does not count, and one with other options has no origin', () => {
    given(
      ...voted,
      createHeightEvents(5, [
        vote('7', 'reverted'),
        vote('7', 'carol', { options: all('abstain') }),
      ]),
      closing(),
    )
      .expectRow('tallies', { matches_chain: 'yes', ballots: 2 })
      .expectRows('ballots', [
        { voter: 'a-account', in_state: true, height: '3' },
        { voter: 'carol', in_state: true, options: all('no'), height: null, tx_hash: null },
        { voter: 'reverted', in_state: false, height: '5', voting_power_atto: null },
      ])
      .expectRow('proposals', {
        history_reason:
          'the state has a vote that no event reports: carol; the state lacks a vote that an event reports, and it does not count: reverted',
      })
  })

  it('a vote that was only followed behind the tip has the pools in the order of its ballots', () => {
    const [submission, started] = openVote({ pools })
    given(
      submission ?? [],
      (started ?? []).filter(({ type }) => type !== 'rollcall.round.read.v1'),
      createHeightEvents(3, [vote('7', 'carol', { options: all('no') })]),
      createHeightEvents(4, [vote('7', 'b-account')]),
      createHeightEvents(9, [
        closed('7', { finalTally: { yes: '1000', abstain: '0', no: '299', noWithVeto: '0' } }),
        finalReading('7', {
          pools,
          ballots: [{ ...ofPool, voter: 'b-account', delegations: [] }, ofCarol],
        }),
      ]),
    )
      .expectPoolOrder(['a', 'c', 'b'])
      .expectRow('tallies', { matches_chain: 'yes', pools_voted: 1, ballots: 2, rule: 'gov' })
      .expectRow('proposals', { history: 'complete' })
  })

  it('a tallied pool that did not vote has a row for its missed vote', () => {
    given(...voted, closing()).expectRow('missed_votes', {
      operator_address: 'b-operator',
      proposal_id: '7',
      round: 1,
      moniker: pool('b').moniker,
      bonded_tokens: pool('b').tokens,
      voting_power_atto: atto(pool('b').tokens),
    })
  })

  it('a pool that did not count has no missed vote, although stake in another module counts', () => {
    const outside = pool('b', { status: 'unbonded' })
    const held = { ...to('b', '5'), source: 'earn', power: 'whole' }
    const ballots = [ofPool, { ...ofCarol, delegations: [...ofCarol.delegations, held] }]
    given(...voted, closing({ rule: 'liquid_stake', pools: [slashed, outside], ballots }))
      .expectRow('tallies', { no: '299', live_no_atto: atto('304.7') })
      .expectRows('missed_votes', [])
  })

  it('a tally adds up without inheritance if the chain has none', () => {
    const own = { yes: '0', abstain: '0', no: '299', noWithVeto: '0' }
    given(...voted, closing({ rule: 'no_inheritance' }, { finalTally: own })).expectRow('tallies', {
      matches_chain: 'yes',
    })
  })

  it('evidence of a pool without shares is folded, and does not match the chain', () => {
    const absurd = { ...slashed, tokens: '1', delegatorShares: '0' }
    given(...voted, closing({ pools: [absurd], ballots: [ofPool] })).expectRow('tallies', {
      matches_chain: 'no',
    })
  })
})

describe('rounds before the last', () => {
  it('a restarted expedited round has its own evidence, result and rows', () => {
    const second = { yes: '10', abstain: '0', no: '0', noWithVeto: '0' }
    const ofDave = { voter: 'dave', options: all('yes'), delegations: [to('b', '10')] }
    given(
      ...openVote({ pools, expedited: true }),
      ...cast,
      createHeightEvents(6, [restarted('7', { finalTally }), finalReading('7', counted)]),
      createHeightEvents(7, voteWith('7', 'dave', [to('b', '10')], { round: 2 })),
      createHeightEvents(9, [
        closed('7', { round: 2, finalTally: second }),
        finalReading('7', { round: 2, pools, ballots: [ofDave] }),
      ]),
    )
      .expectRows('tallies', [
        { round: 1, matches_chain: 'yes', yes: '600' },
        { round: 2, matches_chain: 'yes', yes: '10' },
      ])
      .expectRows('pool_votes', [
        { round: 1, operator_address: 'a-operator' },
        { round: 1, operator_address: 'c-operator' },
        { round: 2, operator_address: 'b-operator' },
      ])
  })

  it('a canceled vote is final and unknown, because there is no tally', () => {
    given(...voted, createHeightEvents(9, [canceled('7')]))
      .expectRow('tallies', { final: true, matches_chain: 'unknown' })
      .expectRow('tallies', { matches_chain_reason: expect.stringMatching(/there is no tally/) })
  })
})

describe('the alert', () => {
  const drainAlerts = (last: GovernanceEvent[]) => {
    const fold = createGovernanceFold()
    for (const height of [...voted, last]) fold.apply(toFoldRecords(height))
    return fold.drain().tallyAlerts
  }

  it('an alert is raised for a tally that differs, and for one that cannot be computed', () => {
    expect(drainAlerts(closing({}, { finalTally: { ...finalTally, yes: '1' } }))).toMatchObject([
      { proposalId: '7', round: 1, matchesChain: 'no' },
    ])
    expect(drainAlerts(closing({ rule: 'own' }))).toMatchObject([{ matchesChain: 'unknown' }])
  })

  it('no alert is raised for a tally that matches, nor for a canceled vote', () => {
    expect(drainAlerts(closing())).toEqual([])
    expect(drainAlerts(createHeightEvents(9, [canceled('7')]))).toEqual([])
  })
})

describe('the stake of a voter', () => {
  it('the stake of a voter is kept from its first ballot on, with every change', () => {
    const tables = given(
      ...voted,
      createHeightEvents(5, [reading('7', { ballots: [stakeOf('carol', to('b', '2'))] })]),
      createHeightEvents(6, [reading('7', { ballots: [stakeOf('carol', null)] })]),
    )
    const history = tables.rows('voter_stakes').filter(({ voter }) => voter === 'carol')
    expect(history.map((row) => [row.height, row.delegations_known, row.delegations])).toEqual([
      ['4', true, [{ operator_address: 'a-operator', shares: '333' }]],
      ['5', true, [{ operator_address: 'b-operator', shares: '2' }]],
      ['6', false, []],
    ])
  })
})
