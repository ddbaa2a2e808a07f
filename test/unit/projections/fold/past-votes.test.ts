// Tests the rows of votes that ended before the first indexed height.
import { describe, expect, it } from 'vitest'
import { given } from '../../../support/fold/given.ts'
import {
  at,
  begin,
  ended,
  finalTally,
  history,
  LATER,
  live,
  ofCarol,
  ofPool,
  POOLS,
  tallied,
  withoutTimes,
} from '../../../support/fold/past-vote.ts'
import { reading, stakeOf, undecodableEvent } from '../../../support/log/governance-events.ts'
import { all, atto, pool, to } from '../../../support/log/governance-values.ts'
import { castAt, historyProgressed } from '../../../support/log/history-events.ts'

const NONE =
  'recomputed from the state of the chain at the end of the vote; ' +
  'the times and transactions of its votes are not known (votes are not searched)'

describe('a vote that ended before the first height', { tags: 'projections:past-votes' }, () => {
  it('has the rows of a vote that was indexed, except times and transactions', () => {
    const indexed = given(...live())
    const past = given(begin(), at(LATER, ...history()))
    for (const table of ['ballots', 'pool_votes', 'tallies', 'missed_votes'] as const) {
      expect(withoutTimes(past, table), table).toEqual(withoutTimes(indexed, table))
    }
    past
      .expectRows('ballots', [
        { voter: 'a-account', height: null, time: null, tx_hash: null },
        { voter: 'carol', voting_power_atto: atto('277'), delegations_known: true },
      ])
      .expectRow('tallies', { matches_chain: 'yes', ballots: 2, pools_voted: 1, quorum: '0.334' })
  })

  it('says how it is known, and what is not', () => {
    given(begin(), at(LATER, ...history())).expectRow('proposals', {
      history: 'reconstructed',
      history_reason: NONE,
      closed_height: '60',
      closed_time: expect.stringMatching('^2026-01-01'),
      status: 'passed',
    })
  })

  it('is partial until it is recomputed', () => {
    given(begin()).expectRow('proposals', {
      history: 'partial',
      history_reason: 'closed before the first indexed height 100',
    })
  })

  it('is final before and after', () => {
    for (const heights of [[begin()], [begin(), at(LATER, ...history())]]) {
      given(...heights).expectRow('watermarks', { final: true, awaits: false })
    }
  })

  const dated = (...ballots: (typeof ofPool & { cast?: ReturnType<typeof castAt> })[]) => ({
    finalTally,
    evidence: { pools: POOLS, ballots },
  })

  it('has the times of the votes that were found', () => {
    const found = dated({ ...ofCarol, cast: castAt(42) }, { ...ofPool, cast: castAt(41) })
    const rounds = [{ ...found, votes: 'all', votesReason: null } as const]
    given(begin(), at(LATER, ...history(rounds)))
      .expectRows('ballots', [
        { rank: 0, voter: 'a-account', height: '41', voting_power_atto: atto('0.9') },
        { rank: 1, voter: 'carol', height: '42', tx_hash: expect.any(String) },
      ])
      .expectPool('a', { vote_height: '41', rank: 0 })
      .expectRow('proposals', {
        history_reason:
          'recomputed from the state of the chain at the end of the vote; how the tally changed during the vote is not known',
      })
  })

  it('has no time of a ballot whose vote was not found', () => {
    const found = dated({ ...ofPool, cast: castAt(41) }, ofCarol)
    const votesReason = 'blocks are pruned'
    given(begin(), at(LATER, ...history([{ ...found, votes: 'some', votesReason }])))
      .expectRows('ballots', [
        { voter: 'a-account', height: '41' },
        { voter: 'carol', height: null, options: all('no') },
      ])
      .expectRow('proposals', {
        history_reason: expect.stringMatching(
          /some of its votes are not known \(blocks are pruned\)$/,
        ),
      })
  })

  it('has both rounds of an expedited vote that failed', () => {
    const first = { yes: '0', abstain: '0', no: '277', noWithVeto: '0' }
    const failed = {
      isLast: false,
      finalTally: first,
      evidence: { pools: POOLS, ballots: [ofCarol] },
    }
    const listed = { ...ended, round: 2 }
    given(begin([listed]), at(LATER, ...history([failed, { ...tallied, round: 2 }])))
      .expectRows('tallies', [
        { round: 1, threshold: '0.667', no: '277', matches_chain: 'yes' },
        { round: 2, threshold: '0.5', ballots: 2, matches_chain: 'yes' },
      ])
      .expectRow('proposals', { round: 2, history: 'reconstructed', expedited: false })
  })

  it('says which round could not be recomputed', () => {
    given(begin([{ ...ended, round: 2 }]), at(LATER, ...history([{ ...tallied, round: 2 }])))
      .expectRow('proposals', {
        history_reason: expect.stringMatching(/voting round 1 could not be recomputed$/),
      })
      .expectRows('tallies', [{ round: 2, matches_chain: 'yes' }])
  })

  it('depends on nothing else in the log', () => {
    const others = [
      reading('8', {
        pools: [pool('z', { accountAddress: 'carol' })],
        ballots: [stakeOf('carol', to('z', '9'))],
      }),
      undecodableEvent(null),
    ]
    const alone = given(begin(), at(LATER, ...history()))
    const among = given(begin(), at(LATER, ...history(), ...others))
    for (const table of ['proposals', 'ballots', 'pool_votes', 'tallies', 'watermarks'] as const) {
      expect(among.rows(table), table).toEqual(alone.rows(table))
    }
  })

  it('is known although the snapshot could not read the proposal', () => {
    given(begin([]), at(LATER, ...history())).expectRow('proposals', { history: 'reconstructed' })
  })

  it('counts the last recomputation, without rows of the earlier one', () => {
    const again = { ...dated(ofPool, { ...ofCarol, cast: castAt(42) }), votes: 'some' as const }
    const tables = given(
      begin(),
      at(LATER, ...history()),
      at(LATER + 5, ...history([again]), historyProgressed('7', '7')),
    )
    const once = given(begin(), at(LATER + 5, ...history([again])))
    for (const table of ['proposals', 'ballots', 'pool_votes', 'tallies', 'watermarks'] as const) {
      expect(tables.rows(table), table).toEqual(once.rows(table))
    }
  })
})
