// Reads the deposits on one proposal from its events, and their number.
import type { Coin } from '../../../ingest/contract/facts.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Timestamp } from '../../../projections/contract/timestamps.ts'
import type { Deposit } from '../../schemas/deposit.ts'
import { type StoreReads, selectRows } from './as-of.ts'
import { getEventsEnd } from './events.ts'
import { formatTimestamp } from './values.ts'

type DepositRow = {
  id: string
  height: string
  time: Timestamp
  depositor: string | null
  depositor_reason: string | null
  amount: readonly Coin[]
  tx_hash: string | null
}

const buildFromClause = ({ snapshot }: StoreReads): string =>
  `FROM ${snapshot.database}.${TABLES.events.name}
   WHERE proposal_id = {id:UInt64} AND position < {before:UInt64}
     AND type = 'rollcall.proposal.deposited.v1'`

const createParams = ({ snapshot }: StoreReads, proposalId: string) => ({
  id: proposalId,
  before: getEventsEnd(snapshot, proposalId),
})

const toDeposit = (row: DepositRow): Deposit => ({
  depositor: row.depositor,
  depositorReason: row.depositor_reason,
  amount: [...row.amount],
  height: Number(row.height),
  time: formatTimestamp(row.time),
  txHash: row.tx_hash,
  eventId: row.id,
})

/** Repeated deliveries repeat rows, so each position is counted once. */
export const countDeposits = async (reads: StoreReads, proposalId: string): Promise<number> => {
  const [row] = await selectRows<{ total: string }>(
    reads,
    `SELECT uniqExact(position) AS total ${buildFromClause(reads)}`,
    createParams(reads, proposalId),
  )
  return Number(row?.total ?? 0)
}

export const readDeposits = async (
  reads: StoreReads,
  proposalId: string,
  range: { from: number; limit: number },
): Promise<Deposit[]> => {
  const rows = await selectRows<DepositRow>(
    reads,
    `SELECT
       id, height, time,
       JSONExtract(event, 'data', 'depositor', 'Nullable(String)') AS depositor,
       JSONExtract(event, 'data', 'depositorReason', 'Nullable(String)') AS depositor_reason,
       JSONExtract(event, 'data', 'amount', 'Array(Tuple(denom String, amount String))') AS amount,
       JSONExtract(event, 'data', 'txHash', 'Nullable(String)') AS tx_hash
     FROM (
       SELECT position, id, height, time, event ${buildFromClause(reads)}
       ORDER BY position LIMIT 1 BY position LIMIT {from:UInt64}, {limit:UInt64}
     )
     ORDER BY position`,
    { ...createParams(reads, proposalId), ...range },
  )
  return rows.map(toDeposit)
}
