// Reads the address prefixes of the chain, and the text that the log has for the bytes of an address.
import { addressKey, decodeAddress } from '../../../ingest/contract/address.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import {
  chainVersion,
  createInnerQuery,
  generationVersion,
  type Query,
  type Reads,
} from '../query.ts'
import {
  buildVersionsTable,
  getSnapshotEnd,
  type StoreReads,
  selectFrom,
  selectRows,
} from './as-of.ts'
import { poolNames } from './pools.ts'

/** The same bytes have another prefix as an operator. */
export type AddressPrefixes = { account: string; operator: string | null }

const getPrefix = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : decodeAddress(address)?.prefix

/** The chain module can be the proposer. */
const MAX_PROPOSERS = 20

const readProposerPrefix = async (reads: StoreReads): Promise<string | undefined> => {
  const rows = await selectRows<{ proposer: string }>(
    reads,
    `SELECT DISTINCT proposer FROM ${buildVersionsTable(reads.snapshot, TABLES.proposals)}
     WHERE proposer IS NOT NULL LIMIT ${MAX_PROPOSERS}`,
  )
  return rows.map(({ proposer }) => getPrefix(proposer)).find((prefix) => prefix !== undefined)
}

const ADDRESSES = TABLES.pools.select(['operatorAddress', 'accountAddress'])

/** Null before the first address. If the account prefix was not known, a pool has the operator prefix twice. */
const readPrefixes = async (reads: StoreReads): Promise<AddressPrefixes | null> => {
  const [pool] = await selectFrom(
    reads,
    ADDRESSES,
    `${buildVersionsTable(reads.snapshot, TABLES.pools)} LIMIT 1`,
  )
  const operator = getPrefix(pool?.operatorAddress) ?? null
  const own = getPrefix(pool?.accountAddress)
  if (own !== undefined && own !== operator) return { account: own, operator }
  const account = (await readProposerPrefix(reads)) ?? own
  return account === undefined ? null : { account, operator }
}

/** Prefixes never change, once they are known. */
const knownPrefixes = createInnerQuery<AddressPrefixes | null>({
  name: 'known address prefixes',
  proposalId: null,
  version: generationVersion,
  read: async (reads) => {
    const value = await readPrefixes(reads)
    return { value, isUncached: value === null || value.operator === null }
  },
})

/** While they are not known, they are read once for each height. */
export const addressPrefixes = createInnerQuery<AddressPrefixes | null>({
  name: 'address prefixes',
  proposalId: null,
  version: chainVersion,
  read: async (reads) => ({ value: (await reads.use(knownPrefixes)).value }),
})

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
const findPoolByKey = async (reads: Reads, key: string) => {
  const { value } = await reads.use(poolNames)
  return value.find(({ operatorAddress }) => addressKey(operatorAddress) === key)
}

const find = async (reads: Reads, role: Role, key: string): Promise<string | null> => {
  const pool = await findPoolByKey(reads, key)
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
