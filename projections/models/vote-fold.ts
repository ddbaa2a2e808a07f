// One round of one vote, folded ballot by ballot: who voted, which pools appeared in which order, and what
// their delegators took out of them. Holds shares only: prices come from the pool book, when rows are made.

import { parseDecimal } from '../../ingest/contract/decimal.ts'
import type { Delegation, WeightedOption } from '../../ingest/contract/facts.ts'
import { sortedByAddress } from './address-order.ts'
import { later, type Moment } from './moment.ts'
import { addWeighted, type OptionSums, type Weights, weightsOf, zeroSums } from './option-sums.ts'
import type { PoolBook } from './pool-book.ts'

/** A vote as an event or the snapshot tells it. `height` is null where it was cast before the first indexed one. */
export type CastVote = {
  voter: string
  options: readonly WeightedOption[]
  counted: boolean
  height: number | null
  time: string | null
  txHash: string | null
  delegations: readonly Delegation[] | null
}

export type Ballot = CastVote & {
  rank: number
  moment: Moment
  weights: Weights
  /** The pool that this voter operates, as of when the ballot was counted. */
  ownPool: string | undefined
}

export type PoolEntry = {
  readonly rank: number
  readonly operatorAddress: string
  moment: Moment
  /** The operator's own ballot. */
  ownVote: Ballot | undefined
  delegatorBallots: number
  /** Shares (atto) of delegators with a ballot of their own; the operator is not one of them. */
  delegatorShares: bigint
  /** Of those, shares · weight per option, in 1e-36: exact, so that taking a ballot out leaves nothing. */
  weightedShares: OptionSums
}

export type VoteFold = {
  readonly entries: ReadonlyMap<string, PoolEntry>
  readonly ballots: ReadonlyMap<string, Ballot>
  /** Latest event that any number of this round follows. */
  moment: Moment
  /** True while a counted ballot, or whose it is, is unknown: then no power is known. */
  isIncomplete(): boolean
  cast(vote: CastVote, moment: Moment): void
  /** Votes that count, but whose they are or what they say is unknown. */
  castUnknown(moment: Moment): void
  /** True once `castUnknown` was called: then nobody knows how many ballots there are. */
  hasUnknownVotes(): boolean
  /** False where the voter has no ballot here. */
  restake(voter: string, delegations: readonly Delegation[] | null, moment: Moment): boolean
  /**
   * Re-prices the rows of these pools, and finds operators among voters that no pool was known of.
   * False where nothing here depends on them.
   */
  repool(changed: ReadonlyMap<string, Moment>): boolean
  /** Rows to write since the last call. */
  takeDirty(): { entries: PoolEntry[]; ballots: Ballot[] }
}

type State = {
  book: PoolBook
  entries: Map<string, PoolEntry>
  ballots: Map<string, Ballot>
  /** Votes that came after the tally: shown, never counted. */
  uncounted: Map<string, Ballot>
  nextBallotRank: number
  unknownBallots: number
  unknownVoters: number
  moment: Moment
  dirtyEntries: Set<PoolEntry>
  dirtyBallots: Set<Ballot>
}

const touch = (state: State, entry: PoolEntry, moment: Moment): void => {
  entry.moment = later(entry.moment, moment)
  state.moment = later(state.moment, moment)
  state.dirtyEntries.add(entry)
}

/** The entry of a pool, ranked now if this is its first appearance. */
const entryOf = (state: State, operatorAddress: string, moment: Moment): PoolEntry => {
  const known = state.entries.get(operatorAddress)
  if (known) return known
  const entry: PoolEntry = {
    rank: state.entries.size,
    operatorAddress,
    moment,
    ownVote: undefined,
    delegatorBallots: 0,
    delegatorShares: 0n,
    weightedShares: zeroSums(),
  }
  state.entries.set(operatorAddress, entry)
  return entry
}

const setUnknownBallots = (state: State, count: number, moment: Moment): void => {
  const wasIncomplete = state.unknownBallots > 0
  state.unknownBallots = count
  // Every pool's deductions become unknown, or known again, with one voter's.
  if (wasIncomplete === count > 0) return
  for (const entry of state.entries.values()) touch(state, entry, moment)
}

/** Adds (1n) or takes out (-1n) what a ballot moves in the pools it touches. */
const weigh = (state: State, ballot: Ballot, sign: 1n | -1n): void => {
  const { ownPool, delegations, weights } = ballot
  for (const { operatorAddress, shares } of delegations ?? []) {
    if (operatorAddress === ownPool) continue
    const entry = state.entries.get(operatorAddress)
    if (!entry) continue
    const signed = sign * parseDecimal(shares)
    entry.delegatorBallots += Number(sign)
    entry.delegatorShares += signed
    addWeighted(entry.weightedShares, weights, (weight) => signed * weight)
  }
}

