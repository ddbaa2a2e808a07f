// The data of the page of a proposal.
import type { Static } from 'typebox'
import type { EarlierProposals } from '../read/queries/earlier-proposals.ts'
import type { ProposalExtras } from '../read/queries/proposal-extras.ts'
import type { DepositPage } from '../schemas/deposit.ts'
import type { ProposalDetail } from '../schemas/proposal.ts'

export type PageData = {
  /** `tally` and `votes` belong to one round. `deposits` is the first page. */
  proposal: Static<typeof ProposalDetail> & {
    deposits: Static<typeof DepositPage>
    extras: ProposalExtras
    earlier: EarlierProposals
  }
}
