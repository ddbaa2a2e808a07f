// The parts of a voting round: a voter's ballot, a pool's part, and the end of a round.
import { parseDecimal } from '../../ingest/contract/decimal.ts'
import { type Delegation, readHolding } from '../../ingest/contract/delegation.ts'
import type { GovParams, TallyCounts, WeightedOption } from '../../ingest/contract/facts.ts'
import { toWeights, type Weights } from '../../ingest/tally/option-sums.ts'
import { GOVERNOR } from '../../ingest/tally/tally.ts'
import type { PricedDelegation } from '../contract/tables/tuples.ts'
import type { Timestamp } from '../contract/timestamps.ts'
import type { DelegatorSums } from './delegator-sums.ts'
import type { EventPosition } from './event-position.ts'
import { GovernedStake } from './governed-stake.ts'

/** A vote from an event or the snapshot. `height` is null if it was cast before the first indexed one. */
export type CastVote = {
  voter: string
  options: readonly WeightedOption[]
  counted: boolean
  height: number | null
  /** In the format of rows. */
  time: Timestamp | null
  txHash: string | null
  delegations: readonly Delegation[] | null
  /** The delegations are null only until a later height. */
  readLater?: boolean | undefined
}

/** A vote in a block before the first indexed height. */
export type DatedVote = Pick<CastVote, 'voter' | 'options' | 'time' | 'txHash'> & { height: number }

/** A voter's current vote. */
export type Ballot = CastVote & {
  /** In the format of rows. */
  options: readonly WeightedOption[]
  rank: number
  at: EventPosition
  weights: Weights
  /** The pool that this voter operates, when the ballot was counted. */
  ownPool: string | undefined
  /** As the tally counted it, in atto: the total, and each delegation. Undefined before the tally. */
  power: bigint | undefined
  tuples: readonly PricedDelegation[] | undefined
}

export type PoolEntry = {
  readonly rank: number
  readonly operatorAddress: string
  at: EventPosition
  /** The operator's own ballot. */
  ownVote: Ballot | undefined
  /** The operator's delegation to this pool (atto), if the operator has a ballot. */
  ownShares: bigint
  delegatorBallots: number
  /** Delegators with their own ballot, without the operator. */
  readonly delegators: DelegatorSums
  /** Only on a chain with governors. */
  governed: GovernedStake | undefined
}

/** The end of a round. */
export type RoundEnd = {
  /** `tallied` by the chain, or `canceled`: then there is no tally and the last live numbers stay. */
  by: 'tallied' | 'canceled'
  chain: TallyCounts | null
  bondedTokens: string | null
  params: GovParams | null
  /** Why any of them is null. */
  unavailableReason: string | null
  /** Truncated totals, recomputed from the evidence; absent if that is not possible. */
  recomputed?: TallyCounts
  /** Why it is not possible. */
  notRecomputed?: string
}

/** Delegations with their shares in atto, in the same order. */
export type Stake = { delegations: readonly Delegation[] | null; shares: readonly bigint[] }

/** A vote with parsed numbers. */
export type ReadVote = { vote: CastVote; weights: Weights; stake: Stake }

/** A ballot whose vote was never indexed: only the evidence of the tally has it. */
export const unindexedBallot = (
  voter: string,
  { rank, at }: Pick<Ballot, 'rank' | 'at'>,
): Ballot => ({
  voter,
  options: [],
  counted: true,
  height: null,
  time: null,
  txHash: null,
  delegations: null,
  rank,
  at,
  weights: [],
  ownPool: undefined,
  power: undefined,
  tuples: undefined,
})

/** Throws `InvalidDecimal`. */
export const readStake = (delegations: readonly Delegation[] | null): Stake => ({
  delegations,
  shares: delegations === null ? [] : delegations.map(({ shares }) => parseDecimal(shares)),
})

/** Throws `InvalidDecimal`. */
export const readVote = (vote: CastVote): ReadVote => ({
  vote,
  weights: toWeights(vote.options),
  stake: readStake(vote.delegations),
})

/** The pools of a ballot: those of its delegations in order, then its own pool if it is not among them. */
export const listPools = ({ delegations, ownPool }: Ballot): string[] => {
  const pools: string[] = []
  let isOwnAmong = false
  for (const { operatorAddress } of delegations ?? []) {
    pools.push(operatorAddress)
    isOwnAmong ||= operatorAddress === ownPool
  }
  if (ownPool !== undefined && !isOwnAmong) pools.push(ownPool)
  return pools
}

type StakePart = { delegation: Delegation; shares: bigint }

/** Adds one delegation of a ballot to the part of its pool. Throws `InvalidDecimal`. */
export const addStake = (entry: PoolEntry, ballot: Ballot, part: StakePart): void => {
  const { shares } = part
  const { source, heir } = part.delegation
  if (source === GOVERNOR || heir !== undefined) {
    entry.governed ??= new GovernedStake()
    entry.governed.add(ballot, part)
  }
  if (source === GOVERNOR) return
  if (source !== undefined) entry.delegators.addInModule(ballot, readHolding(part.delegation))
  else if (entry.operatorAddress === ballot.ownPool) entry.ownShares += shares
  else entry.delegators.add(ballot, shares)
}
