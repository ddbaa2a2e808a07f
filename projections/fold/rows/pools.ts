// The rows of observed pools: the current state, and the history.
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { PoolRow, PoolStateRow } from '../../contract/read-model.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

const poolsIn = (event: GovernanceEvent): readonly PoolState[] =>
  event.type === 'rollcall.pools.observed.v1' || event.type === 'rollcall.chain.snapshot.v1'
    ? event.data.pools
    : []

const facts = (pool: PoolState) => ({
  operator_address: pool.operatorAddress,
  moniker: pool.moniker,
  tokens: pool.tokens,
  delegator_shares: pool.delegatorShares,
  status: pool.status,
  jailed: pool.jailed,
})

export const poolRows = (event: GovernanceEvent, at: EventPosition): PoolRow[] =>
  poolsIn(event).map((pool) => ({
    ...facts(pool),
    account_address: pool.accountAddress,
    version: at.digits,
  }))

export const poolStateRows = (event: GovernanceEvent, at: EventPosition): PoolStateRow[] => {
  const height = at.height.toString()
  const time = timestampOrEpoch(at.time)
  return poolsIn(event).map((pool) => ({ ...facts(pool), position: at.digits, height, time }))
}
