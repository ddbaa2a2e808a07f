// Reads the names and addresses of all pools, and how each of them voted in a round.
import type { WeightedOption } from '../../../ingest/contract/facts.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { createInnerQuery, heightVersion } from '../query.ts'
import {
  buildLatestTable,
  requireConsistent,
  requireInSnapshot,
  type StoreReads,
  selectFrom,
} from './as-of.ts'

export type PoolName = { operatorAddress: string; accountAddress: string; moniker: string }

const NAMED = TABLES.pools.select(['operatorAddress', 'accountAddress', 'moniker', 'version'])

/** A chain has only hundreds of pools. */
const readPoolNames = async (reads: StoreReads): Promise<readonly PoolName[]> => {
  const { snapshot } = reads
  const rows = await selectFrom(reads, NAMED, buildLatestTable(snapshot, TABLES.pools))
  requireInSnapshot(snapshot, ...rows.map(({ version }) => version))
  return rows.map(({ version: _, ...name }) => name)
}

export const poolNames = createInnerQuery<readonly PoolName[]>({
  name: 'names of pools',
  proposalId: null,
  version: heightVersion,
  read: async (reads) => ({ value: await readPoolNames(reads) }),
})

export type PoolChoice = {
  operatorAddress: string
  moniker: string
  options: WeightedOption[] | null
}

const CHOICE = TABLES.poolVotes.select([
  'proposalId',
  'operatorAddress',
  'moniker',
  'voted',
  'options',
  'version',
])

/** The own vote of each pool that has a row in the vote; null if only its delegators voted. */
export const readPoolChoices = async (
  reads: StoreReads,
  { proposalId, round }: { proposalId: string; round: number },
): Promise<PoolChoice[]> => {
  const { snapshot } = reads
  const rows = await selectFrom(
    reads,
    CHOICE,
    `${buildLatestTable(snapshot, TABLES.poolVotes)}
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}`,
    { id: proposalId, round },
  )
  requireConsistent(rows, snapshot)
  return rows.map(({ operatorAddress, moniker, voted, options }) => ({
    operatorAddress,
    moniker,
    options: voted ? [...options] : null,
  }))
}
