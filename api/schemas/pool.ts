// Schemas of pools and of the votes of one pool.
import { type Static, Type } from 'typebox'
import { RECORD_COLUMNS, recordFields } from './ballot.ts'
import { type Columns, createColumns } from './columns.ts'
import { createEnvelope, WholeAmount } from './common.ts'
import { VOTE_COLUMNS, VoteRecord } from './vote.ts'

const participation = {
  proposalsVoted: Type.Integer({
    minimum: 0,
    description: 'Proposals with a vote of the pool itself',
  }),
  proposalsMissed: Type.Integer({
    minimum: 0,
    description: 'Proposals with the pool in the tally, but without a vote of the pool itself',
  }),
}

export const Pool = Type.Object({
  operatorAddress: Type.String(),
  accountAddress: Type.String(),
  moniker: Type.String(),
  status: Type.String(),
  jailed: Type.Boolean(),
  bondedTokens: WholeAmount,
  ...participation,
})
export type Pool = Static<typeof Pool>

export const PoolPage = createEnvelope(Pool)
const PoolRecord = Type.Object({ ...VoteRecord.properties, ...recordFields })
export type PoolRecord = Static<typeof PoolRecord>

export const PoolRecordPage = Type.Object(
  { ...createEnvelope(PoolRecord).properties, participation: Type.Object(participation) },
  { additionalProperties: true },
)

export const POOL_COLUMNS = createColumns<Pool>(Pool)

export const POOL_RECORD_COLUMNS: Columns<PoolRecord> = { ...RECORD_COLUMNS, ...VOTE_COLUMNS }
