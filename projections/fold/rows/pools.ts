// Creates the rows of observed pools: the current state, and the history.
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { PoolRow, PoolStateRow } from '../../contract/read-model.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

const facts = (pool: PoolState) => ({
  operator_address: pool.operatorAddress,
  moniker: pool.moniker,
  tokens: pool.tokens,
  delegator_shares: pool.delegatorShares,
  status: pool.status,
  jailed: pool.jailed,
  counted: pool.counted ?? true,
})

export const poolRows = (pools: readonly PoolState[], at: EventPosition): PoolRow[] =>
  pools.map((pool) => ({
    ...facts(pool),
    account_address: pool.accountAddress,
    version: at.digits,
  }))

export const poolStateRows = (pools: readonly PoolState[], at: EventPosition): PoolStateRow[] => {
  const height = at.height.toString()
  const time = timestampOrEpoch(at.time)
  return pools.map((pool) => ({ ...facts(pool), position: at.digits, height, time }))
}
