// The pools, the parameters and the tally rule of one voting round, as its readings have them: the state that prices an open vote.
import { addressKey } from '../../ingest/contract/address.ts'
import { parseDecimal } from '../../ingest/contract/decimal.ts'
import type { GovParams, PoolState } from '../../ingest/contract/facts.ts'
import {
  readRule,
  TALLY_RULES,
  type TallyRule,
  type TallyStrategy,
} from '../../ingest/contract/tally-rule.ts'
import type { Reading } from './reading.ts'

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
  /** As it was read. */
  state: PoolState
}

/** What a reading has besides ballots. */
export type PoolsReading = Pick<Reading, 'head' | 'pools' | 'hasAllPools'>

/** Throws `InvalidDecimal`. */
function readPool(state: PoolState): Pool {
  return {
    operatorAddress: state.operatorAddress,
    accountAddress: state.accountAddress,
    moniker: state.moniker,
    tokens: BigInt(state.tokens),
    shares: parseDecimal(state.delegatorShares),
    status: state.status,
    jailed: state.jailed,
    counted: state.counted ?? true,
    state,
  }
}

const isSame = (one: Pool, other: Pool): boolean =>
  one.tokens === other.tokens &&
  one.shares === other.shares &&
  one.status === other.status &&
  one.jailed === other.jailed &&
  one.counted === other.counted &&
  one.moniker === other.moniker &&
  one.accountAddress === other.accountAddress

/** A pool that the chain deleted: it is kept without stake for the votes that name it. */
const deleted = ({ state }: Pool): Pool =>
  readPool({ ...state, tokens: '0', delegatorShares: '0', status: 'unbonded' })

export class PoolRegistry {
  readonly #pools = new Map<string, Pool>()
  /** By the key of the account that operates the pool. */
  readonly #operators = new Map<string, string>()
  params: GovParams | null = null
  bondedTokens: string | null = null
  /** The rule by which the chain tallies votes; undefined before the first reading. */
  rule: TallyRule | undefined
  /** Whether a pool that is not in the registry does not exist. */
  hasAllPools = false

  /** `before`: of the earlier round of the same proposal, which is the beginning of this one. */
  constructor(before?: PoolRegistry) {
    if (!before) return
    this.#pools = new Map(before.#pools)
    this.#operators = new Map(before.#operators)
    const { params, bondedTokens, rule, hasAllPools } = before
    Object.assign(this, { params, bondedTokens, rule, hasAllPools })
  }

  pool(operatorAddress: string): Pool | undefined {
    return this.#pools.get(operatorAddress)
  }

  pools(): Iterable<Pool> {
    return this.#pools.values()
  }

  /** The pool that the account with this key operates. */
  findOperator(accountKey: string): string | undefined {
    return this.#operators.get(accountKey)
  }

  /** Undefined before the first reading. */
  get strategy(): TallyStrategy | undefined {
    return this.rule && TALLY_RULES[this.rule].strategy
  }

  /** Returns the pools with another price than before. */
  apply({ head, pools, hasAllPools }: PoolsReading): ReadonlySet<string> {
    const { strategy } = this
    const { params = this.params, bondedTokens = this.bondedTokens } = head
    const changed = new Set<string>()
    this.rule = readRule(head)
    this.params = params
    this.bondedTokens = bondedTokens
    for (const pool of pools) this.#put(readPool(pool), changed)
    if (hasAllPools) {
      this.hasAllPools = true
      this.#dropUnlisted(new Set(pools.map((pool) => pool.operatorAddress)), changed)
    }
    return this.strategy === strategy ? changed : new Set(this.#pools.keys())
  }

  #put(pool: Pool, changed: Set<string>): void {
    const known = this.#pools.get(pool.operatorAddress)
    if (known && isSame(known, pool)) return
    this.#set(pool)
    changed.add(pool.operatorAddress)
  }

  #set(pool: Pool): void {
    this.#pools.set(pool.operatorAddress, pool)
    this.#operators.set(addressKey(pool.accountAddress), pool.operatorAddress)
  }

  #dropUnlisted(listed: ReadonlySet<string>, changed: Set<string>): void {
    for (const pool of this.#pools.values()) {
      if (listed.has(pool.operatorAddress)) continue
      this.#put(deleted(pool), changed)
      // Its operator is a voter like any other from now on.
      this.#operators.delete(addressKey(pool.accountAddress))
    }
  }
}
