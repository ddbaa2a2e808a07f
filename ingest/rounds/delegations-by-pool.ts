// Reads the delegations of many voters by pool where that takes fewer reads than by voter. On a chain with many pools, delegations to
// those that do not count are then left out: they have no power in the tally.
import pLimit from 'p-limit'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { type Answer, isKnown, known, reasonOrNull, unavailable } from '../chain/answer.ts'
import { poolDelegationsAt } from '../chain/staking.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { PoolState } from '../contract/facts.ts'
import type { ChainStates, StateNode } from '../heights/height-state.ts'
import { isBonded } from '../tally/counted-pools.ts'

const PAGE_SIZE = 5_000
/** Estimated pages of a pool: most pools of a large chain have one, some have twenty. */
const PAGES_PER_POOL = 2
/** So many times the reads by voter, and the pools are given up. */
const MAX_COST = 2
const POOLS_UNDER_WAY = 8
/** Before SDK 0.50 a node walks all delegations of the chain for each page of a pool: then the first one takes longer. */
const PATIENCE_MS = 20_000

type Delegations = Awaited<ReturnType<StateAt['delegations']>>
type Stakes = Map<string, { operatorAddress: string; shares: string }[]>

export type PoolReads = {
  node: StateNode
  voters: ReadonlySet<string>
  /** Voters whose delegations will be read from this state in any case. */
  expected: number
  /** Operators of the pools to read: at least every pool that may count. */
  pools(): Promise<Answer<readonly string[]>>
  /** How long the first pool may take. */
  patienceMs?: number
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

type Reading = { height: number; pools: readonly string[]; maxPages: number }

const readPools = async (
  { node, voters, patienceMs = PATIENCE_MS, signal }: PoolReads,
  { height, pools, maxPages }: Reading,
): Promise<Whole> => {
  let pages = 0
  const onPage = () => {
    pages += 1
    if (pages > maxPages) throw tooManyPages
  }
  const keeps = (delegator: string) => voters.has(delegator)
  const request = { height, maxItems: PAGE_SIZE, keeps, onPage }
  const found: Stakes = new Map()
  let failed: Answer<unknown> | undefined
  const limit = pLimit(POOLS_UNDER_WAY)
  const readOne = async (operatorAddress: string) => {
    if (failed) return
    const answer = await poolDelegationsAt(node, operatorAddress, request).catch(asFailure)
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
  await withDeadline(patienceMs, signal, () => readOne(first))
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

/** The same state. Once enough voters are asked for, their delegations are read by pool, all at once. */
export const withDelegationsByPool = (state: StateAt, reads: PoolReads): StateAt => {
  const { voters, expected } = reads
  const asked = new Set<string>()
  let whole: Promise<Whole> | undefined
  const isWorthIt = (pools: readonly string[]) =>
    pools.length > 0 && Math.max(expected, asked.size) > pools.length * PAGES_PER_POOL
  const byPool = async (voter: string): Promise<Delegations | undefined> => {
    const pools = await reads.pools()
    if (!whole && isKnown(pools) && isWorthIt(pools.value)) {
      const maxPages = MAX_COST * Math.max(expected, asked.size)
      whole = readWhole(reads, { height: state.height, pools: pools.value, maxPages })
    }
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

/** On a chain with more pools only those that may count are read: the others have no power, and cost a request each. */
const MANY_POOLS = 250

const hasStake = ({ delegatorShares }: PoolState): boolean => /[1-9]/.test(delegatorShares)

/** Pools whose delegations are read. A tally inside the block counts pools that are bonded before or after it. */
async function listPools({ before, after }: ChainStates): Promise<Answer<string[]>> {
  const [was, is] = await Promise.all([before.pools(), after.pools()])
  if (!isKnown(was)) return was
  if (!isKnown(is)) return is
  const listed = (isListed: (pool: PoolState) => boolean) => {
    const pools = [...was.value, ...is.value].filter(isListed)
    return [...new Set(pools.map(({ operatorAddress }) => operatorAddress))].sort()
  }
  const all = listed(hasStake)
  return known(all.length > MANY_POOLS ? listed(isBonded) : all)
}

/** The states around the end of a round, of whose voters nothing is known. */
export function readVotersByPool<States extends ChainStates>(
  states: States,
  { node, voters, signal }: Pick<PoolReads, 'node' | 'voters' | 'signal'>,
): States {
  const reads = { node, voters, pools: () => listPools(states), signal }
  return {
    ...states,
    after: withDelegationsByPool(states.after, { ...reads, expected: voters.size }),
    // Delegations before the block are those of few voters.
    before: withDelegationsByPool(states.before, { ...reads, expected: 0 }),
  }
}
