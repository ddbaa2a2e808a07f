// The words for the status of a proposal, whether its result is still to come, and when. Pure.
import { plainLine } from './plain-text.ts'
import type { ProposalSummary } from './schemas/proposal.ts'

/** True in the deposit period and in the voting period. */
export const isOpen = ({ status }: { status: string }): boolean =>
  status === 'deposit_period' || status === 'voting_period'

/** When the period of an open proposal ends; null if it has none, or if its end is not known. */
export const findPeriodEnd = (proposal: ProposalSummary): string | null => {
  if (proposal.status === 'voting_period') return proposal.votingEndTime
  return proposal.status === 'deposit_period' ? proposal.depositEndTime : null
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['deposit_period', 'Deposit period'],
  ['voting_period', 'Voting period'],
  ['passed', 'Passed'],
  ['rejected', 'Rejected'],
  ['failed', 'Execution failed'],
  ['canceled', 'Canceled'],
  ['dropped', 'Dropped'],
  ['vetoed', 'Vetoed'],
])

export const statusName = (status: string): string =>
  NAMES.get(status) ?? plainLine(status.replaceAll('_', ' '))

export type Outcome = Pick<ProposalSummary, 'status' | 'outcomeReason'>

/** With the reason of a rejection: `Rejected: quorum not reached`. */
export const outcomeName = ({ status, outcomeReason }: Outcome): string =>
  outcomeReason === null
    ? statusName(status)
    : `${statusName(status)}: ${outcomeReason.replaceAll('_', ' ')}`
