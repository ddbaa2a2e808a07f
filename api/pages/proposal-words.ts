// What pages and feeds say of a proposal.
import { type Inline, status, time } from '../document/line.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'

/** When the period of an open proposal ends; null if it has none, or if its end is not known. */
export const findPeriodEnd = (proposal: ProposalSummary): string | null => {
  if (proposal.status === 'voting_period') return proposal.votingEndTime
  return proposal.status === 'deposit_period' ? proposal.depositEndTime : null
}

/** `Voting period until …` for an open proposal, otherwise its result. */
export const describeStatus = (proposal: ProposalSummary): Inline => {
  const end = findPeriodEnd(proposal)
  return [status(proposal), end !== null && [' until ', time(end)]]
}
