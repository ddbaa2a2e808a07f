// The status of a proposal on the chain at the end of the story.
import { ProposalStatus } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { Ending } from '../scenario.ts'

/** The chain deletes those that are dropped or canceled. */
export const STATUSES: Partial<Record<Ending, ProposalStatus>> = {
  passed: ProposalStatus.PROPOSAL_STATUS_PASSED,
  rejected: ProposalStatus.PROPOSAL_STATUS_REJECTED,
  failed: ProposalStatus.PROPOSAL_STATUS_FAILED,
  voting_period: ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD,
  deposit_period: ProposalStatus.PROPOSAL_STATUS_DEPOSIT_PERIOD,
}
