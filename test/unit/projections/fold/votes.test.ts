// Tests pool rows from ballots: the power of pools and delegators, and the order of pools.
import { describe, it } from 'vitest'
import { given, openVote, POOLS } from '../../../support/fold/given.ts'
import {
  closed,
  createHeightEvents,
  firstReading,
  reading,
  stakeOf,
  submitted,
  vote,
  voteWith,
  votingStarted,
} from '../../../support/log/governance-events.ts'
import { all, atto, pool, to } from '../../../support/log/governance-values.ts'

describe('the pools of a vote', () => {
  it('an open vote has no pool rows before its first ballot', () => {
    given(...openVote())
      .expectRows('pool_votes', [])
      .expectRow('tallies', { yes: '0', pools_voted: 0, ballots: 0, pool_rows: 0, final: false })
  })

  it('a pool that votes has the power of all its tokens while none of its delegators votes', () => {
    given(...openVote(), createHeightEvents(3, voteWith('7', 'a-account', [to('a', '10')])))
      .expectPool('a', {
        voted: true,
        delegator_ballots: 0,
        bonded_tokens: '1000',
        voting_power_atto: atto('1000'),
        yes_atto: atto('1000'),
        delegator_power_atto: '0',
      })
      .expectRow('tallies', { yes: '1000', pools_voted: 1, ballots: 1 })
  })

  it('the ballot of a delegator removes its stake from the vote of the pool', () => {
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'a-account', [to('a', '10')])),
      createHeightEvents(4, voteWith('7', 'carol', [to('a', '250')], { options: all('no') })),
    )
      .expectPool('a', {
        voting_power_atto: atto('750'),
        delegator_power_atto: atto('250'),
        delegator_no_atto: atto('250'),
        yes_atto: atto('750'),
        no_atto: atto('250'),
      })
      .expectRow('tallies', { yes: '750', no: '250', pools_voted: 1, ballots: 2, pool_rows: 1 })
  })

  it('the operator of a deleted pool is an ordinary voter, also if the fold starts later', () => {
    const later = [
      createHeightEvents(3, [submitted('8')], 1),
      createHeightEvents(4, [votingStarted('8'), firstReading('8', POOLS.slice(1))], 1),
      createHeightEvents(5, voteWith('8', 'a-account', [to('b', '1')]), 1),
      createHeightEvents(6, voteWith('8', 'carol', [to('c', '1')]), 1),
    ]
    for (const heights of [[...openVote(), ...later], later]) {
      given(...heights).expectPoolOrder(['b', 'c'])
    }
  })

  it('the row of a pool that did not vote has the power that its vote would have', () => {
    given(...openVote(), createHeightEvents(3, voteWith('7', 'carol', [to('b', '400')])))
      .expectPool('b', {
        voted: false,
        options: [],
        vote_height: null,
        voting_power_atto: atto('600'),
        yes_atto: atto('400'),
      })
      .expectRow('tallies', { yes: '400', pools_voted: 0 })
  })

  it('the stake of an operator stays in its pool, and its delegation to another pool counts there', () => {
    const delegations = [to('a', '100'), to('b', '50')]
    given(...openVote(), createHeightEvents(3, voteWith('7', 'a-account', delegations)))
      .expectPool('a', {
        delegator_ballots: 0,
        delegator_power_atto: '0',
        voting_power_atto: atto('1000'),
      })
      .expectPool('b', { voted: false, delegator_ballots: 1, delegator_power_atto: atto('50') })
      .expectRow('tallies', { yes: '1050' })
  })

  it('weighted votes of pools and of delegators are split by weight', () => {
    const options = [
      { option: 'yes', weight: '0.700000000000000000' },
      { option: 'abstain', weight: '0.300000000000000000' },
    ]
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'a-account', [to('a', '1')], { options })),
      createHeightEvents(4, voteWith('7', 'carol', [to('a', '500')], { options })),
    ).expectPool('a', { yes_atto: atto('700'), delegator_abstain_atto: atto('150'), options })
  })

  it('shares are priced by their tokens', () => {
    const slashed = pool('a', { tokens: '900', delegatorShares: '1000.000000000000000000' })
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'carol', [to('a', '100')])),
      createHeightEvents(4, [reading('7', { pools: [slashed], bondedTokens: '2900' })]),
    ).expectPool('a', {
      yes_atto: atto('90'),
      voting_power_atto: atto('810'),
      bonded_tokens: '900',
    })
  })

  it('a pool that is jailed, not bonded or left out by the rule has no power, and its row shows why', () => {
    const leftOut = pool('c', { counted: false })
    const powerless = [pool('a', { jailed: true }), pool('b', { status: 'unbonding' }), leftOut]
    given(
      ...openVote(),
      createHeightEvents(
        3,
        voteWith('7', 'a-account', [to('a', '1'), to('b', '100'), to('c', '100')]),
      ),
      createHeightEvents(4, [reading('7', { pools: powerless })]),
    )
      .expectPool('a', { jailed: true, voted: true, voting_power_atto: '0' })
      .expectPool('b', { status: 'unbonding', delegator_power_atto: '0', delegator_ballots: 1 })
      .expectPool('c', { counted: false, delegator_power_atto: '0', delegator_ballots: 1 })
      .expectRow('tallies', { yes: '0', pools_voted: 1 })
  })

  it('the next ballot of a voter replaces the previous one', () => {
    const veto = all('no_with_veto')
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'carol', [to('a', '100')])),
      createHeightEvents(4, [
        vote('7', 'carol', { options: all('no') }),
        ...voteWith('7', 'carol', [to('b', '30')], { options: veto }),
      ]),
    )
      .expectRow('ballots', { rank: 0, height: '4', options: veto })
      .expectPool('a', { rank: 0, delegator_ballots: 0, yes_atto: '0', no_atto: '0' })
      .expectPool('b', { no_with_veto_atto: atto('30') })
      .expectRow('tallies', { yes: '0', no: '0', no_with_veto: '30', ballots: 1, pool_rows: 2 })
  })

  it('a ballot follows the stake of its voter when the stake moves', () => {
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'carol', [to('a', '100')])),
      createHeightEvents(5, [
        reading('7', { ballots: [stakeOf('carol', to('a', '40'), to('c', '60'))] }),
      ]),
    )
      .expectPool('a', { yes_atto: atto('40') })
      .expectPool('c', { yes_atto: atto('60'), rank: 1 })
      .expectRow('tallies', { yes: '100' })
      .expectRow('ballots', {
        delegations: [
          { operator_address: 'a-operator', shares: '40', voting_power_atto: null },
          { operator_address: 'c-operator', shares: '60', voting_power_atto: null },
        ],
      })
  })

  it('an operator is recognized if its pool is first read at the end of that height', () => {
    const ballots = [stakeOf('d-account', to('d', '70'))]
    const late = reading('7', { pools: [pool('d', { tokens: '70' })], ballots })
    given(...openVote(), createHeightEvents(3, [vote('7', 'd-account'), late])).expectPool('d', {
      voted: true,
      delegator_ballots: 0,
      yes_atto: atto('70'),
    })
  })

  it('a ballot belongs to the operator from the height at which its pool is read', () => {
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'd-account', [to('d', '70')])),
      createHeightEvents(4, [reading('7', { pools: [pool('d', { tokens: '70' })] })]),
    ).expectPool('d', { voted: true, delegator_ballots: 0, voting_power_atto: atto('70') })
  })

  it('a vote after the tally is kept as a ballot and changes no number', () => {
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'carol', [to('a', '1')])),
      createHeightEvents(4, [
        vote('7', 'gov', { counted: false, txHash: null }),
        vote('7', 'carol', { counted: false }),
        closed('7'),
      ]),
    )
      .expectPoolOrder(['a'])
      .expectRow('tallies', { ballots: 1, live_yes_atto: atto('1') })
      .expectRows('ballots', [
        { voter: 'carol', counted: true },
        { voter: 'gov', counted: false },
        { voter: 'carol', counted: false },
      ])
  })
})

