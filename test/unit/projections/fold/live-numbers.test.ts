// Tests the live numbers of an open vote: unknown numbers are NULL with a reason.
import { describe, expect, it } from 'vitest'
import { given, openVote, POOLS } from '../../../support/fold/given.ts'
import {
  canceled,
  createHeightEvents,
  firstReading,
  reading,
  restarted,
  stakeOf,
  submitted,
  vote,
  voteWith,
  votingStarted,
} from '../../../support/log/governance-events.ts'
import { all, atto, params, pool, to } from '../../../support/log/governance-values.ts'

const oneKnownOneUnknown = [
  ...openVote(),
  createHeightEvents(3, voteWith('7', 'x', [to('b', '1')])),
  createHeightEvents(4, voteWith('7', 'y', null)),
]

/** Behind the tip there are no readings. */
const behind = [
  createHeightEvents(1, [submitted('7')], 1),
  createHeightEvents(2, [votingStarted('7')], 1),
]

describe('numbers that cannot be known', () => {
  it("all powers and totals are NULL while one voter's delegations are unknown", () => {
    given(...oneKnownOneUnknown)
      .expectPool('b', { voting_power_atto: null, delegator_power_atto: null })
      .expectPool('b', { yes_atto: null, bonded_tokens: '1000' })
      .expectRow('tallies', { yes: null, live_yes_atto: null, ballots: 2, pools_voted: 0 })
      .expectRow('tallies', {
        voting_power_atto: null,
        matches_chain_reason: 'the delegations of 1 of 2 voters are unknown: y: pruned',
      })
      .expectRows('ballots', [{ voter: 'x' }, { delegations_known: false, delegations: [] }])
  })

  it('powers and totals are known again after a new read of the delegations', () => {
    const again = reading('7', { ballots: [stakeOf('y', to('c', '2'))] })
    given(...oneKnownOneUnknown, createHeightEvents(5, [again]))
      .expectPool('b', { yes_atto: atto('1') })
      .expectRow('tallies', { yes: '3', matches_chain_reason: 'the vote is still open' })
      .expectRow('proposals', { history: 'complete' })
  })

  it('no number is known before the tip is reached, and no pool is known to have voted', () => {
    given(...behind, createHeightEvents(3, [vote('7', 'a-account'), vote('7', 'x')]))
      .expectRow('tallies', { yes: null, ballots: 2, pools_voted: null, pool_rows: 0, rule: '' })
      .expectRow('tallies', {
        bonded_tokens: null,
        quorum: null,
        matches_chain_reason: 'the stake of its voters is read once the tip is reached',
      })
      .expectRows('pool_votes', [])
  })

  it('ballots and pools get their numbers at the tip, in the order of the votes', () => {
    given(
      ...behind,
      createHeightEvents(3, [vote('7', 'x'), vote('7', 'a-account')]),
      createHeightEvents(4, [
        firstReading('7', POOLS, {
          ballots: [
            { ...stakeOf('a-account', to('a', '1')), options: all('yes') },
            { ...stakeOf('x', to('c', '3')), options: all('yes') },
          ],
        }),
      ]),
    )
      .expectPoolOrder(['c', 'a'])
      .expectRow('tallies', { yes: '1003', pools_voted: 1, quorum: '0.334', rule: 'gov' })
  })

  it('the voters whose stake is still to be read are counted', () => {
    given(
      ...openVote(),
      createHeightEvents(3, [vote('7', 'x'), ...voteWith('7', 'y', [])]),
    ).expectRow('tallies', {
      matches_chain_reason: 'the delegations of 1 of 2 voters are still being read',
    })
  })

  it('a voter who votes again keeps the stake that is known', () => {
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'x', [to('b', '1')])),
      createHeightEvents(4, [vote('7', 'x', { options: all('no') })]),
    ).expectRow('tallies', { yes: '0', no: '1' })
  })

  it('the number of ballots is NULL after a vote that names no voter', () => {
    const nameless = vote('7', '', { voter: null, voterReason: 'the event names none' })
    given(...openVote(), createHeightEvents(3, [nameless]))
      .expectRow('tallies', { yes: null, ballots: null, pools_voted: null })
      .expectRow('proposals', { history_reason: expect.stringContaining('names none') })
  })

  it('a pool that is not among all pools has no power', () => {
    given(...openVote(), createHeightEvents(3, voteWith('7', 'x', [to('z', '1'), to('a', '1')])))
      .expectPool('z', { status: 'unspecified', bonded_tokens: null, yes_atto: '0' })
      .expectPool('a', { yes_atto: atto('1') })
      .expectRow('tallies', { yes: '1', ballots: 1 })
  })

  it('no price is known if the node could not return the pools', () => {
    const missing = { complete: false, incompleteReason: 'pools: state is pruned' }
    const without = reading('7', { ...missing, ballots: [stakeOf('x', to('a', '1'))] })
    given(...behind, createHeightEvents(3, [vote('7', 'x'), without]))
      .expectPool('a', { voting_power_atto: null, bonded_tokens: null })
      .expectRow('tallies', { yes: null, matches_chain_reason: 'pools: state is pruned' })
  })

  it('a pool that a reading of all does not list is deleted, and its power is a known zero', () => {
    const ballots = [stakeOf('x', to('a', '1'))]
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'x', [to('a', '1'), to('b', '5')])),
      createHeightEvents(4, [reading('7', { allPools: true, pools: [pool('a')], ballots })]),
    )
      .expectPool('b', { status: 'unbonded', bonded_tokens: '0', yes_atto: '0' })
      .expectRow('tallies', { yes: '1' })
  })

  it('the stake of one voter that exceeds its pool is left out, with its reason', () => {
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'x', [to('b', '1')])),
      createHeightEvents(4, voteWith('7', 'y', [to('a', '1001')], { options: all('no') })),
    )
      .expectRow('tallies', { yes: '1', no: '0', ballots: 2 })
      .expectRow('tallies', {
        matches_chain_reason:
          'the stake of y is left out: it has more shares of pool a-operator than exist, and could weigh up to 1000',
      })
      .expectPool('a', { delegator_ballots: 0, no_atto: '0' })
  })
})

