// Tests what a reading of an open vote decides: the state says which ballots count, events say when they were cast.
import { describe, expect, it } from 'vitest'
import { encodeAddress } from '../../../../ingest/contract/address.ts'
import { given, openVote, POOLS } from '../../../support/fold/given.ts'
import {
  ballotOf,
  createHeightEvents,
  finalReading,
  firstReading,
  reading,
  restarted,
  stakeOf,
  submitted,
  TX_HASH,
  vote,
  voteWith,
  votingStarted,
} from '../../../support/log/governance-events.ts'
import { all, atto, params, pool, to, toBlockTime } from '../../../support/log/governance-values.ts'

const inState = (voter: string, option: string, ...delegations: ReturnType<typeof to>[]) =>
  ballotOf(voter, { options: all(option), delegations })
const readAll = (...ballots: ReturnType<typeof ballotOf>[]) =>
  reading('7', { allBallots: true, ballots })

/** x votes yes, the pool a votes yes. */
const voted = [
  ...openVote(),
  createHeightEvents(3, voteWith('7', 'x', [to('b', '1')])),
  createHeightEvents(4, voteWith('7', 'a-account', [to('a', '1')])),
]
const ofX = inState('x', 'yes', to('b', '1'))
const ofPool = inState('a-account', 'yes', to('a', '1'))

describe('a reading of all ballots', () => {
  it('that is what the events say changes nothing', () => {
    given(...voted, createHeightEvents(5, [readAll(ofX, ofPool)]))
      .expectRows('ballots', [
        { voter: 'x', height: '3', counted: true },
        { voter: 'a-account', height: '4', counted: true },
      ])
      .expectRow('tallies', { yes: '1001', ballots: 2 })
      .expectRow('proposals', { history: 'complete' })
  })

  it('counts a vote that no event reports, without height and time', () => {
    given(...voted, createHeightEvents(5, [readAll(ofX, ofPool, inState('y', 'no', to('c', '5')))]))
      .expectRows('ballots', [
        { voter: 'x' },
        { voter: 'a-account' },
        { voter: 'y', counted: true, height: null, time: null, tx_hash: null },
      ])
      .expectRow('tallies', { yes: '1001', no: '5', ballots: 3 })
      .expectRow('proposals', {
        history: 'partial',
        history_reason: 'the state has a vote that no event reports: y',
      })
  })

  it('decides over an event with other options', () => {
    given(...voted, createHeightEvents(5, [readAll(inState('x', 'no', to('b', '1')), ofPool)]))
      .expectRows('ballots', [
        { rank: 0, voter: 'x', options: all('no'), height: null, tx_hash: null },
        { rank: 1, voter: 'a-account', height: '4' },
      ])
      .expectRow('tallies', { yes: '1000', no: '1', ballots: 2 })
  })

  it('adds the words beside a vote, which a group wrote and no transaction has', () => {
    const said = { ...ofPool, metadata: 'by the group' }
    // Not every node reports them.
    const events = [
      createHeightEvents(5, [readAll(ofX, said)]),
      createHeightEvents(6, [readAll(ofX, ofPool)]),
    ]
    given(...voted, ...events)
      .expectRows('ballots', [
        { voter: 'x', metadata: null },
        { voter: 'a-account', height: '4', metadata: 'by the group' },
      ])
      .expectRows('pool_votes', [
        { operator_address: 'b-operator', vote_metadata: null },
        { operator_address: 'a-operator', vote_metadata: 'by the group' },
      ])
  })

  it('leaves out a vote that only an event has, also that of a pool', () => {
    given(...voted, createHeightEvents(5, [readAll(ofX)]))
      .expectRows('ballots', [
        { voter: 'x', in_state: true },
        { voter: 'a-account', in_state: false, height: '4', options: all('yes') },
      ])
      .expectPool('a', { voted: false, options: [], vote_height: null })
      .expectRow('tallies', { yes: '1', ballots: 1, pools_voted: 0 })
      .expectRow('proposals', {
        history_reason:
          'the state lacks a vote that an event reports, and it does not count: a-account',
      })
  })

  it('is followed by normal ballots, each at the rank of its voter', () => {
    given(
      ...voted,
      createHeightEvents(5, [readAll(ofX)]),
      createHeightEvents(6, voteWith('7', 'a-account', [to('a', '1')], { options: all('no') })),
    )
      .expectRows('ballots', [
        { rank: 0, voter: 'x' },
        { rank: 1, voter: 'a-account', in_state: true, height: '6', options: all('no') },
      ])
      .expectRow('tallies', { yes: '1', no: '1000', ballots: 2 })
  })

  it('restores a ballot that an earlier one lacked', () => {
    const tables = given(
      ...voted,
      createHeightEvents(5, [readAll(ofX)]),
      createHeightEvents(6, [readAll(ofX, ofPool)]),
    ).expectRow('tallies', { yes: '1001', ballots: 2 })
    expect(tables.rows('ballots')[1]).toMatchObject({ height: '4', in_state: true })
  })

  it('names the first voters and counts all of them, in one sentence', () => {
    const silent = ['s1', 's2', 's3', 's4', 's5'].map((voter) => inState(voter, 'yes'))
    given(
      ...voted,
      createHeightEvents(5, [readAll(ofX, ofPool, ...silent.slice(0, 2))]),
      createHeightEvents(6, [readAll(ofX, ofPool, ...silent)]),
      createHeightEvents(7, [readAll(ofX, ofPool, ...silent)]),
    ).expectRow('proposals', {
      history_reason: 'the state has 5 votes that no event reports: s1, s2, s3 and 2 more',
    })
  })

  it('in chunks of which one is missing adds ballots, and leaves none out', () => {
    const chunks = { chunks: 2, allBallots: true, ballots: [ofX, inState('y', 'no', to('c', '5'))] }
    given(...voted, createHeightEvents(5, [reading('7', chunks)])).expectRow('tallies', {
      yes: '1001',
      no: '5',
      ballots: 3,
    })
  })

  it('in which one stake is missing still says which ballots count', () => {
    const lacking = { complete: false, incompleteReason: 'delegations of y: pruned' }
    const ballots = [ofX, { ...ballotOf('y'), delegations: null, delegationsReason: 'pruned' }]
    given(
      ...voted,
      createHeightEvents(5, [reading('7', { allBallots: true, ...lacking, ballots })]),
    ).expectRow('tallies', { yes: null, ballots: 2, pools_voted: 0 })
  })

  it('of an earlier height leaves out no later vote', () => {
    const late = reading('7', { allBallots: true, stateHeight: 3, ballots: [ofX] })
    given(...voted, createHeightEvents(5, [late])).expectRow('tallies', { yes: '1001', ballots: 2 })
  })
})

