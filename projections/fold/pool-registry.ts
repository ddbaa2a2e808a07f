// The last observation of every pool, the bonded total and the parameters: the state that prices open votes.
import { Value } from 'typebox/value'
import { addressKey } from '../../ingest/contract/address.ts'
import { parseDecimal } from '../../ingest/contract/decimal.ts'
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import type { GovParams, PoolState } from '../../ingest/contract/facts.ts'
import {
  readRule,
  TALLY_RULES,
  type TallyRule,
  type TallyStrategy,
} from '../../ingest/contract/tally-rule.ts'
import { type EventPosition, eventPosition } from './event-position.ts'

export type Pool = {
  operatorAddress: string
  accountAddress: string
  moniker: string
  tokens: bigint
  /** In atto. */
  shares: bigint
  status: PoolState['status']
  jailed: boolean
  /** False if tallies do not count the pool whatever its status. */
  counted: boolean
}

/** The changes by the observations of one height. */
export type PoolChanges = {
  /** Pools with changed state, each with its observation. */
  pools: ReadonlyMap<string, EventPosition>
  /** Set if the bonded total or the parameters changed. */
  totals: EventPosition | undefined
  /** Set if all pool states became unknown, with the node's reason. */
  lost: { at: EventPosition; reason: string } | undefined
}

type PoolsObserved = EventOf<'rollcall.pools.observed.v1'>
export type Observation =
  | PoolsObserved
  | EventOf<'rollcall.chain.snapshot.v1'>
  | EventOf<'rollcall.params.observed.v1'>

type Ruled = Exclude<Observation, PoolsObserved>

export const isObservation = (event: GovernanceEvent): event is Observation =>
  event.type === 'rollcall.chain.snapshot.v1' ||
  event.type === 'rollcall.pools.observed.v1' ||
  event.type === 'rollcall.params.observed.v1'

const toPool = (state: PoolState): Pool => ({
  operatorAddress: state.operatorAddress,
  accountAddress: state.accountAddress,
  moniker: state.moniker,
  tokens: BigInt(state.tokens),
  shares: parseDecimal(state.delegatorShares),
  status: state.status,
  jailed: state.jailed,
  counted: state.counted ?? true,
})

const isSame = (one: Pool, other: Pool): boolean =>
  one.tokens === other.tokens &&
  one.shares === other.shares &&
  one.status === other.status &&
  one.jailed === other.jailed &&
  one.counted === other.counted &&
  one.moniker === other.moniker &&
  one.accountAddress === other.accountAddress

/**
 * A pool that is missing from a full observation: the chain deleted it and it has no stake. It is kept with
 * zero stake for open votes.
 */
const deleted = (pool: Pool): Pool => ({ ...pool, tokens: 0n, shares: 0n, status: 'unbonded' })

/** The changes of one height while its observations are applied. */
type Pending = {
  pools: Map<string, EventPosition>
  totals: EventPosition | undefined
  lost: PoolChanges['lost']
  /** Pools in a full observation with chunks that are still being applied. */
  listed: Set<string>
  chunksRead: number
}

export class PoolRegistry {
  /** The pools of one moment, without the totals. */
  static of(pools: readonly PoolState[]): PoolRegistry {
    const registry = new PoolRegistry()
    for (const pool of pools) registry.#set(toPool(pool))
    return registry
  }

  readonly #pools = new Map<string, Pool>()
  readonly #operators = new Map<string, string>()
  #params: GovParams | null = null
  #paramsHeight: number | undefined
  #bondedTokens: string | null = null
  #rule: TallyRule = 'gov'

  pool(operatorAddress: string): Pool | undefined {
    return this.#pools.get(operatorAddress)
  }

  /** The pool with this operator account, whatever its prefix. */
  findOperator(accountAddress: string): string | undefined {
    return this.#operators.get(addressKey(accountAddress))
  }

  get params(): GovParams | null {
    return this.#params
  }

  /** Undefined if the log has no observation of that height: a fold that begins there would not know them. */
  paramsObservedAt(height: number): GovParams | null | undefined {
    return this.#paramsHeight === height ? this.#params : undefined
  }

  get bondedTokens(): string | null {
    return this.#bondedTokens
  }

