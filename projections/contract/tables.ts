// Every table of one generation, and the rows that the fold of governance events writes.
import type { RowOf } from './table/define-table.ts'
import { ballots } from './tables/ballots.ts'
import { checkpoints } from './tables/checkpoints.ts'
import { claims } from './tables/claims.ts'
import { events } from './tables/events.ts'
import { lightBlocks } from './tables/light-blocks.ts'
import { messageBytes } from './tables/message-bytes.ts'
import { missedVotes } from './tables/missed-votes.ts'
import { poolStates } from './tables/pool-states.ts'
import { poolVotes } from './tables/pool-votes.ts'
import { pools } from './tables/pools.ts'
import { proposalProofs } from './tables/proposal-proofs.ts'
import { proposals } from './tables/proposals.ts'
import { revocations } from './tables/revocations.ts'
import { tallies } from './tables/tallies.ts'
import { validatorSets } from './tables/validator-sets.ts'
import { voterStakes } from './tables/voter-stakes.ts'
import { watermarks } from './tables/watermarks.ts'

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

export const TABLES = { ...GOVERNANCE_TABLES, checkpoints, claims, revocations } as const
