// The steps in the life of a proposal: past ones, and those that are still to come.
import type { Step } from '../../html/timeline.ts'
import { isOpen, statusName } from '../../proposal-status.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

const isBefore = (time: string | null, now: string): boolean =>
  time !== null && Date.parse(time) <= Date.parse(now)

export const toSteps = (proposal: ProposalPageData): Step[] => {
  const { status, submitTime, depositEndTime, votingStartTime, votingEndTime, asOf } = proposal
  const { closedTime, submittedAt } = proposal
  const isClosed = !isOpen(proposal)
  const step = (name: string, time: string | null, others?: Partial<Step>): Step => ({
    name,
    time,
    isOver: isBefore(time, asOf.time),
    ...others,
  })
  const steps = [
    step('Submitted', submitTime, { height: submittedAt?.height }),
    ...(votingStartTime === null
      ? [step('Deposit period ends', depositEndTime, { isEnd: status === 'deposit_period' })]
      : [
          step('Voting started', votingStartTime),
          step(isClosed ? 'Voting ended' : 'Voting ends', votingEndTime, {
            isEnd: status === 'voting_period',
          }),
        ]),
  ]
  if (!isClosed) return steps
  // A canceled proposal did not reach its planned end.
  const happened = steps.filter(({ isOver, time }) => isOver || time === null)
  return [...happened, { name: statusName(status), time: closedTime, isOver: true }]
}
