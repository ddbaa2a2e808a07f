// Reads the names and addresses of all pools, and how each of them voted in a round.
import {
  type OptionTuple,
  type PoolRow,
  type PoolVoteRow,
  TABLE,
} from '../../../projections/contract/read-model.ts'
import { createInnerQuery, heightVersion } from '../query.ts'
import {
  buildLatestTable,
  requireConsistent,
  requireInSnapshot,
  type StoreReads,
  selectRows,
} from './as-of.ts'

export type PoolName = { operatorAddress: string; accountAddress: string; moniker: string }

/** A chain has only hundreds of pools. */
const readPoolNames = async (reads: StoreReads): Promise<readonly PoolName[]> => {
  const { snapshot } = reads
  type Row = Pick<PoolRow, 'operator_address' | 'account_address' | 'moniker' | 'version'>
  const rows = await selectRows<Row>(
    reads,
    `SELECT operator_address, account_address, moniker, version
     FROM ${buildLatestTable(snapshot, TABLE.pools)}`,
  )
  requireInSnapshot(snapshot, ...rows.map(({ version }) => version))
  return rows.map((row) => ({
    operatorAddress: row.operator_address,
    accountAddress: row.account_address,
    moniker: row.moniker,
  }))
}

export const poolNames = createInnerQuery<readonly PoolName[]>({
  name: 'names of pools',
  proposalId: null,
  version: heightVersion,
  read: async (reads) => ({ value: await readPoolNames(reads) }),
})

export type PoolChoice = { operatorAddress: string; moniker: string; options: OptionTuple[] | null }

/** The own vote of each pool that has a row in the vote; null if only its delegators voted. */
export const readPoolChoices = async (
  reads: StoreReads,
  { proposalId, round }: { proposalId: string; round: number },
): Promise<PoolChoice[]> => {
  const { snapshot } = reads
  type Row = Pick<
    PoolVoteRow,
    'proposal_id' | 'operator_address' | 'moniker' | 'voted' | 'options' | 'version'
  >
  const rows = await selectRows<Row>(
    reads,
    `SELECT proposal_id, operator_address, moniker, voted, options, version
     FROM ${buildLatestTable(snapshot, TABLE.poolVotes)}
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}`,
    { id: proposalId, round },
  )
  requireConsistent(rows, snapshot)
  return rows.map(({ operator_address: operatorAddress, moniker, voted, options }) => ({
    operatorAddress,
    moniker,
    options: voted ? [...options] : null,
  }))
}