describe('one account', () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, at) => at + 1)
  const [cosmos, other] = [encodeAddress('cosmos', bytes), encodeAddress('other', bytes)]

  it('is one voter under any prefix, shown as the state has it', () => {
    given(
      ...openVote(),
      createHeightEvents(3, [vote('7', other), vote('7', cosmos, { options: all('no') })]),
    ).expectRows('ballots', [{ rank: 0, voter: other, options: all('no') }])
    given(
      ...openVote(),
      createHeightEvents(3, [vote('7', other), readAll(inState(cosmos, 'yes', to('b', '2')))]),
    )
      .expectRow('ballots', { voter: cosmos, height: '3' })
      .expectRow('tallies', { yes: '2', ballots: 1 })
      .expectRow('proposals', { history: 'complete' })
  })

  it('is the operator of its pool under any prefix', () => {
    const own = pool('d', { accountAddress: cosmos, tokens: '70' })
    given(
      ...openVote({ pools: [...POOLS, own] }),
      createHeightEvents(3, voteWith('7', other, [])),
    ).expectPool('d', { voted: true, yes_atto: atto('70') })
  })
})

describe('the origin of a ballot', () => {
  const cast = { height: 1, time: toBlockTime(1), txHash: TX_HASH }

  it('comes with a reading if the vote was found', () => {
    const found = { ...inState('y', 'no', to('c', '5')), cast }
    given(...voted, createHeightEvents(5, [readAll(ofX, ofPool, found)]))
      .expectRows('ballots', [{}, {}, { voter: 'y', height: '1', tx_hash: TX_HASH }])
      .expectRow('proposals', { history: 'complete' })
  })

  it('never replaces that of an event', () => {
    given(...voted, createHeightEvents(5, [readAll({ ...ofX, cast }, ofPool)])).expectRows(
      'ballots',
      [{ voter: 'x', height: '3' }, {}],
    )
  })
})

describe('the reading of a round', () => {
  it('of another round, or of a vote that ended, changes nothing', () => {
    const ended = [...voted, createHeightEvents(5, [restarted('7')])]
    const before = given(...ended)
    const after = given(
      ...ended,
      createHeightEvents(6, [reading('7', { round: 1, ballots: [stakeOf('x', to('c', '9'))] })]),
    )
    for (const table of ['ballots', 'tallies', 'pool_votes', 'proposals'] as const) {
      expect(after.rows(table), table).toEqual(before.rows(table))
    }
  })

  it('is its own: another vote keeps its pools and parameters', () => {
    const second = [
      createHeightEvents(5, [submitted('8'), votingStarted('8')], 1),
      createHeightEvents(6, [
        firstReading('8', [pool('b', { tokens: '5', delegatorShares: '1000' })], {
          params: params({ quorum: '0.9' }),
        }),
      ]),
    ]
    given(...voted, ...second).expectRows('tallies', [
      { proposal_id: '7', yes: '1001', quorum: '0.334' },
      { proposal_id: '8', yes: '0', quorum: '0.9' },
    ])
  })

  it('of a final tally is the beginning of the next round', () => {
    const [submission, started] = openVote()
    const pools = [pool('a', { tokens: '500', delegatorShares: '1000' })]
    const inputs = { pools, params: params({ quorum: '0.2' }), ballots: [] }
    given(
      submission ?? [],
      (started ?? []).filter(({ type }) => type !== 'rollcall.round.read.v1'),
      createHeightEvents(5, [restarted('7'), finalReading('7', inputs)]),
      createHeightEvents(6, voteWith('7', 'a-account', [], { round: 2 })),
    ).expectRows('tallies', [{ round: 1 }, { round: 2, yes: '500', quorum: '0.2', ballots: 1 }])
  })

  it('without parameters keeps those of the reading before', () => {
    given(...voted).expectRow('tallies', { quorum: '0.334', bonded_tokens: '3000' })
    given(
      ...voted,
      createHeightEvents(5, [reading('7', { params: null, bondedTokens: null })]),
    ).expectRow('tallies', { quorum: null, bonded_tokens: null })
  })

  it('is one row for each pool and voter in their histories', () => {
    const tables = given(...voted)
    expect(tables.rows('pool_states').map(({ height }) => height)).toEqual(['2', '2', '2'])
    expect(tables.rows('voter_stakes').map(({ voter, height }) => [voter, height])).toEqual([
      ['a-account', '4'],
      ['x', '3'],
    ])
  })
})
