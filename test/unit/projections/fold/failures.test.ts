// Tests failures of the fold. An event that contradicts the state counts as undecodable. A defect of Rollcall stops the fold
// before rows of the height are returned.
import { expect, it, vi } from 'vitest'
import { createGovernanceFold } from '../../../../projections/fold/governance-fold.ts'
import { VotingRound } from '../../../../projections/fold/voting-round.ts'
import { toFoldRecords } from '../../../support/fold/fold-heights.ts'
import { given, openVote } from '../../../support/fold/given.ts'
import {
  createHeightEvents,
  restarted,
  submitted,
  vote,
} from '../../../support/log/governance-events.ts'
import { pool } from '../../../support/log/governance-values.ts'

const opened = openVote({ pools: [pool('a')] })
const voteInRound = (round: number) => vote('7', 'a-account', { round })

it('reports an event that contradicts the state, and folds the rest of its height', () => {
  const { undecodable } = given(
    ...opened,
    createHeightEvents(3, [restarted('7', { round: 1 })], 1),
    createHeightEvents(4, [restarted('7', { round: 1 }), voteInRound(2)], 1),
  )
    .expectRow('proposals', { round: 2, history: 'partial' })
    .expectRow('ballots', { voter: 'a-account', height: '4' })
  expect(undecodable).toMatchObject([
    {
      at: { height: 4 },
      proposalId: '7',
      reason: 'rollcall.voting.restarted.v1 could not be folded: round 1 ends during round 2',
    },
  ])
})

it('stops at the position of the event after a defect, and returns no row of its height', () => {
  const fold = createGovernanceFold()
  for (const height of opened) fold.apply(toFoldRecords(height))
  fold.drain()
  const defect = vi.spyOn(VotingRound.prototype, 'cast').mockImplementation(() => {
    throw new TypeError('cannot read properties of undefined')
  })
  const height = toFoldRecords(createHeightEvents(3, [submitted('8'), voteInRound(1)], 1), 40n)
  expect(() => fold.apply(height)).toThrow(
    expect.objectContaining({
      code: 'FOLD_FAILED',
      retryable: false,
      message: expect.stringMatching(
        /^rollcall\.vote\.cast\.v1 \(.+\) at offset 41, height 3, could not be folded: TypeError: cannot read/,
      ),
    }),
  )
  defect.mockRestore()
  expect(fold.drain().events).toEqual([])
})
