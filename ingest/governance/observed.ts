// Pools, bonded total and parameters as last written to the log: an event reports only the changes. The projections keep pools with
// exact numbers, deleted and lost ones too: nothing here needs them.
import { Value } from 'typebox/value'
import type { EventOf } from '../contract/events.ts'
import type { GovParams, PoolState } from '../contract/facts.ts'
import { readRule, type TallyRule } from '../contract/tally-rule.ts'

export type Observed = {
  /** Of the snapshot. */
  list(data: EventOf<'rollcall.chain.snapshot.v1'>['data']): void
  observePools(data: EventOf<'rollcall.pools.observed.v1'>['data']): void
  observeParams(data: EventOf<'rollcall.params.observed.v1'>['data']): void
  /** Pools that are new or different from the log. */
  changedPools(pools: readonly PoolState[]): PoolState[]
  /** Operator addresses of pools with shares that differ from the log. */
  poolsWithOtherShares(pools: readonly PoolState[]): ReadonlySet<string>
  /** False if the state of all pools is unknown in the log. */
  hasPools(): boolean
  isNewBondedTotal(bondedTokens: string | null): boolean
  isNewParams(params: GovParams): boolean
  /** The last one in the log. */
  rule(): TallyRule
}

export const createObserved = (): Observed => {
  const pools = new Map<string, PoolState>()
  let bondedTokens: string | null = null
  let params: GovParams | null = null
  let rule: TallyRule = 'gov'
  const remember = (states: readonly PoolState[]) => {
    for (const pool of states) pools.set(pool.operatorAddress, pool)
  }
  return {
    list: (data) => {
      remember(data.pools)
      params = data.params ?? params
      if (data.chunk === 0) rule = readRule(data)
      bondedTokens = data.bondedTokens ?? bondedTokens
    },
    observePools: (data) => {
      // A full event replaces all known pools, even if it reports that none is known.
      if (data.full && data.chunk === 0) pools.clear()
      remember(data.pools)
      bondedTokens = data.bondedTokens
    },
    observeParams: (data) => {
      params = data.params
      rule = readRule(data)
    },
    changedPools: (states) =>
      states.filter((pool) => !Value.Equal(pool, pools.get(pool.operatorAddress))),
    poolsWithOtherShares: (states) => {
      const changed = states.filter(
        ({ operatorAddress, delegatorShares }) =>
          pools.get(operatorAddress)?.delegatorShares !== delegatorShares,
      )
      return new Set(changed.map(({ operatorAddress }) => operatorAddress))
    },
    hasPools: () => pools.size > 0,
    isNewBondedTotal: (fresh) => fresh !== bondedTokens,
    isNewParams: (fresh) => !Value.Equal(fresh, params),
    rule: () => rule,
  }
}
