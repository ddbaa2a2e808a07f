// Finds the text that the log has for the bytes of an address, whatever text of them a client sends. Each look-up has an index.
import { addressKey } from '../../../ingest/contract/address.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { createInnerQuery, generationVersion, type Query, type Reads } from '../query.ts'
import type { AddressPrefixes } from './address-prefixes.ts'
import { buildVersionsTable, getSnapshotEnd, type StoreReads, selectRows } from './as-of.ts'
import { poolNames } from './pool-names.ts'

type Role = keyof AddressPrefixes

/** Of an account that voted, proposed or deposited: from the first table that has it. */
const listSources = ({ snapshot }: StoreReads): string[] => {
  const { ballots, proposals, events } = TABLES
  return [
    `SELECT voter AS text FROM ${buildVersionsTable(snapshot, ballots.copies.ballotsByVoter)}
     WHERE voter_key = {key:String} ORDER BY voter_key, proposal_id, round, rank LIMIT 1`,
    `SELECT assumeNotNull(proposer) AS text FROM ${buildVersionsTable(snapshot, proposals)}
     WHERE proposer_key = {key:String} ORDER BY proposal_id LIMIT 1`,
    `SELECT JSONExtractString(event, 'data', 'depositor') AS text
     FROM ${snapshot.database}.${events.name}
     WHERE type = 'rollcall.proposal.deposited.v1' AND depositor_key = {key:String}
       AND position < ${getSnapshotEnd(snapshot)} ORDER BY position LIMIT 1`,
  ]
}

const findInStore = async (reads: StoreReads, key: string): Promise<string | null> => {
  for (const sql of listSources(reads)) {
    const [row] = await selectRows<{ text: string }>(reads, sql, { key })
    if (row) return row.text
  }
  return null
}

/** A chain has only hundreds of pools. */
const findPool = async (reads: Reads, key: string) => {
  const { value } = await reads.use(poolNames)
  return value.find(({ operatorAddress }) => addressKey(operatorAddress) === key)
}

const find = async (reads: Reads, role: Role, key: string): Promise<string | null> => {
  const pool = await findPool(reads, key)
  if (role === 'operator') return pool?.operatorAddress ?? null
  return pool?.accountAddress ?? (await findInStore(reads, key))
}

/** Null if the log does not have it. */
export const knownAddress = (role: Role, key: string): Query<string | null> =>
  createInnerQuery({
    name: `known ${role} ${key}`,
    proposalId: null,
    version: generationVersion,
    read: async (reads) => ({ value: await find(reads, role, key) }),
  })
