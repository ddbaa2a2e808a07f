// Rows of pools as they were observed: the current state and the history. Looks at nothing but the event.
import type { EventOf } from '../../ingest/contract/events.ts'
import type { PoolState } from '../../ingest/contract/facts.ts'
import type { PoolRow, PoolStateRow } from '../contract/read-model.ts'
import { momentOf, timestampOrEpoch } from './moment.ts'

export type PoolsEvent =
  | EventOf<'rollcall.pools.observed.v1'>
  | EventOf<'rollcall.chain.snapshot.v1'>

const facts = (pool: PoolState) => ({
  operator_address: pool.operatorAddress,
  moniker: pool.moniker,
  tokens: pool.tokens,
  delegator_shares: pool.delegatorShares,
  status: pool.status,
  jailed: pool.jailed,
})

export const poolRows = (event: PoolsEvent): PoolRow[] => {
  const version = momentOf(event).digits
  return event.data.pools.map((pool) => ({
    ...facts(pool),
    account_address: pool.accountAddress,
    version,
  }))
}

export const poolStateRows = (event: PoolsEvent): PoolStateRow[] => {
  const { digits, height, time } = momentOf(event)
  const when = {
    position: digits,
    height: height.toString(),
    time: timestampOrEpoch(time),
  }
  return event.data.pools.map((pool) => ({ ...facts(pool), ...when }))
}
