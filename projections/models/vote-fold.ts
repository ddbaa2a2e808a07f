// One round of one vote, folded ballot by ballot: who voted, which pools appeared in which order, and what
// their delegators took out of them. Holds shares only: prices come from the pool book, when rows are made.

import { parseDecimal } from '../../ingest/contract/decimal.ts'
import type { Delegation } from '../../ingest/contract/facts.ts'
import { weightsOf } from '../../ingest/tally/option-sums.ts'
import { adoptEvidence } from './adopt-evidence.ts'
import type { ExactTally } from './exact-tally.ts'
import { later, type Moment } from './moment.ts'
import { optionTuples } from './option-tuples.ts'
import type { PoolBook } from './pool-book.ts'
import {
  type Ballot,
  type CastVote,
  type FoldedVote,
  type PoolEntry,
  rankedEntries,
  touch,
} from './vote-state.ts'

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
  /** Takes the evidence of the tally, and what it adds up to, for the last word on this round. */
  adopt(exact: ExactTally, moment: Moment): void
  readonly exact: ExactTally | undefined
  /** Rows to write since the last call. */
  takeDirty(): { entries: PoolEntry[]; ballots: Ballot[] }
}

const setUnknownBallots = (state: FoldedVote, count: number, moment: Moment): void => {
  const wasIncomplete = state.unknownBallots > 0
  state.unknownBallots = count
  // Every pool's deductions become unknown, or known again, with one voter's.
  if (wasIncomplete === count > 0) return
  for (const entry of state.entries.values()) touch(state, entry, moment)
}

/** The pools that a ballot touches: its delegations' in their order, then its own where it is none of them. */
const poolsOf = ({ delegations, ownPool }: Ballot): string[] => {
  const pools: string[] = []
  let isOwnAmong = false
  for (const { operatorAddress } of delegations ?? []) {
    pools.push(operatorAddress)
    isOwnAmong ||= operatorAddress === ownPool
  }
  if (ownPool !== undefined && !isOwnAmong) pools.push(ownPool)
  return pools
}

/** Adds a ballot's delegations to the pools they are in; `entries` are those pools'. */
const addDelegations = (ballot: Ballot, entries: readonly PoolEntry[]): void => {
  const { ownPool, delegations } = ballot
  for (const [at, { operatorAddress, shares }] of (delegations ?? []).entries()) {
    const entry = entries[at]
    if (!entry) continue
    if (operatorAddress === ownPool) entry.ownShares += parseDecimal(shares)
    else entry.delegators.add(ballot, parseDecimal(shares))
    entry.delegatorBallots = entry.delegators.ballots
  }
}

const count = (state: FoldedVote, ballot: Ballot, moment: Moment): void => {
  // Once known it stays known, even where the pools' states are lost for a while.
  ballot.ownPool ??= state.book.operatorOf(ballot.voter)
  const entries = rankedEntries(state, poolsOf(ballot), moment)
  for (const entry of entries) {
    if (entry.operatorAddress === ballot.ownPool) {
      entry.ownVote = ballot
      entry.ownShares = 0n
    }
    touch(state, entry, moment)
  }
  addDelegations(ballot, entries)
  if (ballot.delegations === null) setUnknownBallots(state, state.unknownBallots + 1, moment)
}

/** Only for a ballot that was counted: its pools are ranked. */
const uncount = (state: FoldedVote, ballot: Ballot, moment: Moment): void => {
  const entries = rankedEntries(state, poolsOf(ballot), moment)
  for (const entry of entries) {
    if (entry.operatorAddress === ballot.ownPool) {
      entry.ownVote = undefined
      entry.ownShares = 0n
    }
    entry.delegators.remove(ballot)
    entry.delegatorBallots = entry.delegators.ballots
    touch(state, entry, moment)
  }
  if (ballot.delegations === null) setUnknownBallots(state, state.unknownBallots - 1, moment)
}

const cast = (state: FoldedVote, vote: CastVote, moment: Moment): void => {
  const ballots = vote.counted ? state.ballots : state.uncounted
  const earlier = ballots.get(vote.voter)
  if (earlier && vote.counted) uncount(state, earlier, moment)
  if (earlier) state.dirtyBallots.delete(earlier)
  const { voter, options, counted, height, time, txHash, delegations } = vote
  const ballot: Ballot = {
    voter,
    options: optionTuples(options),
    counted,
    height,
    time,
    txHash,
    delegations,
    rank: earlier?.rank ?? state.nextBallotRank++,
    moment,
    weights: weightsOf(options),
    ownPool: earlier?.ownPool,
    power: undefined,
    tuples: undefined,
  }
  ballots.set(vote.voter, ballot)
  state.dirtyBallots.add(ballot)
  state.moment = later(state.moment, moment)
  if (vote.counted) count(state, ballot, moment)
}

const restake = (
  state: FoldedVote,
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

const repool = (state: FoldedVote, changed: ReadonlyMap<string, Moment>): boolean => {
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
  const state: FoldedVote = {
    book,
    entries: new Map(),
    ballots: new Map(),
    uncounted: new Map(),
    nextBallotRank: 0,
    unknownBallots: 0,
    unknownVoters: 0,
    moment,
    exact: undefined,
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
    adopt: (exact, at) => adoptEvidence(state, exact, at),
    get exact() {
      return state.exact
    },
    takeDirty() {
      const dirty = { entries: [...state.dirtyEntries], ballots: [...state.dirtyBallots] }
      state.dirtyEntries.clear()
      state.dirtyBallots.clear()
      return dirty
    },
  }
}
