// Recomputes a round's tally from its evidence: every pool's part, every ballot's power. Pure, and in steps, so that other work
// of the process can run in between.
import { addressKey } from '../../ingest/contract/address.ts'
import { readRule, type TallyRule } from '../../ingest/contract/tally-rule.ts'
import {
  GOVERNOR,
  isFirstAsDelegator,
  startTally,
  type Tally,
  type TallyBallot,
  type TallyPool,
} from '../../ingest/tally/tally.ts'
import type { PricedDelegation } from '../contract/tables/tuples.ts'
import type { Evidence } from './evidence.ts'
import { FoldError } from './fold-error.ts'

export type ExactBallot = TallyBallot & {
  /** Sum over the delegations, in atto. */
  power: bigint
  /** The delegations, each with its power. */
  tuples: readonly PricedDelegation[]
}

export type ExactTally = {
  tally: Tally
  rule: TallyRule
  /** Every pool of the evidence, by operator address. */
  pools: ReadonlyMap<string, TallyPool>
  /** The pool that an account operates, by the key of the account. */
  operated: ReadonlyMap<string, string>
  /** Delegators with a ballot, by pool, without its operator. */
  delegatorBallots: ReadonlyMap<string, number>
  ballots: readonly ExactBallot[]
}

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

/**
 * Yields at points where the caller may pause. Requires complete evidence; throws a `FoldError` or
 * `InvalidDecimal` if it cannot be tallied.
 */
export function* computeExactTally({ chunks }: Evidence): Generator<undefined, ExactTally> {
  const pools = chunks.flatMap((chunk) => chunk.pools)
  const strategy = chunks[0]?.strategy ?? 'inherit'
  if (strategy === 'none') throw new FoldError('there are no tally rules')
  const running = startTally(pools, strategy)
  const counting: Counting = {
    operated: new Map(
      pools.map(({ pool }) => [addressKey(pool.accountAddress), pool.operatorAddress]),
    ),
    delegatorBallots: new Map(),
  }
  const ballots: ExactBallot[] = []
  let sinceYield = 0
  for (const chunk of chunks) {
    for (const ballot of chunk.ballots) {
      const powers = running.add(ballot)
      const { voter, options, delegations } = ballot
      const tuples = toTuples(ballot, powers)
      ballots.push({ voter, options, delegations, power: sumPowers(powers), tuples })
      countAppearances(counting, ballot)
      sinceYield += 1 + powers.length
      if (sinceYield < SLICE_DELEGATIONS) continue
      sinceYield = 0
      yield
    }
  }
  return {
    tally: running.finish(),
    rule: readRule(chunks[0] ?? {}),
    pools: new Map(pools.map((entry) => [entry.pool.operatorAddress, entry])),
    ...counting,
    ballots,
  }
}
