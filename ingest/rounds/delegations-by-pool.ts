// Reads the delegations of many voters by pool where that takes fewer reads than by voter. On a chain with many pools, delegations to
// those that do not count are then left out: they have no power in the tally.
import pLimit from 'p-limit'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { type Answer, isKnown, known, reasonOrNull, unavailable } from '../chain/answer.ts'
import { isUnknownMethod } from '../chain/query.ts'
import { type PoolDelegation, poolDelegationsAt } from '../chain/staking.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { StateNode } from '../heights/height-state.ts'

/** A node that refuses a page is asked for shorter ones. */
const PAGE_SIZES = [5_000, 1_000, 100] as const
/** Estimated pages of a pool: most pools of a large chain have one, some have twenty. */
const PAGES_PER_POOL = 2
/** So many times the reads by voter, and the pools are given up. */
const MAX_COST = 2
const POOLS_UNDER_WAY = 8
/** How long the first pool may take at least, and at most. */
const PATIENCE_MS = { least: 2_000, most: 60_000 }

type Delegations = Awaited<ReturnType<StateAt['delegations']>>
type Stakes = Map<string, { operatorAddress: string; shares: string }[]>

export type PoolReads = {
  node: StateNode
  voters: ReadonlySet<string>
  /** Voters whose delegations will be read from this state in any case. */
  expected: number
  /** Operators of the pools to read: at least every pool that may count. */
  pools(): Promise<Answer<readonly string[]>>
  /** By default two seconds. */
  leastPatienceMs?: number
  signal: AbortSignal
}

/** `undefined`: the node cannot return delegations by pool, or they would cost too much. */
type Whole = Answer<Stakes> | undefined

/** Ends the pages of all pools. */
const tooManyPages = new Error('the pools have too many pages')

const asFailure = (error: unknown): Answer<never> => {
  if (error === tooManyPages) throw error
  if (hasCode(error, 'ABORTED') || !(error instanceof AppError)) throw error
  return unavailable(error.message)
}

const isPruned = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && answer.failure?.kind === 'pruned'

/** Reads one pool, with shorter pages for it and all later pools after a failure. */
const createPoolReader = (
  { node, voters }: PoolReads,
  { height, onPage }: { height: number; onPage: () => void },
) => {
  let size = 0
  return async (operatorAddress: string): Promise<Answer<PoolDelegation[]>> => {
    for (;;) {
      const asked = size
      const request = {
        height,
        maxItems: PAGE_SIZES[asked]!,
        keeps: (delegator: string) => voters.has(delegator),
        onPage,
      }
      const answer = await poolDelegationsAt(node, operatorAddress, request).catch(asFailure)
      if (isKnown(answer) || isPruned(answer) || isUnknownMethod(answer)) return answer
      if (size === asked) size += 1
      if (size >= PAGE_SIZES.length) return answer
    }
  }
}

type Reading = {
  height: number
  pools: readonly string[]
  maxPages: number
  /** Limit of the first pool. */
  patienceMs: number
}

const readPools = async (
  reads: PoolReads,
  { height, pools, maxPages, patienceMs }: Reading,
): Promise<Whole> => {
  let pages = 0
  const onPage = () => {
    pages += 1
    if (pages > maxPages) throw tooManyPages
  }
  const readPool = createPoolReader(reads, { height, onPage })
  const found: Stakes = new Map()
  let failed: Answer<unknown> | undefined
  const limit = pLimit(POOLS_UNDER_WAY)
  const readOne = async (operatorAddress: string) => {
    if (failed) return
    const answer = await readPool(operatorAddress)
    if (!isKnown(answer)) {
      failed ??= answer
      return
    }
    for (const { delegator, shares } of answer.value) {
      const delegations = found.get(delegator) ?? []
      delegations.push({ operatorAddress, shares })
      found.set(delegator, delegations)
    }
  }
  const [first = '', ...others] = pools
  await withDeadline(patienceMs, reads.signal, () => readOne(first))
  await Promise.all(others.map((pool) => limit(() => readOne(pool))))
  if (failed) return isPruned(failed) ? unavailable(reasonOrNull(failed) ?? '') : undefined
  for (const delegations of found.values()) {
    delegations.sort((one, other) => (one.operatorAddress < other.operatorAddress ? -1 : 1))
  }
  return known(found)
}

const readWhole = async (reads: PoolReads, reading: Reading): Promise<Whole> => {
  try {
    return await readPools(reads, reading)
  } catch (error) {
    if (error !== tooManyPages && !hasCode(error, 'DEADLINE_EXCEEDED')) throw error
    return undefined
  }
}

/**
 * Before SDK 0.50 a node walks all delegations of the chain for each page of a pool. The first pool may take as long as its
 * share of the reads by voter.
 */
const measurePatience = async (
  state: StateAt,
  { voters, leastPatienceMs = PATIENCE_MS.least }: PoolReads,
  { reads, pools }: { reads: number; pools: number },
): Promise<number> => {
  const [voter = ''] = voters
  const startedMs = performance.now()
  await state.delegations(voter)
  const share = ((performance.now() - startedMs) * reads) / pools
  return Math.min(Math.max(share, leastPatienceMs), PATIENCE_MS.most)
}

/** The same state. Once enough voters are asked for, their delegations are read by pool, all at once. */
export const withDelegationsByPool = (state: StateAt, reads: PoolReads): StateAt => {
  const { voters, expected } = reads
  const asked = new Set<string>()
  let whole: Promise<Whole> | undefined
  const isWorthIt = (pools: readonly string[]) =>
    pools.length > 0 && Math.max(expected, asked.size) > pools.length * PAGES_PER_POOL
  const start = async (pools: readonly string[]): Promise<Whole> => {
    const byVoter = Math.max(expected, asked.size)
    const costs = { reads: byVoter, pools: pools.length }
    const patienceMs = await measurePatience(state, reads, costs)
    const maxPages = MAX_COST * byVoter
    return await readWhole(reads, { height: state.height, pools, maxPages, patienceMs })
  }
  const byPool = async (voter: string): Promise<Delegations | undefined> => {
    const pools = await reads.pools()
    if (!whole && isKnown(pools) && isWorthIt(pools.value)) whole = start(pools.value)
    const found = await whole
    if (!found) return undefined
    return isKnown(found) ? known(found.value.get(voter) ?? []) : found
  }
  return {
    ...state,
    delegations: async (voter) => {
      asked.add(voter)
      const found = voters.has(voter) ? await byPool(voter) : undefined
      return found ? await state.stakeOf(voter, found) : await state.delegations(voter)
    },
  }
}
