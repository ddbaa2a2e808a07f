// Recomputes a round's tally from its final reading: every pool's part, every ballot's power. Pure, and in steps, so that other
// work of the process can run in between.
import { addressKey } from '../../ingest/contract/address.ts'
import { isCounted } from '../../ingest/contract/delegation.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { PoolState } from '../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../ingest/contract/round-events.ts'
import { readRule, TALLY_RULES, type TallyRule } from '../../ingest/contract/tally-rule.ts'
import {
  GOVERNOR,
  isFirstAsDelegator,
  startTally,
  type Tally,
  type TallyBallot,
} from '../../ingest/tally/tally.ts'
import type { PricedDelegation } from '../contract/tables/votes.ts'
import { asFoldError, FoldError, foldFailure } from './fold-error.ts'
import type { PoolsReading } from './pool-registry.ts'
import { gatherReadings, type Reading } from './reading.ts'

export type ExactBallot = TallyBallot &
  Pick<ReadBallot, 'cast' | 'metadata'> & {
    /** Sum over the delegations, in atto. */
    power: bigint
    /** The delegations, each with its power. */
    tuples: readonly PricedDelegation[]
  }

export type ExactTally = {
  tally: Tally
  rule: TallyRule
  /** The state of the tally, in the form of a reading of an open vote. */
  state: PoolsReading
  /** Every pool, by operator address. */
  pools: ReadonlyMap<string, PoolState>
  /** The pool that an account operates, by the key of the account. */
  operated: ReadonlyMap<string, string>
  /** Delegators with a ballot, by pool, without its operator. */
  delegatorBallots: ReadonlyMap<string, number>
  ballots: readonly ExactBallot[]
}

/** The tally of a reading, or the reason why there is none. */
export type Recomputed = ExactTally | { problem: string }

/** By the key of the reading. */
export type PreparedTallies = ReadonlyMap<string, Recomputed>

/** Delegations between two pauses: some milliseconds of work. */
const SLICE_DELEGATIONS = 2_000

const toTuples = (ballot: TallyBallot, powers: readonly bigint[]): PricedDelegation[] => {
  const tuples: PricedDelegation[] = []
  for (const [order, { operatorAddress, shares, source }] of ballot.delegations.entries()) {
    if (source === GOVERNOR) continue
    tuples.push({ operatorAddress, shares, votingPower: powers[order] ?? 0n })
  }
  return tuples
}

const sumPowers = (powers: readonly bigint[]): bigint => {
  let sum = 0n
  for (const power of powers) sum += power
  return sum
}

type Counting = { operated: Map<string, string>; delegatorBallots: Map<string, number> }

const countAppearances = (counting: Counting, { voter, delegations }: TallyBallot): void => {
  const { operated, delegatorBallots } = counting
  const ownPool = operated.get(addressKey(voter))
  for (const [order, { operatorAddress }] of delegations.entries()) {
    if (!isFirstAsDelegator(delegations, order, operatorAddress === ownPool)) continue
    delegatorBallots.set(operatorAddress, (delegatorBallots.get(operatorAddress) ?? 0) + 1)
  }
}

/** Why no tally can be computed from a final reading; null if it can. */
function findProblem({ head, problem }: Reading): string | null {
  if (TALLY_RULES[readRule(head)].strategy === 'none') {
    return 'the tally rules of this chain are unknown to Rollcall (strategy none)'
  }
  return problem === null ? null : `the evidence of the tally is incomplete: ${problem}`
}

/**
 * Yields at points where the caller may pause. Requires a complete reading; throws a `FoldError` or `InvalidDecimal` if it cannot
 * be tallied.
 */
function* computeExactTally({ head, pools, ballots }: Reading): Generator<undefined, ExactTally> {
  const rule = readRule(head)
  const { strategy } = TALLY_RULES[rule]
  if (strategy === 'none') throw new FoldError('there are no tally rules')
  const running = startTally(
    pools.map((pool) => ({ pool, counted: isCounted(pool) })),
    strategy,
  )
  const accounts = pools.map(
    ({ accountAddress, operatorAddress }) => [addressKey(accountAddress), operatorAddress] as const,
  )
  const counting = { operated: new Map(accounts), delegatorBallots: new Map<string, number>() }
  const exact: ExactBallot[] = []
  let sinceYield = 0
  for (const { voter, options, delegations, cast, metadata } of ballots) {
    if (!options || !delegations) throw new FoldError(`the vote of ${voter} lacks a part`)
    const ballot = { voter, options, delegations }
    const powers = running.add(ballot)
    const tuples = toTuples(ballot, powers)
    const said = { ...(cast ? { cast } : {}), ...(metadata ? { metadata } : {}) }
    exact.push({ ...ballot, ...said, power: sumPowers(powers), tuples })
    countAppearances(counting, ballot)
    sinceYield += 1 + powers.length
    if (sinceYield < SLICE_DELEGATIONS) continue
    sinceYield = 0
    yield
  }
  return {
    tally: running.finish(),
    rule,
    state: { head, pools, hasAllPools: true },
    pools: new Map(pools.map((pool) => [pool.operatorAddress, pool])),
    ...counting,
    ballots: exact,
  }
}

/** Yields at points where the caller may pause. */
function* recompute(reading: Reading): Generator<undefined, Recomputed> {
  const problem = findProblem(reading)
  if (problem !== null) return { problem }
  try {
    return yield* computeExactTally(reading)
  } catch (caught) {
    const error = asFoldError(caught)
    if (error instanceof FoldError) {
      return { problem: `the evidence cannot be tallied: ${error.message}` }
    }
    const { proposalId, round, at } = reading
    const what = `the evidence of proposal ${proposalId}, round ${round}, at height ${at.height}`
    throw foldFailure(what, error)
  }
}

/** The tally of a final reading. One that is not `prepared` is computed at once. */
export function recomputeTally(
  reading: Reading,
  prepared: PreparedTallies | undefined,
): Recomputed {
  const known = prepared?.get(reading.key)
  if (known) return known
  const steps = recompute(reading)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Computes the tallies of these events in steps, with a `pause` between them, so that other work can run. */
export async function prepareTallies(
  events: Iterable<GovernanceEvent>,
  pause: () => Promise<unknown>,
): Promise<PreparedTallies> {
  const prepared = new Map<string, Recomputed>()
  for (const reading of gatherReadings(events)) {
    // A height that the log repeats has its chunks twice: the fold of the height handles that.
    if (!reading.head.final || reading.problem !== null) continue
    const steps = recompute(reading)
    for (;;) {
      const { done, value } = steps.next()
      if (done) {
        prepared.set(reading.key, value)
        break
      }
      await pause()
    }
  }
  return prepared
}
