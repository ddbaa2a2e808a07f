// The parts of a voting round: a voter's ballot, a pool's part, and the end of a round.
import { addressKey } from '../../ingest/contract/address.ts'
import type { Delegation } from '../../ingest/contract/delegation.ts'
import type { EventOf } from '../../ingest/contract/events.ts'
import type { TallyCounts, WeightedOption } from '../../ingest/contract/facts.ts'
import type { CastAt } from '../../ingest/contract/round-events.ts'
import { findWholeOption, WHOLE_WEIGHT } from '../../ingest/tally/option-sums.ts'
import type { PricedDelegation } from '../contract/tables/votes.ts'
import { type Timestamp, timestampOrEpoch, toTimestamp } from '../contract/timestamps.ts'
import type { EventPosition } from './event-position.ts'

/** When a vote was cast; all null if only the state has it. */
export type CastPosition = {
  height: number | null
  /** In the format of rows. */
  time: Timestamp | null
  txHash: string | null
  /** Of the transaction. */
  memo: string | null
}

export const UNKNOWN_POSITION: CastPosition = { height: null, time: null, txHash: null, memo: null }

export function toCastPosition({ height, time, txHash, memo }: CastAt): CastPosition {
  return { height, time: toTimestamp(time), txHash, memo: memo ?? null }
}

/** A vote of an event, or of the state. */
export type CastVote = CastPosition & {
  voter: string
  /** In the format of rows. */
  options: readonly WeightedOption[]
  metadata: string | null
  counted: boolean
}

/** A vote with the key of its voter. */
export type ReadVote = { key: string; vote: CastVote }

export function readVote(
  voter: string,
  { options: raw, counted, txHash, reason }: EventOf<'rollcall.vote.cast.v1'>['data'],
  { height, time }: EventPosition,
): ReadVote {
  // One literal, no spreads: this runs once per vote of a backfill.
  const metadata = reason?.metadata ?? null
  const memo = reason?.memo ?? null
  const timestamp = toTimestamp(time)
  const options = toOptionTuples(raw)
  const vote = { voter, options, counted, height, time: timestamp, txHash, metadata, memo }
  return { key: addressKey(voter), vote }
}

/** A voter's current vote. */
export type Ballot = {
  /** Of the voter's address: its identity. */
  readonly key: string
  readonly vote: CastVote
  rank: number
  at: EventPosition
  /** Block times at which the log first has this vote, and any vote of the voter in this round. */
  readonly knownTime: Timestamp
  readonly firstTime: Timestamp
  /** False if an event reports the vote and the state of the chain lacks it: it does not count. */
  inState: boolean
  /** Null if they are unknown. */
  delegations: readonly Delegation[] | null
  /** Why the delegations are null; null if they are known, or not read yet. */
  stakeReason: string | null
  /** Why the delegations do not count; null if they do. */
  impossible: string | null
  /** The pool that this voter operates. */
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
  /** Delegators with their own ballot. */
  delegatorBallots: number
}

/** The end of a round. */
export type RoundEnd = {
  /** `tallied` by the chain, or `canceled`: then there is no tally and the last live numbers stay. */
  by: 'tallied' | 'canceled'
  chain: TallyCounts | null
  /** Why it is null. */
  unavailableReason: string | null
  /** Why the tally cannot be recomputed from the evidence. */
  notRecomputed?: string
}

/** One object for all votes that are not split: they are the largest part of a commit. */
const WHOLE: ReadonlyMap<string, readonly WeightedOption[]> = new Map(
  ['yes', 'abstain', 'no', 'no_with_veto'].map((option) => [
    option,
    [{ option, weight: WHOLE_WEIGHT }],
  ]),
)

/** In the format of rows, without members that have no column. */
export function toOptionTuples(options: readonly WeightedOption[]): readonly WeightedOption[] {
  return (
    WHOLE.get(findWholeOption(options) ?? '') ??
    options.map(({ option, weight }) => ({ option, weight }))
  )
}

/** The stake of its voter is not known yet. `earlier`: the vote that it replaces. */
export function createBallot(
  { key, vote }: ReadVote,
  { rank, at, earlier }: Pick<Ballot, 'rank' | 'at'> & { earlier: Ballot | undefined },
): Ballot {
  const knownTime = timestampOrEpoch(at.time)
  return {
    key,
    vote,
    rank,
    at,
    knownTime,
    firstTime: earlier?.firstTime ?? knownTime,
    inState: true,
    delegations: null,
    stakeReason: null,
    impossible: null,
    ownPool: undefined,
    power: undefined,
    tuples: undefined,
  }
}

/** The pools of a ballot: those of its delegations in order, then its own pool if it is not among them. */
export function listPools({ delegations, ownPool }: Ballot): string[] {
  const pools: string[] = []
  let isOwnAmong = false
  for (const { operatorAddress } of delegations ?? []) {
    pools.push(operatorAddress)
    isOwnAmong ||= operatorAddress === ownPool
  }
  if (ownPool !== undefined && !isOwnAmong) pools.push(ownPool)
  return pools
}
