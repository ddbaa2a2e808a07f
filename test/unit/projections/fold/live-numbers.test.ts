// Tests the live numbers of an open vote: unknown numbers are NULL with a reason.
import { describe, expect, it } from 'vitest'
import { given, openVote, POOLS } from '../../../support/fold/given.ts'
import {
  createHeightEvents,
  paramsObserved,
  poolsObserved,
  restarted,
  stakeChanged,
  vote,
} from '../../../support/log/governance-events.ts'
import { atto, params, pool, to } from '../../../support/log/governance-values.ts'

const oneKnownOneUnknown = [
  ...openVote(),
  createHeightEvents(3, [vote('7', 'x', { delegations: [to('b', '1')] })]),
  createHeightEvents(4, [vote('7', 'y', { delegations: null, delegationsReason: 'pruned' })]),
]

describe('numbers that cannot be known', () => {
  it("all powers and totals are NULL while one voter's delegations are unknown", () => {
    given(...oneKnownOneUnknown)
      .expectPool('b', { voting_power_atto: null, delegator_power_atto: null })
      .expectPool('b', { yes_atto: null, bonded_tokens: '1000' })
      .expectRow('tallies', { yes: null, live_yes_atto: null, ballots: 2, pools_voted: 0 })
      .expectRows('ballots', [{ voter: 'x' }, { delegations_known: false, delegations: [] }])
      .expectRow('proposals', {
        history: 'partial',
        history_reason: expect.stringContaining('pruned'),
      })
  })

  it('powers and totals are known again after a new read of the delegations', () => {
    given(...oneKnownOneUnknown, createHeightEvents(5, [stakeChanged('y', [to('c', '2')])]))
      .expectPool('b', { yes_atto: atto('1') })
      .expectRow('tallies', { yes: '3' })
  })

  it('the number of ballots is NULL after a vote that names no voter', () => {
    const nameless = vote('7', '', { voter: null, voterReason: 'the event names none' })
    given(...openVote(), createHeightEvents(3, [nameless]))
      .expectRow('tallies', { yes: null, ballots: null, pools_voted: null })
      .expectRow('proposals', { history_reason: expect.stringContaining('names none') })
  })

  it('the power in an unobserved pool is NULL, and so is the total', () => {
    given(
      ...openVote(),
      createHeightEvents(3, [vote('7', 'x', { delegations: [to('z', '1'), to('a', '1')] })]),
    )
      .expectPool('z', { status: 'unspecified', voting_power_atto: null })
      .expectPool('z', { bonded_tokens: null, delegator_ballots: 1 })
      .expectPool('a', { yes_atto: atto('1') })
      .expectRow('tallies', { yes: null, ballots: 1 })
      .expectRow('proposals', { history_reason: expect.stringContaining('z-operator') })
  })

  it('every price is NULL if the node could not return the pools', () => {
    const lost = { bondedTokens: null, unavailableReason: 'state is pruned' }
    given(
      ...openVote(),
      createHeightEvents(3, [vote('7', 'a-account', { delegations: [to('a', '1')] })]),
      createHeightEvents(4, [poolsObserved([], lost)]),
    )
      .expectPool('a', { voted: true, voting_power_atto: null, bonded_tokens: null })
      .expectRow('tallies', { yes: null, bonded_tokens: null, pools_voted: 1 })
      .expectRow('proposals', { history_reason: expect.stringContaining('state is pruned') })
  })

  it('a pool that a full observation does not list is deleted, and its power is a known zero', () => {
    given(
      ...openVote(),
      createHeightEvents(3, [vote('7', 'x', { delegations: [to('a', '1'), to('b', '5')] })]),
      createHeightEvents(4, [poolsObserved([pool('a')]), stakeChanged('x', [to('a', '1')])]),
    )
      .expectPool('b', { status: 'unbonded', bonded_tokens: '0', yes_atto: '0' })
      .expectRow('tallies', { yes: '1' })
  })
})

describe('the tally of an open vote', () => {
  it('the tally of an open vote has the latest parameters and bonded total', () => {
    given(
      ...openVote(),
      createHeightEvents(3, [poolsObserved([], { full: false, bondedTokens: '3100' })]),
      createHeightEvents(4, [paramsObserved(params({ quorum: '0.4' }))]),
    )
      .expectRow('tallies', { bonded_tokens: '3100', quorum: '0.4', threshold: '0.5' })
      .expectRow('tallies', { veto_threshold: '0.334', final: false, matches_chain: 'unknown' })
  })

  it('the tally of an open vote is truncated once, in its total', () => {
    const thirds = pool('a', { tokens: '1', delegatorShares: '3.000000000000000000' })
    given(
      ...openVote(),
      createHeightEvents(3, [poolsObserved([thirds], { full: false })]),
      createHeightEvents(4, [
        vote('7', 'x', { delegations: [to('a', '2'), to('b', '0.5')] }),
        vote('7', 'y', { delegations: [to('c', '0.900000000000000000')] }),
      ]),
    )
      .expectPool('a', { yes_atto: atto('0.666666666666666667') })
      .expectRow('tallies', { yes: '2', live_yes_atto: '2066666666666666667' })
  })

  it('an expedited vote has its own threshold, and after a restart an empty round with the regular one', () => {
    const ended = { round: 1, final: true, threshold: '0.667', yes: '1', no: '2' }
    given(
      ...openVote({ id: '8', expedited: true }),
      createHeightEvents(3, [vote('8', 'a-account', { delegations: [to('a', '1')] })]),
      createHeightEvents(4, [restarted('8'), poolsObserved(POOLS)]),
      createHeightEvents(5, [vote('8', 'b-account', { round: 2, delegations: [to('b', '1')] })]),
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
})
