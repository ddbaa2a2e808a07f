// Tests the snapshot before the first height, undecodable records, and the archive of all events.
import { describe, expect, it } from 'vitest'
import { ORDINAL, toIndex, toPosition } from '../../../../ingest/contract/envelope.ts'
import { readRecord } from '../../../../projections/fold/record.ts'
import { toFoldRecords } from '../../../support/fold/fold-heights.ts'
import { given, openVoteWithBallot } from '../../../support/fold/given.ts'
import {
  ballotOf,
  createHeightEvents,
  firstReading,
  snapshot,
  snapshotReading,
  undecodableEvent,
  voteWith,
  votingState,
} from '../../../support/log/governance-events.ts'
import { all, atto, pool, to, toBlockTime } from '../../../support/log/governance-values.ts'

const pools = [pool('a'), pool('b')]
const listed = (proposal: ReturnType<typeof votingState>, round = 1) => ({
  proposal,
  messages: [],
  round,
})

describe('the state before the first indexed height', () => {
  it('a proposal closed before the first height has its tally, and its history is partial with the reason', () => {
    const finalTally = { yes: '9', abstain: '1', no: '2', noWithVeto: '3' }
    const rejected = votingState('3', { status: 'rejected', finalTally })
    const tables = given(
      createHeightEvents(100, [snapshot({ proposals: [listed(rejected)], pools })]),
    )
      .expectRow('proposals', { status: 'rejected', closed_time: null, submitted_height: null })
      .expectRow('proposals', { history: 'partial', round: 1 })
      .expectRow('proposals', { history_reason: 'closed before the first indexed height 100' })
      .expectRow('tallies', { yes: '9', no_with_veto: '3', chain_abstain: '1', final: true })
      .expectRow('tallies', { bonded_tokens: null, pools_voted: null, ballots: null })
      .expectRow('watermarks', { final: true })
    expect(tables.rows('pools')).toHaveLength(2)
  })

  it('an open vote continues from its earlier ballots, ordered by voter address, without height or time', () => {
    const proposals = [listed(votingState('3'))]
    const ofZoe = ballotOf('zoe', { delegations: [to('b', '2')] })
    const ofPool = ballotOf('a-account', { delegations: [to('a', '1')] })
    const chunks = { chunks: 2, pools: [] }
    given(
      createHeightEvents(100, [
        snapshot({ proposals, pools }),
        snapshotReading('3', { ...chunks, pools, ballots: [ofZoe] }),
        snapshotReading('3', { ...chunks, chunk: 1, ballots: [ofPool] }, 101),
      ]),
      createHeightEvents(101, voteWith('3', 'zoe', [to('b', '2')])),
    )
      .expectRows('ballots', [
        { voter: 'a-account', height: null, time: null, tx_hash: null },
        { voter: 'zoe', height: '101' },
      ])
      .expectRows('pool_votes', [
        { operator_address: 'a-operator', voted: true, vote_height: null },
        { operator_address: 'b-operator', voted: false },
      ])
      .expectRow('tallies', { yes: '1002', final: false, threshold: '0.5' })
      .expectRow('proposals', { history_reason: 'submitted before the first indexed height 100' })
  })

  it('a vote in the first block replaces the ballot of the state before it', () => {
    const ofZoe = ballotOf('zoe', { delegations: [to('b', '2')] })
    given(
      createHeightEvents(100, [
        snapshot({ proposals: [listed(votingState('3'))], pools }),
        snapshotReading('3', { pools, ballots: [ofZoe] }),
        ...voteWith('3', 'zoe', [to('b', '2')], { options: all('no') }),
      ]),
    )
      .expectRow('ballots', { voter: 'zoe', height: '100', options: all('no') })
      .expectRow('tallies', { yes: '0', no: '2' })
  })

  it('a vote restarted before the first height keeps the tally of its failed round', () => {
    const finalTally = { yes: '1', abstain: '0', no: '2', noWithVeto: '0' }
    const proposals = [listed(votingState('3', { finalTally }), 2)]
    given(
      createHeightEvents(100, [
        snapshot({ proposals, pools }),
        snapshotReading('3', { round: 2, pools }),
      ]),
    ).expectRows('tallies', [
      { round: 1, no: '2', final: true, voting_power_atto: atto('3') },
      { round: 2, yes: '0', final: false },
    ])
  })

  it('the numbers of a vote are NULL, with the reason, until the node lists its ballots', () => {
    const proposals = ['3', '4'].map((id) => listed(votingState(id)))
    const unread = { allBallots: false, complete: false, incompleteReason: 'ballots: gas limit' }
    const begin = createHeightEvents(100, [
      snapshot({ proposals, pools }),
      snapshotReading('3', { pools, ...unread }),
      snapshotReading('4', { pools }),
    ])
    given(begin).expectRows('tallies', [
      { yes: null, ballots: null, matches_chain_reason: 'ballots: gas limit' },
      { yes: '0', ballots: 0, matches_chain_reason: 'the vote is still open' },
    ])
    const ballots = [ballotOf('x', { delegations: [to('a', '1')] })]
    given(begin, createHeightEvents(101, [firstReading('3', pools, { ballots })])).expectRows(
      'tallies',
      [{ yes: '1', ballots: 1 }, { yes: '0' }],
    )
  })
})

