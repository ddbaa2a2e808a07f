// Tests what the log and its gaps mean for votes that ended before the first indexed height.
import { describe, expect, it } from 'vitest'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { createGovernanceFold } from '../../../../projections/fold/governance-fold.ts'
import { toFoldRecords } from '../../../support/fold/fold-heights.ts'
import { given, openVote } from '../../../support/fold/given.ts'
import {
  at,
  begin,
  FIRST,
  finalTally,
  history,
  LATER,
  live,
  ofPool,
  POOLS,
  tallied,
  withoutTimes,
} from '../../../support/fold/past-vote.ts'
import {
  ballotOf,
  closed,
  createHeightEvents,
  finalReading,
  snapshot,
  snapshotReading,
  voteWith,
  votingState,
} from '../../../support/log/governance-events.ts'
import { all, to } from '../../../support/log/governance-values.ts'
import { castAt, type PastRound, votesFound } from '../../../support/log/history-events.ts'

describe('the governance log', () => {
  const rows = (...heights: GovernanceEvent[][]) => {
    const tables = given(...heights)
    return (['proposals', 'ballots', 'tallies', 'watermarks'] as const).map(tables.rows)
  }

  it('wins over the history of a proposal that it closed', () => {
    expect(rows(...live(), at(LATER, ...history()))).toEqual(rows(...live()))
  })

  it('wins over the history of a proposal that is open', () => {
    const open = openVote({ pools: POOLS })
    expect(rows(...open, at(LATER, ...history()))).toEqual(rows(...open))
  })

  it('wins over the history of a proposal that it closes in the same height', () => {
    const inputs = { pools: POOLS, ballots: [ofPool] }
    const close = [closed('7', { finalTally }), finalReading('7', inputs)]
    const before = live().slice(0, -1)
    expect(rows(...before, at(LATER, ...close, ...history()))).toEqual(
      rows(...before, at(LATER, ...close)),
    )
  })
})

describe('the history of a vote that is not complete', () => {
  it.each<[string, readonly PastRound[], RegExp]>([
    ['has no evidence', [{ finalTally }], /no evidence/],
    [
      'has incomplete evidence',
      [{ ...tallied, evidence: { pools: POOLS, complete: false, incompleteReason: 'pruned' } }],
      /incomplete: pruned/,
    ],
    [
      'lacks a chunk of evidence',
      [{ ...tallied, evidence: { pools: POOLS, chunks: 2 } }],
      /1 of its 2/,
    ],
    ['lacks its last round', [{ ...tallied, isLast: false }], /a later round is missing/],
    [
      'has rounds with a gap',
      [
        { ...tallied, isLast: false },
        { ...tallied, round: 3 },
      ],
      /follow/,
    ],
  ])('makes no rows if it %s', (_, rounds, reason) => {
    const before = given(begin())
    const after = given(begin(), at(LATER, ...history(rounds)))
    for (const table of ['proposals', 'ballots', 'tallies', 'watermarks'] as const) {
      expect(after.rows(table), table).toEqual(before.rows(table))
    }
    expect(after.undecodable).toHaveLength(rounds.length)
    const refused = { proposalId: '7', reason: expect.stringMatching(reason) }
    expect(after.undecodable[0]).toMatchObject(refused)
  })

  it('opens no proposal that the snapshot could not read', () => {
    given(begin([]), at(LATER, ...history([{ finalTally }]))).expectRows('proposals', [])
  })
})

describe('the votes of an open proposal', () => {
  const open = { proposal: votingState('8'), messages: [], round: 1 }
  const earlier = (voter: string, option = 'yes') =>
    ballotOf(voter, { options: all(option), delegations: [to('a', '1')] })
  const ballots = [earlier('a-account'), earlier('bob'), earlier('carol', 'no'), earlier('dave')]
  const start = createHeightEvents(
    FIRST,
    [
      snapshot({ proposals: [open], pools: POOLS }),
      snapshotReading('8', { pools: POOLS, ballots }),
    ],
    FIRST,
  )
  const later = createHeightEvents(101, voteWith('8', 'dave', [to('a', '1')]), FIRST)
  const found = votesFound('8', [
    ballotOf('a-account', { cast: castAt(40) }),
    ballotOf('bob', { options: all('no'), cast: castAt(42) }),
    ballotOf('carol', { options: all('no'), cast: castAt(43) }),
    ballotOf('dave', { cast: castAt(44) }),
  ])
  const dated = createHeightEvents(LATER, [found], FIRST)

  it('date the ballots of the snapshot that are these votes, and change nothing else', () => {
    const before = given(start, later)
    const after = given(start, later, dated)
    const byVoter = new Map(after.rows('ballots').map((row) => [row.voter, row.height]))
    expect(Object.fromEntries(byVoter)).toEqual({
      'a-account': '40',
      bob: null,
      carol: '43',
      dave: '101',
    })
    after.expectPool('a', { vote_height: '40' })
    expect(withoutTimes(after, 'ballots')).toEqual(withoutTimes(before, 'ballots'))
    expect(withoutTimes(after, 'pool_votes')).toEqual(withoutTimes(before, 'pool_votes'))
    expect(after.rows('proposals')).toEqual(before.rows('proposals'))
  })

  it('keep their times in the final rows', () => {
    const close = [closed('8'), finalReading('8', { pools: POOLS, ballots })]
    const tables = given(start, later, dated, createHeightEvents(LATER + 1, close, null))
    expect(tables.rows('ballots').map(({ voter, height }) => [voter, height])).toContainEqual([
      'carol',
      '43',
    ])
  })
})

describe('a fold that only restores its state', () => {
  it('recomputes no past vote, and knows again which ones had ended', () => {
    const known = [{ proposalId: '7', isEarlier: true }]
    const fold = createGovernanceFold(known)
    fold.apply(toFoldRecords(at(LATER, ...history())), { keepsRows: false })
    expect(fold.drain()).toMatchObject({ ballots: [], proposals: [] })
    fold.apply(toFoldRecords(at(LATER + 1, ...history()), 9n))
    expect(fold.drain()).toMatchObject({ ballots: [{}, {}], proposals: [{ proposalId: '7' }] })
  })

  it('keeps the rows of a proposal that the log closed', () => {
    const fold = createGovernanceFold([{ proposalId: '7', isEarlier: false }])
    fold.apply(toFoldRecords(at(LATER, ...history())))
    expect(fold.drain()).toMatchObject({ ballots: [], proposals: [] })
  })
})
