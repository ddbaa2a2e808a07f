// The parts of a voting round: a voter's ballot, a pool's part, and the end of a round.
import { parseDecimal } from '../../ingest/contract/decimal.ts'
import type {
  Delegation,
  GovParams,
  TallyCounts,
  WeightedOption,
} from '../../ingest/contract/facts.ts'
import { toWeights, type Weights } from '../../ingest/tally/option-sums.ts'
import type { DelegationTuple, OptionTuple, Timestamp } from '../contract/read-model.ts'
import type { DelegatorSums } from './delegator-sums.ts'
import type { EventPosition } from './event-position.ts'

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
}

/** A voter's current vote. */
export type Ballot = CastVote & {
  /** In the format of rows. */
  options: readonly OptionTuple[]
  rank: number
  at: EventPosition
  weights: Weights
  /** The pool that this voter operates, when the ballot was counted. */
  ownPool: string | undefined
  /** As the tally counted it, in atto: the total, and each delegation. Undefined before the tally. */
  power: string | undefined
  tuples: readonly DelegationTuple[] | undefined
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
