// The accounts that a request names: voters by address, and the operators of pools by name or address.
import { addressKey, canonicalAddress } from '../../ingest/contract/address.ts'
import type { Account } from '../read/queries/account-changes.ts'
import { poolNames } from '../read/queries/pools.ts'
import { createInnerQuery, heightVersion, type Query } from '../read/query.ts'
import { findPool } from './votes-of-pools.ts'

export type NamedAccounts = {
  pool?: readonly string[] | undefined
  voter?: readonly string[] | undefined
}

/** By key. Throws `ApiProblem` for a pool that the chain does not have. */
export const createAccountsQuery = ({
  pool = [],
  voter = [],
}: NamedAccounts): Query<ReadonlyMap<string, Account>> =>
  createInnerQuery({
    name: `accounts ${JSON.stringify([pool, voter])}`,
    proposalId: null,
    version: heightVersion,
    read: async (reads) => {
      const names = (await reads.use(poolNames)).value
      const operators = new Map(names.map((each) => [addressKey(each.accountAddress), each]))
      const pools = pool.map((text) => findPool(names, text, 'pool').accountAddress)
      const value = new Map(
        [...pools, ...voter].map((text): [string, Account] => {
          const key = addressKey(text)
          const operated = operators.get(key)
          const account = operated?.accountAddress ?? canonicalAddress(text)
          return [key, { key, voter: account, operatorAddress: operated?.operatorAddress ?? null }]
        }),
      )
      return { value, isUncached: true }
    },
  })
