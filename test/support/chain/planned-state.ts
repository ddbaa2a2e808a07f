// The empty state of a planner.
import { createOpenProposals } from '../../../ingest/open-proposals.ts'
import { createPendingProofs } from '../../../ingest/pending-proofs.ts'
import type { PlannedState } from '../../../ingest/plan.ts'
import { createUnreadVoters } from '../../../ingest/unread-voters.ts'

export const createPlannedState = (): PlannedState => ({
  open: createOpenProposals(),
  pending: createPendingProofs(),
  unread: createUnreadVoters(),
})