describe('records that cannot be decoded', () => {
  /** Height 4 with one such record. */
  const withRecord = (value: Uint8Array) => [
    readRecord({ offset: 900n, height: 4, timeMs: Date.parse(toBlockTime(4)), value }),
    ...toFoldRecords(createHeightEvents(4, []), 901n),
  ]
  const textRecord = (text: string) => withRecord(new TextEncoder().encode(text))

  it('a vote that ingest could not decode makes its proposal partial', () => {
    given(...openVoteWithBallot(), createHeightEvents(4, [undecodableEvent('7')]))
      .expectRow('proposals', {
        history: 'partial',
        history_reason: expect.stringContaining('no such option format'),
      })
      .expectRow('tallies', { yes: null, ballots: null })
  })

  it('the ballots are known again after the next reading of all, and the history stays partial', () => {
    const ballots = [ballotOf('a-account', { delegations: [to('a', '1')] }), ballotOf('unread')]
    given(
      ...openVoteWithBallot(),
      createHeightEvents(4, [undecodableEvent('7')]),
      createHeightEvents(5, [firstReading('7', pools, { ballots })]),
    )
      .expectRow('tallies', { yes: null, ballots: 2, pools_voted: 1 })
      .expectRow('proposals', {
        history: 'partial',
        history_reason: expect.not.stringContaining('no event reports'),
      })
  })

  it('an event that ingest could not decode and that is no vote changes no number', () => {
    given(
      ...openVoteWithBallot(),
      createHeightEvents(4, [undecodableEvent('7', 'proposal_deposit')]),
    )
      .expectRow('proposals', { history: 'partial' })
      .expectRow('tallies', { yes: '1000' })
  })

  it('an event that ingest could not decode adds no proposal', () => {
    const tables = given(...openVoteWithBallot(), createHeightEvents(4, [undecodableEvent('77')]))
    expect(tables.undecodable).toMatchObject([{ at: { height: 4 }, proposalId: '77' }])
    expect(tables.rows('proposals').map((row) => row.proposal_id)).not.toContain('77')
  })

  it('a record with an undecodable envelope makes every open proposal partial', () => {
    const { undecodable } = given(...openVoteWithBallot(), textRecord('{"no": '))
      .expectRow('proposals', { history: 'partial' })
      .expectRow('tallies', { yes: null })
    expect(undecodable).toMatchObject([{ offset: 900n, at: { height: 4 }, proposalId: '0' }])
  })

  it('a record of an unknown type with a valid envelope is archived and reported', () => {
    const opening = openVoteWithBallot()
    const event = { ...opening[2]?.[0], type: 'rollcall.vote.cast.v9', height: 4 }
    const tables = given(...opening, textRecord(JSON.stringify(event)))
    expect(tables.undecodable).toMatchObject([{ proposalId: '7' }])
    expect(tables.rows('events').map(({ type }) => type)).toContain('rollcall.vote.cast.v9')
  })
})

describe('the archive of events', () => {
  it('the archive has every event once, with the bytes of its record', () => {
    const opening = openVoteWithBallot()
    const sent = opening.flat()
    const kept = given(...opening).rows('events')
    expect(kept).toHaveLength(sent.length)
    const first = kept.find(({ type }) => type === 'rollcall.proposal.submitted.v1')
    expect(first).toMatchObject({
      proposal_id: '7',
      height: '1',
      position: toPosition({ height: 1, index: toIndex(1, 0) }).toString(),
      event: JSON.stringify(sent[0]),
    })
    const markers = kept.filter(({ proposal_id: id }) => id === '0')
    expect(markers.some(({ type }) => type === 'rollcall.block.indexed.v1')).toBe(true)
    expect(ORDINAL.marker).toBeGreaterThan(ORDINAL.after)
  })
})
