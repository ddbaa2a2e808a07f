// The rows of tables as they are inserted and selected.
import type { StoredRowOf } from '../../../projections/contract/table/define-table.ts'
import type { TABLES } from '../../../projections/contract/tables.ts'

export type Stored<Name extends keyof typeof TABLES> = StoredRowOf<(typeof TABLES)[Name]>

export type ProposalRow = Stored<'proposals'>
export type MessageBytesRow = Stored<'messageBytes'>
export type BallotRow = Stored<'ballots'>
export type PoolRow = Stored<'pools'>
export type PoolVoteRow = Stored<'poolVotes'>
export type TallyRow = Stored<'tallies'>
