// Reads the address prefixes of the chain from the addresses of a pool and of proposers.
import { decodeAddress } from '../../../ingest/contract/address.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { chainVersion, createInnerQuery, generationVersion } from '../query.ts'
import { buildVersionsTable, type StoreReads, selectFrom, selectRows } from './as-of.ts'

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
