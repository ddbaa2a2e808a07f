// The empty state of a planner.
import { createOpenProposals } from '../../../ingest/governance/open-proposals.ts'
import { createPendingProofs } from '../../../ingest/governance/pending-proofs.ts'
import type { PlannedState } from '../../../ingest/governance/plan.ts'
import { createUnreadVoters } from '../../../ingest/governance/unread-voters.ts'

export const createPlannedState = (): PlannedState => ({
  open: createOpenProposals(),
  pending: createPendingProofs(),
  unread: createUnreadVoters(),
})