const poolsOf = (ballot: Ballot): string[] => {
  const pools = (ballot.delegations ?? []).map(({ operatorAddress }) => operatorAddress)
  const { ownPool } = ballot
  return ownPool === undefined || pools.includes(ownPool) ? pools : [...pools, ownPool]
}

/** Pools that appear for the first time with this ballot are ranked by their address. */
const rankNew = (state: State, pools: readonly string[], moment: Moment): void => {
  const fresh = pools.filter((operatorAddress) => !state.entries.has(operatorAddress))
  if (fresh.length === 0) return
  for (const operatorAddress of sortedByAddress(fresh, (address) => address)) {
    entryOf(state, operatorAddress, moment)
  }
}

const count = (state: State, ballot: Ballot, moment: Moment): void => {
  // Once known it stays known, even where the pools' states are lost for a while.
  ballot.ownPool ??= state.book.operatorOf(ballot.voter)
  const pools = poolsOf(ballot)
  rankNew(state, pools, moment)
  for (const operatorAddress of pools) {
    const entry = entryOf(state, operatorAddress, moment)
    if (operatorAddress === ballot.ownPool) entry.ownVote = ballot
    touch(state, entry, moment)
  }
  weigh(state, ballot, 1n)
  if (ballot.delegations === null) setUnknownBallots(state, state.unknownBallots + 1, moment)
}

const uncount = (state: State, ballot: Ballot, moment: Moment): void => {
  weigh(state, ballot, -1n)
  for (const operatorAddress of poolsOf(ballot)) {
    const entry = state.entries.get(operatorAddress)
    if (!entry) continue
    if (operatorAddress === ballot.ownPool) entry.ownVote = undefined
    touch(state, entry, moment)
  }
  if (ballot.delegations === null) setUnknownBallots(state, state.unknownBallots - 1, moment)
}

const cast = (state: State, vote: CastVote, moment: Moment): void => {
  const ballots = vote.counted ? state.ballots : state.uncounted
  const earlier = ballots.get(vote.voter)
  if (earlier && vote.counted) uncount(state, earlier, moment)
  if (earlier) state.dirtyBallots.delete(earlier)
  const { voter, options, counted, height, time, txHash, delegations } = vote
  const ballot: Ballot = {
    voter,
    options,
    counted,
    height,
    time,
    txHash,
    delegations,
    rank: earlier?.rank ?? state.nextBallotRank++,
    moment,
    weights: weightsOf(options),
    ownPool: earlier?.ownPool,
  }
  ballots.set(vote.voter, ballot)
  state.dirtyBallots.add(ballot)
  state.moment = later(state.moment, moment)
  if (vote.counted) count(state, ballot, moment)
}

const restake = (
  state: State,
  change: { voter: string; delegations: readonly Delegation[] | null },
  moment: Moment,
): boolean => {
  const ballot = state.ballots.get(change.voter)
  if (!ballot) return false
  uncount(state, ballot, moment)
  ballot.delegations = change.delegations
  ballot.moment = later(ballot.moment, moment)
  count(state, ballot, moment)
  state.moment = later(state.moment, moment)
  state.dirtyBallots.add(ballot)
  return true
}

const repool = (state: State, changed: ReadonlyMap<string, Moment>): boolean => {
  let isTouched = false
  for (const [operatorAddress, moment] of changed) {
    const entry = state.entries.get(operatorAddress)
    if (entry) touch(state, entry, moment)
    isTouched ||= entry !== undefined
    const account = state.book.pool(operatorAddress)?.accountAddress
    const ballot = account === undefined ? undefined : state.ballots.get(account)
    if (!ballot || ballot.ownPool === operatorAddress) continue
    uncount(state, ballot, moment)
    count(state, ballot, moment)
    isTouched = true
  }
  return isTouched
}

export const createVoteFold = (book: PoolBook, moment: Moment): VoteFold => {
  const state: State = {
    book,
    entries: new Map(),
    ballots: new Map(),
    uncounted: new Map(),
    nextBallotRank: 0,
    unknownBallots: 0,
    unknownVoters: 0,
    moment,
    dirtyEntries: new Set(),
    dirtyBallots: new Set(),
  }
  return {
    entries: state.entries,
    ballots: state.ballots,
    get moment() {
      return state.moment
    },
    set moment(next) {
      state.moment = later(state.moment, next)
    },
    isIncomplete: () => state.unknownBallots + state.unknownVoters > 0,
    cast: (vote, at) => cast(state, vote, at),
    hasUnknownVotes: () => state.unknownVoters > 0,
    castUnknown(at) {
      state.unknownVoters += 1
      state.moment = later(state.moment, at)
      for (const entry of state.entries.values()) touch(state, entry, at)
    },
    restake: (voter, delegations, at) => restake(state, { voter, delegations }, at),
    repool: (changed) => repool(state, changed),
    takeDirty() {
      const dirty = { entries: [...state.dirtyEntries], ballots: [...state.dirtyBallots] }
      state.dirtyEntries.clear()
      state.dirtyBallots.clear()
      return dirty
    },
  }
}
