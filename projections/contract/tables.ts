// Every table of one generation, and the rows that the fold of governance events writes.
import type { RowOf } from './table/define-table.ts'
import { poolProfiles, poolStates, pools } from './tables/pools.ts'
import { checkpoints } from './tables/positions.ts'
import { lightBlocks, proposalProofs, validatorSets } from './tables/proofs.ts'
import { events, messageBytes, proposals, watermarks } from './tables/proposals.ts'
import { ballots, missedVotes, poolVotes, tallies, voterStakes } from './tables/votes.ts'

/** Rows of governance events, in the order of their writes: watermarks are last. */
export const GOVERNANCE_TABLES = {
  events,
  proposals,
  messageBytes,
  proposalProofs,
  lightBlocks,
  validatorSets,
  ballots,
  pools,
  poolProfiles,
  poolStates,
  voterStakes,
  poolVotes,
  missedVotes,
  tallies,
  watermarks,
} as const
export type GovernanceTable = keyof typeof GOVERNANCE_TABLES
export type GovernanceRows = {
  [Name in GovernanceTable]: RowOf<(typeof GOVERNANCE_TABLES)[Name]>[]
}

export const TABLES = { ...GOVERNANCE_TABLES, checkpoints } as const
