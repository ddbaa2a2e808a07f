// The empty state of a planner.
import { createGovernance, type Planned } from '../../../ingest/governance/governance.ts'

export const createPlannedState = (): Planned => createGovernance().planned
