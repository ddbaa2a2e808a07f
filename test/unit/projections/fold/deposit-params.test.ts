// Tests the minimum deposit of a proposal: from the parameters of its deposit period, or the reason why it is unknown.
import { expect, it } from 'vitest'
import { given } from '../../../support/fold/given.ts'
import {
  createHeightEvents,
  deposited,
  dropped,
  firstReading,
  reading,
  snapshot,
  snapshotReading,
  submitted,
  votingStarted,
  votingState,
} from '../../../support/log/governance-events.ts'
import { params, proposalState } from '../../../support/log/governance-values.ts'

const minimum = (amount: string) => [{ denom: 'stake', amount }]
const withMinimum = (amount: string) => params({ minDeposit: minimum(amount) })
const submission = createHeightEvents(4, [submitted('7', { params: withMinimum('50') })], 4)
/** A reading of another vote. */
const readElsewhere = (amount: string) => reading('3', { params: withMinimum(amount) })

it('uses the parameters of the submission', () => {
  given(submission).expectRow('proposals', {
    min_deposit: minimum('50'),
    expedited_min_deposit: minimum('2'),
    min_deposit_reason: null,
  })
})

it('follows the parameters in readings during the deposit period, and moves the watermark', () => {
  const rows = given(submission, createHeightEvents(5, [readElsewhere('80')], 4))
  rows.expectRow('proposals', { min_deposit: minimum('80') })
  expect(rows.rows('watermarks')[0]?.position).toBe(rows.rows('proposals')[0]?.version)
})

it('keeps the minimum once the vote starts', () => {
  const voting = { proposal: votingState('7') }
  given(
    submission,
    createHeightEvents(
      5,
      [deposited('7', voting), votingStarted('7', voting), firstReading('7', [])],
      4,
    ),
    createHeightEvents(6, [readElsewhere('90')], 4),
  ).expectRow('proposals', { status: 'voting_period', min_deposit: minimum('50') })
})

it('keeps the minimum of a proposal that is dropped', () => {
  given(submission, createHeightEvents(9, [dropped('7')])).expectRow('proposals', {
    status: 'dropped',
    min_deposit: minimum('50'),
  })
})

it('gives the same row if the fold starts at the submission or before it', () => {
  const earlier = createHeightEvents(2, [readElsewhere('70')])
  const later = createHeightEvents(6, [readElsewhere('80')], 4)
  for (const heights of [[submission], [earlier, submission]]) {
    given(...heights).expectRow('proposals', { min_deposit: minimum('50') })
    given(...heights, later).expectRow('proposals', { min_deposit: minimum('80') })
  }
})

it('uses the minimum of a snapshot only for proposals in their deposit period', () => {
  const inDeposit = { proposal: proposalState('7'), messages: [], round: 0 }
  const inVote = { proposal: votingState('8'), messages: [], round: 1 }
  given(
    createHeightEvents(4, [snapshot({ proposals: [inDeposit, inVote] }), snapshotReading('8')]),
  ).expectRows('proposals', [
    { proposal_id: '7', min_deposit: minimum('1'), min_deposit_reason: null },
    {
      proposal_id: '8',
      min_deposit: [],
      min_deposit_reason: 'the log has no parameters of governance from its deposit period',
    },
  ])
})

it('reports why the minimum is unknown if the node did not report the parameters', () => {
  const hidden = submitted('7', { params: null, paramsReason: 'pruned' })
  given(createHeightEvents(4, [hidden], 4)).expectRow('proposals', {
    min_deposit: [],
    min_deposit_reason: 'the node did not report the parameters of governance',
  })
})
