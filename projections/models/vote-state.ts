// What is held of one round of one vote while it can change: ballots, pools in the order they appeared.
import type { Delegation, WeightedOption } from '../../ingest/contract/facts.ts'
import type { Weights } from '../../ingest/tally/option-sums.ts'
import type { DelegationTuple, OptionTuple, Timestamp } from '../contract/read-model.ts'
import { sortedByAddress } from './address-order.ts'
import { DelegatorSums } from './delegator-sums.ts'
import type { ExactTally } from './exact-tally.ts'
import { later, type Moment } from './moment.ts'
import type { PoolBook } from './pool-book.ts'

/** A vote as an event or the snapshot tells it. `height` is null where it was cast before the first indexed one. */
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

export type Ballot = CastVote & {
  /** As rows have them. */
  options: readonly OptionTuple[]
  rank: number
  moment: Moment
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
  moment: Moment
  /** The operator's own ballot. */
  ownVote: Ballot | undefined
  /** The operator's delegation to this pool (atto), where the operator has a ballot. */
  ownShares: bigint
  delegatorBallots: number
  /** Delegators with a ballot of their own; the operator is not one of them. */
  readonly delegators: DelegatorSums
}

export type FoldedVote = {
  book: PoolBook
  entries: Map<string, PoolEntry>
  ballots: Map<string, Ballot>
  /** Votes that came after the tally: shown, never counted. */
  uncounted: Map<string, Ballot>
  nextBallotRank: number
  unknownBallots: number
  unknownVoters: number
  moment: Moment
  /** Set once the round was computed again from its evidence: nothing moves it after that. */
  exact: ExactTally | undefined
  dirtyEntries: Set<PoolEntry>
  dirtyBallots: Set<Ballot>
}

export const touch = (state: FoldedVote, entry: PoolEntry, moment: Moment): void => {
  entry.moment = later(entry.moment, moment)
  state.moment = later(state.moment, moment)
  state.dirtyEntries.add(entry)
}

/** The entry of a pool, ranked now if this is its first appearance. */
export const entryOf = (state: FoldedVote, operatorAddress: string, moment: Moment): PoolEntry => {
  const known = state.entries.get(operatorAddress)
  if (known) return known
  const entry: PoolEntry = {
    rank: state.entries.size,
    operatorAddress,
    moment,
    ownVote: undefined,
    ownShares: 0n,
    delegatorBallots: 0,
    delegators: new DelegatorSums(),
  }
  state.entries.set(operatorAddress, entry)
  return entry
}

/** The entries of these pools, in turn; those that appear for the first time are ranked by their address. */
export const rankedEntries = (
  state: FoldedVote,
  pools: readonly string[],
  moment: Moment,
): PoolEntry[] => {
  const known = pools.flatMap((operatorAddress) => state.entries.get(operatorAddress) ?? [])
  if (known.length === pools.length) return known
  const fresh = pools.filter((operatorAddress) => !state.entries.has(operatorAddress))
  for (const operatorAddress of sortedByAddress(fresh, (address) => address)) {
    entryOf(state, operatorAddress, moment)
  }
  return pools.map((operatorAddress) => entryOf(state, operatorAddress, moment))
}