  /** The rule by which the chain tallies votes. */
  get rule(): TallyRule {
    return this.#rule
  }

  get strategy(): TallyStrategy {
    return TALLY_RULES[this.#rule].strategy
  }

  /** Applies all observations of one height, in order. */
  apply(observations: readonly Observation[]): PoolChanges {
    const pending: Pending = {
      pools: new Map(),
      totals: undefined,
      lost: undefined,
      listed: new Set(),
      chunksRead: 0,
    }
    for (const observation of observations) this.#applyOne(observation, pending)
    return pending
  }

  #applyOne(event: Observation, pending: Pending): void {
    const at = eventPosition(event)
    switch (event.type) {
      case 'rollcall.pools.observed.v1':
        this.#applyPools(event, at, pending)
        break
      case 'rollcall.params.observed.v1':
        this.#setRule(event, at, pending)
        this.#setTotals({ params: event.data.params }, at, pending)
        break
      case 'rollcall.chain.snapshot.v1': {
        for (const pool of event.data.pools) this.#put(toPool(pool), at, pending)
        const { chunk, params, bondedTokens } = event.data
        if (chunk !== 0) break
        this.#setRule(event, at, pending)
        this.#setTotals({ params, bondedTokens }, at, pending)
      }
    }
  }

  #applyPools({ data }: PoolsObserved, at: EventPosition, pending: Pending): void {
    if (data.chunk === 0) {
      pending.listed = new Set()
      pending.chunksRead = 0
      this.#setTotals({ bondedTokens: data.bondedTokens }, at, pending)
      if (data.full && data.pools.length === 0 && data.unavailableReason !== null) {
        this.#lose(data.unavailableReason, at, pending)
        return
      }
    } else if (data.bondedTokens !== null) {
      this.#setTotals({ bondedTokens: data.bondedTokens }, at, pending)
    }
    for (const pool of data.pools) this.#put(toPool(pool), at, pending)
    pending.chunksRead += 1
    // If a chunk is missing, an unlisted pool may still exist.
    const isWhole = data.chunk === data.chunks - 1 && pending.chunksRead === data.chunks
    if (data.full && isWhole && data.unavailableReason === null) this.#dropUnlisted(at, pending)
  }

  #put(pool: Pool, at: EventPosition, pending: Pending): void {
    pending.listed.add(pool.operatorAddress)
    const known = this.#pools.get(pool.operatorAddress)
    if (known && isSame(known, pool)) return
    this.#set(pool)
    pending.pools.set(pool.operatorAddress, at)
  }

  #set(pool: Pool): void {
    this.#pools.set(pool.operatorAddress, pool)
    this.#operators.set(addressKey(pool.accountAddress), pool.operatorAddress)
  }

  #setTotals(
    next: { params?: GovParams | null; bondedTokens?: string | null },
    at: EventPosition,
    pending: Pending,
  ): void {
    const { params = this.#params, bondedTokens = this.#bondedTokens } = next
    if (next.params !== undefined) this.#paramsHeight = at.height
    if (bondedTokens === this.#bondedTokens && Value.Equal(params, this.#params)) return
    this.#params = params
    this.#bondedTokens = bondedTokens
    pending.totals = at
  }

  #setRule({ data }: Ruled, at: EventPosition, pending: Pending): void {
    const { rule: before, strategy } = this
    this.#rule = readRule(data)
    if (this.#rule !== before) pending.totals = at
    if (this.strategy !== strategy)
      for (const operator of this.#pools.keys()) pending.pools.set(operator, at)
  }

  #lose(reason: string, at: EventPosition, pending: Pending): void {
    for (const operatorAddress of this.#pools.keys()) pending.pools.set(operatorAddress, at)
    this.#pools.clear()
    this.#operators.clear()
    pending.lost = { at, reason }
  }

  #dropUnlisted(at: EventPosition, pending: Pending): void {
    for (const pool of this.#pools.values()) {
      if (pending.listed.has(pool.operatorAddress)) continue
      this.#put(deleted(pool), at, pending)
      // A fold that begins after this observation does not know its operator, and must rank pools equally.
      this.#operators.delete(addressKey(pool.accountAddress))
    }
  }
}
