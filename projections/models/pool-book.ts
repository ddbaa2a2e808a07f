// What was last observed of every pool, the bonded total and the parameters: state that open votes are priced with.

import { parseDecimal } from '../../ingest/contract/decimal.ts'
import type { EventOf } from '../../ingest/contract/events.ts'
import type { GovParams, PoolState, TallyStrategy } from '../../ingest/contract/facts.ts'
import { type Moment, momentOf } from './moment.ts'

export type Pool = {
  operatorAddress: string
  accountAddress: string
  moniker: string
  tokens: bigint
  /** In atto. */
  shares: bigint
  status: PoolState['status']
  jailed: boolean
}

export type BookChange = {
  /** Pools whose state is another one now, each with the observation it follows. */
  pools: ReadonlyMap<string, Moment>
  /** Set where bonded total or parameters are other ones now. */
  totals: Moment | undefined
  /** Set where all pool states became unknown, with the node's reason. */
  lost: { moment: Moment; reason: string } | undefined
}

type Observation = EventOf<'rollcall.pools.observed.v1'>
type Snapshot = EventOf<'rollcall.chain.snapshot.v1'>
type ParamsObservation = EventOf<'rollcall.params.observed.v1'>
export type BookEvent = Observation | Snapshot | ParamsObservation

const poolOf = (state: PoolState): Pool => ({
  operatorAddress: state.operatorAddress,
  accountAddress: state.accountAddress,
  moniker: state.moniker,
  tokens: BigInt(state.tokens),
  shares: parseDecimal(state.delegatorShares),
  status: state.status,
  jailed: state.jailed,
})

const isSame = (one: Pool, other: Pool): boolean =>
  one.tokens === other.tokens &&
  one.shares === other.shares &&
  one.status === other.status &&
  one.jailed === other.jailed &&
  one.moniker === other.moniker &&
  one.accountAddress === other.accountAddress

/** A pool that a full observation no longer lists: the chain has deleted it, nothing is staked there. */
const deleted = (pool: Pool): Pool => ({ ...pool, tokens: 0n, shares: 0n, status: 'unbonded' })

export type PoolBook = {
  pool(operatorAddress: string): Pool | undefined
  /** The pool whose operator's own account this is. */
  operatorOf(accountAddress: string): string | undefined
  readonly params: GovParams | null
  readonly bondedTokens: string | null
  /** How the chain counts votes. */
  readonly strategy: TallyStrategy
  /** Applies all observations of one height, in order. */
  apply(events: readonly BookEvent[]): BookChange
}

type State = {
  pools: Map<string, Pool>
  operators: Map<string, string>
  params: GovParams | null
  bondedTokens: string | null
  strategy: TallyStrategy
}
type Pending = {
  changed: Map<string, Moment>
  totals: Moment | undefined
  lost: BookChange['lost']
  /** Pools listed so far by a full observation that is still being read. */
  listed: Set<string>
  chunksRead: number
}

const put = (state: State, pending: Pending, pool: Pool, moment: Moment): void => {
  pending.listed.add(pool.operatorAddress)
  const known = state.pools.get(pool.operatorAddress)
  if (known && isSame(known, pool)) return
  state.pools.set(pool.operatorAddress, pool)
  state.operators.set(pool.accountAddress, pool.operatorAddress)
  pending.changed.set(pool.operatorAddress, moment)
}

const setTotals = (state: State, pending: Pending, next: Partial<State>, moment: Moment): void => {
  const { params = state.params, bondedTokens = state.bondedTokens } = next
  const isChanged =
    bondedTokens !== state.bondedTokens || JSON.stringify(params) !== JSON.stringify(state.params)
  if (!isChanged) return
  state.params = params
  state.bondedTokens = bondedTokens
  pending.totals = moment
}

const lose = (state: State, pending: Pending, moment: Moment, reason: string): void => {
  for (const operatorAddress of state.pools.keys()) pending.changed.set(operatorAddress, moment)
  state.pools.clear()
  state.operators.clear()
  pending.lost = { moment, reason }
}

const dropUnlisted = (state: State, pending: Pending, moment: Moment): void => {
  for (const pool of state.pools.values()) {
    if (!pending.listed.has(pool.operatorAddress)) put(state, pending, deleted(pool), moment)
  }
}

const observe = (state: State, pending: Pending, event: Observation): void => {
  const { data } = event
  const moment = momentOf(event)
  if (data.chunk === 0) {
    pending.listed = new Set()
    pending.chunksRead = 0
    setTotals(state, pending, { bondedTokens: data.bondedTokens }, moment)
    if (data.full && data.pools.length === 0 && data.unavailableReason !== null) {
      lose(state, pending, moment, data.unavailableReason)
      return
    }
  } else if (data.bondedTokens !== null) {
    setTotals(state, pending, { bondedTokens: data.bondedTokens }, moment)
  }
  for (const pool of data.pools) put(state, pending, poolOf(pool), moment)
  pending.chunksRead += 1
  // With a chunk missing, a pool that is not listed may still be there.
  const isWhole = data.chunk === data.chunks - 1 && pending.chunksRead === data.chunks
  if (data.full && isWhole && data.unavailableReason === null) dropUnlisted(state, pending, moment)
}

const applyOne = (state: State, pending: Pending, event: BookEvent): void => {
  const moment = momentOf(event)
  switch (event.type) {
    case 'rollcall.pools.observed.v1':
      observe(state, pending, event)
      break
    case 'rollcall.params.observed.v1':
      state.strategy = event.data.strategy ?? 'inherit'
      setTotals(state, pending, { params: event.data.params }, moment)
      break
    case 'rollcall.chain.snapshot.v1': {
      for (const pool of event.data.pools) put(state, pending, poolOf(pool), moment)
      const { chunk, params, bondedTokens } = event.data
      if (chunk !== 0) break
      state.strategy = event.data.strategy ?? 'inherit'
      setTotals(state, pending, { params, bondedTokens }, moment)
    }
  }
}

export const createPoolBook = (): PoolBook => {
  const state: State = {
    pools: new Map(),
    operators: new Map(),
    params: null,
    bondedTokens: null,
    strategy: 'inherit',
  }
  return {
    pool: (operatorAddress) => state.pools.get(operatorAddress),
    operatorOf: (accountAddress) => state.operators.get(accountAddress),
    get params() {
      return state.params
    },
    get bondedTokens() {
      return state.bondedTokens
    },
    get strategy() {
      return state.strategy
    },
    apply(events) {
      const pending: Pending = {
        changed: new Map(),
        totals: undefined,
        lost: undefined,
        listed: new Set(),
        chunksRead: 0,
      }
      for (const event of events) applyOne(state, pending, event)
      return { pools: pending.changed, totals: pending.totals, lost: pending.lost }
    },
  }
}
