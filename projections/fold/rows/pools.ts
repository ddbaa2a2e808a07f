// Creates the rows of observed pools: the current state, and the history.
import { addressKey } from '../../../ingest/contract/address.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { PoolRow, PoolStateRow } from '../../contract/tables/pools.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

const facts = (pool: PoolState) => ({
  operatorAddress: pool.operatorAddress,
  moniker: pool.moniker,
  tokens: BigInt(pool.tokens),
  delegatorShares: pool.delegatorShares,
  status: pool.status,
  jailed: pool.jailed,
  counted: pool.counted ?? true,
})

export const poolRows = (pools: readonly PoolState[], at: EventPosition): PoolRow[] =>
  pools.map((pool) => ({
    ...facts(pool),
    accountAddress: pool.accountAddress,
    accountKey: addressKey(pool.accountAddress),
    version: at.value,
  }))

export const poolStateRows = (pools: readonly PoolState[], at: EventPosition): PoolStateRow[] => {
  const { height } = at
  const time = timestampOrEpoch(at.time)
  return pools.map((pool) => ({ ...facts(pool), position: at.value, height, time }))
}
