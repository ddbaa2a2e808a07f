// What the readings of a voting round have: its pools, parameters and tally rule, and the node's own tally, which is compared with ours.
import { isDeepStrictEqual } from 'node:util'
import { addressKey } from '../../ingest/contract/address.ts'
import type { GovParams, PoolState, TallyCounts } from '../../ingest/contract/facts.ts'
import {
  readRule,
  TALLY_RULES,
  type TallyRule,
  type TallyStrategy,
} from '../../ingest/contract/tally-rule.ts'
import type { Reading } from './reading.ts'

/** The last tally of a node during a vote, compared with our own. */
export type NodeTally = {
  rule: TallyRule
  /** Of its state. */
  height: number
  /** Null if the node could not return it. */
  counts: TallyCounts | null
  /** True if our own tally was the same; null if one of both was not known. */
  agrees: boolean | null
  /** The last height at which both were the same by this rule; null if there is none. */
  provedAt: number | null
}

/** Whether our own numbers are known to be wrong: then no power of a pool is known. */
export const isRefuted = (node: NodeTally | undefined): boolean => node?.agrees === false

/** The node's tally in place of our own. One that was the same as ours is older than the facts that ours lacks now. */
export const findReported = (node: NodeTally | undefined): TallyCounts | null =>
  node === undefined || node.agrees ? null : node.counts

/** What a reading has besides ballots. */
export type PoolsReading = Pick<Reading, 'head' | 'pools' | 'hasAllPools'>

export class PoolRegistry {
  readonly #pools = new Map<string, PoolState>()
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

  pool(operatorAddress: string): PoolState | undefined {
    return this.#pools.get(operatorAddress)
  }

  pools(): Iterable<PoolState> {
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

  /** Whether the pools and the rule are known. */
  get hasPrices(): boolean {
    return this.hasAllPools && this.strategy !== undefined && this.strategy !== 'none'
  }

  readBase({ head }: Pick<Reading, 'head'>): void {
    const { params = this.params, bondedTokens = this.bondedTokens } = head
    Object.assign(this, { params, bondedTokens })
  }

  /** Returns the pools that changed. */
  apply({ head, pools, hasAllPools }: PoolsReading): ReadonlySet<string> {
    const { strategy } = this
    const changed = new Set<string>()
    this.rule = readRule(head)
    this.readBase({ head })
    for (const pool of pools) this.#put(pool, changed)
    if (hasAllPools) {
      this.hasAllPools = true
      this.#dropUnlisted(new Set(pools.map((pool) => pool.operatorAddress)), changed)
    }
    return this.strategy === strategy ? changed : new Set(this.#pools.keys())
  }

  #put(pool: PoolState, changed: Set<string>): void {
    const { operatorAddress, accountAddress } = pool
    if (isDeepStrictEqual(this.#pools.get(operatorAddress), pool)) return
    this.#pools.set(operatorAddress, pool)
    this.#operators.set(addressKey(accountAddress), operatorAddress)
    changed.add(operatorAddress)
  }

  /** A pool that the chain deleted is kept without stake for the votes that name it. */
  #dropUnlisted(listed: ReadonlySet<string>, changed: Set<string>): void {
    for (const pool of this.#pools.values()) {
      if (listed.has(pool.operatorAddress)) continue
      this.#put({ ...pool, tokens: '0', delegatorShares: '0', status: 'unbonded' }, changed)
      // Its operator is a voter like any other from now on.
      this.#operators.delete(addressKey(pool.accountAddress))
    }
  }
}