describe('the order of pools', () => {
  it('pools are in the order of their first ballot, and by operator within one ballot', () => {
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'x', [to('c', '1'), to('b', '1')])),
      createHeightEvents(4, voteWith('7', 'y', [to('b', '1'), to('a', '1')])),
    ).expectPoolOrder(['b', 'c', 'a'])
  })

  it('operators are ordered by the bytes of their addresses, and not by the letters', () => {
    // In bech32 `q` is 0 and `a` is 29.
    const low = `valoper1${'q'.repeat(32)}aaaaaa`
    const high = `valoper1${'a'.repeat(32)}qqqqqq`
    const delegations = [high, low].map((operatorAddress) => ({ operatorAddress, shares: '1' }))
    given(...openVote(), createHeightEvents(3, voteWith('7', 'x', delegations))).expectRows(
      'pool_votes',
      [{ operator_address: low }, { operator_address: high }],
    )
  })

  it('a pool keeps its rank when it loses its last ballot', () => {
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'x', [to('b', '1')])),
      createHeightEvents(4, voteWith('7', 'y', [to('a', '1')])),
      createHeightEvents(5, [reading('7', { ballots: [stakeOf('x')] })]),
    )
      .expectPoolOrder(['b', 'a'])
      .expectPool('b', { delegator_ballots: 0, yes_atto: '0', voted: false })
  })
})
