// Tests the minimum deposit of a proposal: from the parameters of its deposit period, or the reason why it is unknown.
import { expect, it } from 'vitest'
import { given } from '../../../support/fold/given.ts'
import {
  createHeightEvents,
  deposited,
  dropped,
  paramsObserved,
  snapshot,
  submitted,
  votingStarted,
  votingState,
} from '../../../support/log/governance-events.ts'
import { params, proposalState } from '../../../support/log/governance-values.ts'

const minimum = (amount: string) => [{ denom: 'stake', amount }]
const withMinimum = (amount: string) => paramsObserved(params({ minDeposit: minimum(amount) }))
const submission = createHeightEvents(4, [submitted('7'), withMinimum('50')], 4)
const NOT_OBSERVED = 'the log has no parameters of governance from its deposit period'

it('uses the parameters at the height of the submission', () => {
  given(submission).expectRow('proposals', {
    min_deposit: minimum('50'),
    expedited_min_deposit: minimum('2'),
    min_deposit_reason: null,
  })
})

it('follows the parameters during the deposit period, and moves the watermark', () => {
  const rows = given(submission, createHeightEvents(5, [withMinimum('80')], 4))
  rows.expectRow('proposals', { min_deposit: minimum('80') })
  expect(rows.rows('watermarks')[0]?.position).toBe(rows.rows('proposals')[0]?.version)
})

it('keeps the minimum at the start of the vote', () => {
  const voting = { proposal: votingState('7') }
  given(
    submission,
    createHeightEvents(
      5,
      [deposited('7', voting), votingStarted('7', voting), withMinimum('60')],
      4,
    ),
    createHeightEvents(6, [withMinimum('90')], 4),
  ).expectRow('proposals', { status: 'voting_period', min_deposit: minimum('60') })
})

it('keeps the minimum of a proposal that is dropped', () => {
  given(submission, createHeightEvents(9, [dropped('7')])).expectRow('proposals', {
    status: 'dropped',
    min_deposit: minimum('50'),
  })
})

it('gives the same row if the fold starts at the submission or before it', () => {
  const unobserved = createHeightEvents(4, [submitted('7')], 4)
  const earlier = createHeightEvents(2, [withMinimum('50')])
  const columns = { min_deposit: [], min_deposit_reason: NOT_OBSERVED }
  given(unobserved).expectRow('proposals', columns)
  given(earlier, unobserved).expectRow('proposals', columns)
  const later = createHeightEvents(6, [withMinimum('50')], 4)
  given(unobserved, later).expectRow('proposals', { min_deposit: minimum('50') })
  given(earlier, unobserved, later).expectRow('proposals', { min_deposit: minimum('50') })
})

it('uses the minimum of a snapshot only for proposals in their deposit period', () => {
  const inDeposit = { proposal: proposalState('7'), messages: [], round: 0 }
  const inVote = { proposal: votingState('8'), messages: [], round: 1 }
  given(createHeightEvents(4, [snapshot({ proposals: [inDeposit, inVote] })])).expectRows(
    'proposals',
    [
      { proposal_id: '7', min_deposit: minimum('1'), min_deposit_reason: null },
      { proposal_id: '8', min_deposit: [], min_deposit_reason: NOT_OBSERVED },
    ],
  )
})

it('reports why the minimum is unknown if the node did not report the parameters', () => {
  given(createHeightEvents(4, [submitted('7'), paramsObserved(null)], 4)).expectRow('proposals', {
    min_deposit: [],
    min_deposit_reason: 'the node did not report the parameters of governance',
  })
})