describe('the tally of an open vote', () => {
  it('has the latest parameters and bonded total', () => {
    given(
      ...openVote(),
      createHeightEvents(3, [reading('7', { bondedTokens: '3100', params: params() })]),
      createHeightEvents(4, [
        reading('7', { bondedTokens: '3100', params: params({ quorum: '0.4' }) }),
      ]),
    )
      .expectRow('tallies', { bonded_tokens: '3100', quorum: '0.4', threshold: '0.5' })
      .expectRow('tallies', { veto_threshold: '0.334', final: false, matches_chain: 'unknown' })
  })

  it('is truncated once, in its total', () => {
    const thirds = pool('a', { tokens: '1', delegatorShares: '3.000000000000000000' })
    given(
      ...openVote(),
      createHeightEvents(3, [reading('7', { pools: [thirds] })]),
      createHeightEvents(4, [
        vote('7', 'x'),
        vote('7', 'y'),
        reading('7', {
          ballots: [
            stakeOf('x', to('a', '2'), to('b', '0.5')),
            stakeOf('y', to('c', '0.900000000000000000')),
          ],
        }),
      ]),
    )
      .expectPool('a', { yes_atto: atto('0.666666666666666667') })
      .expectRow('tallies', { yes: '2', live_yes_atto: '2066666666666666667' })
  })

  it('counts weights that do not add up to one as the node does, and each voter once in the turnout', () => {
    const weighted = (option: string, weight: string) => ({ option, weight })
    const whole = '1.000000000000000000'
    const both = [weighted('yes', whole), weighted('no', whole)]
    const half = '0.500000000000000000'
    const twice = [weighted('yes', half), weighted('yes', half)]
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'alice', [to('a', '700')], { options: both })),
      createHeightEvents(
        4,
        voteWith('7', 'c-account', [], { options: [weighted('yes', '0.300000000000000000')] }),
      ),
      createHeightEvents(5, voteWith('7', 'b-account', [], { options: twice })),
    )
      .expectRow('tallies', { yes: '2000', no: '700', voting_power_atto: atto('2700') })
      .expectRow('tallies', { matches_chain_reason: 'the vote is still open' })
  })

  it('an expedited vote has its own threshold, and after a restart an empty round with the pools of the earlier one', () => {
    const ended = { round: 1, final: true, threshold: '0.667', yes: '1', no: '2' }
    given(
      ...openVote({ id: '8', expedited: true }),
      createHeightEvents(3, voteWith('8', 'a-account', [to('a', '1')])),
      createHeightEvents(4, [restarted('8')]),
      createHeightEvents(5, voteWith('8', 'b-account', [to('b', '1')], { round: 2 })),
    )
      .expectRows('tallies', [
        { ...ended, chain_yes: '1', live_yes_atto: atto('1000') },
        { round: 2, final: false, threshold: '0.5', yes: '1000' },
      ])
      .expectRows('pool_votes', [
        { round: 1, rank: 0, moniker: 'Pool a' },
        { round: 2, rank: 0, moniker: 'Pool b' },
      ])
      .expectRow('proposals', { round: 2, status: 'voting_period' })
      .expectRow('proposals', { expedited: false, closed_time: null })
      .expectRow('watermarks', { final: false })
  })

  it('of a canceled vote stays as of the last reading', () => {
    const last = reading('7', { bondedTokens: '3100', params: params({ quorum: '0.4' }) })
    given(
      ...openVote(),
      createHeightEvents(3, voteWith('7', 'x', [to('b', '1')])),
      createHeightEvents(4, [last]),
      createHeightEvents(5, [canceled('7')]),
    )
      .expectRow('tallies', { final: true, yes: '1', bonded_tokens: '3100', quorum: '0.4' })
      .expectRow('ballots', { voting_power_atto: atto('1') })
  })
})
