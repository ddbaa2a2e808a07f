// Pools without a vote of their own: those the tally had, once it was held; before, those that would count now.
import { heightOfPosition, positionOf } from '../../ingest/contract/envelope.ts'
import { TABLE, type TallyRow } from '../../projections/contract/read-model.ts'
import { READ_OPTIONS, type Reading } from './read.ts'

export type SilentPool = {
  operatorAddress: string
  moniker: string
  /** All its stake, in base units; null where it is not known. */
  bondedTokens: string | null
}
export type SilentPools = {
  /** Whether this is as of the tally; else as of now. */
  isFinal: boolean
  total: number
  /** Most stake first. */
  pools: SilentPool[]
}

const MAX_SHOWN = 1_000

type Row = { operator_address: string; moniker: string; tokens: string | null }
type Vote = { proposalId: string; round: number; tally: TallyRow }

/** A pool's state is read again at the height of every tally. */
const MISSED = (database: string) => `
  SELECT m.operator_address AS operator_address, ifNull(s.moniker, '') AS moniker, s.tokens AS tokens
  FROM (
    SELECT operator_address FROM ${database}.${TABLE.missedVotes} FINAL
    WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
  ) AS m
  LEFT JOIN (
    SELECT operator_address, argMax(moniker, position) AS moniker,
      toNullable(argMax(tokens, position)) AS tokens
    FROM ${database}.${TABLE.poolStates} WHERE position < {end:UInt64} GROUP BY operator_address
  ) AS s ON m.operator_address = s.operator_address
  ORDER BY tokens DESC NULLS LAST, operator_address`

const NOT_YET = (database: string) => `
  SELECT operator_address, moniker, toNullable(tokens) AS tokens
  FROM ${database}.${TABLE.pools} FINAL
  WHERE status = 'bonded' AND NOT jailed AND operator_address NOT IN (
    SELECT operator_address FROM ${database}.${TABLE.poolVotes} FINAL
    WHERE proposal_id = {id:UInt64} AND round = {round:UInt16} AND voted
  )
  ORDER BY tokens DESC, operator_address`

export const readSilentPools = async (
  { store, served }: Reading,
  { proposalId, round, tally }: Vote,
): Promise<SilentPools> => {
  const { database } = served
  const height = heightOfPosition(BigInt(tally.version))
  const rows = await store.select<Row>(
    `${tally.final ? MISSED(database) : NOT_YET(database)}
     SETTINGS join_use_nulls = 1`,
    { id: proposalId, round, end: `${positionOf({ height: height + 1, index: 0 })}` },
    READ_OPTIONS,
  )
  return {
    isFinal: tally.final,
    total: rows.length,
    pools: rows.slice(0, MAX_SHOWN).map((row) => ({
      operatorAddress: row.operator_address,
      moniker: row.moniker,
      bondedTokens: row.tokens,
    })),
  }
}
