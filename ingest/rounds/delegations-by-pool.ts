// Reads the delegations of many voters by pool where that takes fewer reads than by voter. On a chain with many pools, delegations to
// those that do not count are then left out: they have no power in the tally.
import pLimit from 'p-limit'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { type Answer, isKnown, known, reasonOrNull, unavailable } from '../chain/answer.ts'
import { poolDelegationsAt } from '../chain/staking.ts'
import type { PoolState } from '../contract/facts.ts'
import type { ChainStates } from '../heights/height-state.ts'
import { isBonded } from '../tally/counted-pools.ts'

const PAGE_SIZE = 5_000
/** Estimated pages of a pool: most pools of a large chain have one, some have twenty. */
const PAGES_PER_POOL = 2
/** So many times the reads by voter, and the pools are given up. */
const MAX_COST = 2
const POOLS_UNDER_WAY = 8
/** Before SDK 0.50 a node walks all delegations of the chain for each page of a pool: then the first one takes longer. */
const PATIENCE_MS = 20_000

type Stakes = Map<string, { operatorAddress: string; shares: string }[]>

export type PoolReads = {
  voters: ReadonlySet<string>
  /** How long the first pool may take. */
  patienceMs?: number
  signal: AbortSignal
}

/** Ends the pages of all pools. */
const tooManyPages = new Error('the pools have too many pages')

const asFailure = (error: unknown): Answer<never> => {
  if (hasCode(error, 'ABORTED') || !(error instanceof AppError)) throw error
  return unavailable(error.message)
}

const isPruned = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && answer.failure?.kind === 'pruned'

/** `undefined`: the node cannot return delegations by pool, or they would cost too much. */
async function readPools(
  { node, after: { height } }: ChainStates,
  pools: readonly string[],
  { voters, patienceMs = PATIENCE_MS, signal }: PoolReads,
): Promise<Answer<Stakes> | undefined> {
  let left = MAX_COST * voters.size
  const onPage = () => {
    left -= 1
    if (left < 0) throw tooManyPages
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
  try {
    await withDeadline(patienceMs, signal, () => readOne(first))
    await Promise.all(others.map((pool) => limit(() => readOne(pool))))
  } catch (error) {
    if (error !== tooManyPages && !hasCode(error, 'DEADLINE_EXCEEDED')) throw error
    return undefined
  }
  if (failed) return isPruned(failed) ? unavailable(reasonOrNull(failed) ?? '') : undefined
  for (const delegations of found.values()) {
    delegations.sort((one, other) => (one.operatorAddress < other.operatorAddress ? -1 : 1))
  }
  return known(found)
}

/** On a chain with more pools only those that may count are read: the others have no power, and cost a request each. */
const MANY_POOLS = 250

const hasStake = ({ delegatorShares }: PoolState): boolean => /[1-9]/.test(delegatorShares)

/** Pools whose delegations are read. A tally inside the block counts pools that are bonded before or after it. */
async function listPools({ before, after }: ChainStates): Promise<string[]> {
  const [was, is] = await Promise.all([before.pools(), after.pools()])
  if (!isKnown(was) || !isKnown(is)) return []
  const listed = (isListed: (pool: PoolState) => boolean) => {
    const pools = [...was.value, ...is.value].filter(isListed)
    return [...new Set(pools.map(({ operatorAddress }) => operatorAddress))].sort()
  }
  const all = listed(hasStake)
  return all.length > MANY_POOLS ? listed(isBonded) : all
}

/** The states around the end of a round. Delegations before the block are those of few voters. */
export function readVotersByPool(states: ChainStates, reads: PoolReads): ChainStates {
  const { after } = states
  const { voters } = reads
  const readWhole = async () => {
    const pools = await listPools(states)
    const isWorthIt = pools.length > 0 && voters.size > pools.length * PAGES_PER_POOL
    return isWorthIt ? await readPools(states, pools, reads) : undefined
  }
  let whole: ReturnType<typeof readWhole> | undefined
  const delegations = async (voter: string) => {
    whole ??= readWhole()
    const found = voters.has(voter) ? await whole : undefined
    if (!found) return await after.delegations(voter)
    const own = isKnown(found) ? known(found.value.get(voter) ?? []) : found
    return await after.stakeOf(voter, own)
  }
  return { ...states, after: { ...after, delegations } }
}
