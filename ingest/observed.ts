// Pools and parameters as the log last told them: what has changed since is worth an event.
import type { GovernanceEvent } from './contract/events.ts'
import type { GovParams, PoolState } from './contract/facts.ts'

export type Observed = {
  applyEvent(event: GovernanceEvent): void
  /** Those that the log does not have like this. */
  changedPools(pools: readonly PoolState[]): PoolState[]
  isNewParams(params: GovParams): boolean
}

const same = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

export const createObserved = (): Observed => {
  const pools = new Map<string, PoolState>()
  let params: GovParams | null = null
  const remember = (states: readonly PoolState[]) => {
    for (const pool of states) pools.set(pool.operatorAddress, pool)
  }
  return {
    applyEvent: (event) => {
      switch (event.type) {
        case 'rollcall.chain.snapshot.v1':
          remember(event.data.pools)
          params = event.data.params ?? params
          break
        case 'rollcall.pools.observed.v1':
          // A full one replaces all that was known, also where it says that nothing is known.
          if (event.data.full && event.data.chunk === 0) pools.clear()
          remember(event.data.pools)
          break
        case 'rollcall.params.observed.v1':
          params = event.data.params
          break
        default:
      }
    },
    changedPools: (states) => states.filter((pool) => !same(pool, pools.get(pool.operatorAddress))),
    isNewParams: (fresh) => !same(fresh, params),
  }
}
