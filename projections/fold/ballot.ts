// A voter's ballot, a pool's part in a round, and how a round ends: what a voting round is made of.
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

/** A vote as its event, or the snapshot, has it. `height` is null where it was cast before the first indexed one. */
export type CastVote = {
  voter: string
  options: readonly WeightedOption[]
  counted: boolean
  height: number | null
  /** As rows have it. */
  time: Timestamp | null
  txHash: string | null
  delegations: readonly Delegation[] | null
}

/** A voter's current vote. */
export type Ballot = CastVote & {
  /** As rows have them. */
  options: readonly OptionTuple[]
  rank: number
  at: EventPosition
  weights: Weights
  /** The pool that this voter operates, as of when the ballot was counted. */
  ownPool: string | undefined
  /** As the tally counted it, in atto: of all, and with each delegation. Undefined before the tally. */
  power: string | undefined
  tuples: readonly DelegationTuple[] | undefined
}

export type PoolEntry = {
  readonly rank: number
  readonly operatorAddress: string
  at: EventPosition
  /** The operator's own ballot. */
  ownVote: Ballot | undefined
  /** The operator's delegation to this pool (atto), where the operator has a ballot. */
  ownShares: bigint
  delegatorBallots: number
  /** Delegators with a ballot of their own; the operator is not one of them. */
  readonly delegators: DelegatorSums
}

/** How a round ended. */
export type RoundEnd = {
  /** `tallied` by the chain, or `canceled`: then it tallied nothing and the last live numbers stay. */
  by: 'tallied' | 'canceled'
  chain: TallyCounts | null
  bondedTokens: string | null
  params: GovParams | null
  /** Why any of them is null. */
  unavailableReason: string | null
  /** Truncated totals, recomputed from the evidence; absent where that is not possible. */
  recomputed?: TallyCounts
  /** Why it is not possible. */
  notRecomputed?: string
}

/** Delegations with their shares in atto, in the same order. */
export type Stake = { delegations: readonly Delegation[] | null; shares: readonly bigint[] }

/** A vote whose numbers were read. */
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

/** The pools that a ballot concerns: its delegations' in their order, then its own where it is none of them. */
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
