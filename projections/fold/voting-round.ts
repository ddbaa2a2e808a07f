// Folds one round of one vote, ballot by ballot: voters, the order of pools, and delegators who vote themselves. Keeps only
// shares: prices come from the pool registry when rows are created. The only mutable part of the fold, because a round may have a
// million ballots.
import { addressKey } from '../../ingest/contract/address.ts'
import type { ProposalKind } from '../../ingest/contract/gov-type.ts'
import { sameOptions } from '../../ingest/contract/same-options.ts'
import type { TallyRow } from '../contract/tables/tallies.ts'
import { sortedByAddress } from './address-order.ts'
import {
  addStake,
  type Ballot,
  type DatedVote,
  listPools,
  type PoolEntry,
  type ReadVote,
  type RoundEnd,
  readStake,
  type Stake,
  unindexedBallot,
} from './ballot.ts'
import { DelegatorSums } from './delegator-sums.ts'
import { type EventPosition, later } from './event-position.ts'
import type { ExactBallot, ExactTally } from './exact-tally.ts'
import type { NodeTally } from './node-tally.ts'
import { optionTuples } from './option-tuples.ts'
import type { PoolRegistry } from './pool-registry.ts'

export class VotingRound {
  readonly proposalId: string
  readonly round: number
  /** The pools that the round is priced with. */
  readonly registry: PoolRegistry
  isExpedited: boolean
  kinds: readonly ProposalKind[]
  end: RoundEnd | undefined
  /** The last tally of the node, during the vote. */
  node: NodeTally | undefined
  /** Its row at its end: priced with the pools of that height. */
  endedRow: TallyRow | undefined
  /** The last alert about impossible numbers: it is not repeated for the same problem. */
  reportedProblem: string | undefined
  readonly #entries = new Map<string, PoolEntry>()
  readonly #ballots = new Map<string, Ballot>()
  /** Votes after the tally: served, never counted. */
  readonly #uncounted = new Map<string, Ballot>()
  readonly #changedEntries = new Set<PoolEntry>()
  readonly #changedBallots = new Set<Ballot>()
  #nextRank = 0
  /** Counted ballots with unknown delegations. */
  #withoutDelegations = 0
  /** Some counted votes are missing: the number of ballots is unknown too. */
  hasUnknownVotes = false
  #at: EventPosition
  #exact: ExactTally | undefined

  constructor(
    of: Pick<VotingRound, 'proposalId' | 'round' | 'isExpedited' | 'kinds'>,
    registry: PoolRegistry,
    at: EventPosition,
  ) {
    this.proposalId = of.proposalId
    this.round = of.round
    this.isExpedited = of.isExpedited
    this.kinds = of.kinds
    this.registry = registry
    this.#at = at
  }

  get entries(): ReadonlyMap<string, Readonly<PoolEntry>> {
    return this.#entries
  }

  get ballots(): ReadonlyMap<string, Readonly<Ballot>> {
    return this.#ballots
  }

  /** Position of the latest event that affects a number of this round. */
  get at(): EventPosition {
    return this.#at
  }

  /** Set once the tally was recomputed from its evidence: it is final then. */
  get exact(): ExactTally | undefined {
    return this.#exact
  }

  /** A counted ballot, or its delegations, is unknown: then no power is known. */
  get isIncomplete(): boolean {
    return this.hasUnknownVotes || this.#withoutDelegations > 0
  }

  advanceTo(at: EventPosition): void {
    this.#at = later(this.#at, at)
  }

  cast({ vote, weights, stake }: ReadVote, at: EventPosition): void {
    const ballots = vote.counted ? this.#ballots : this.#uncounted
    const earlier = ballots.get(vote.voter)
    if (earlier && vote.counted) this.#uncount(earlier, at)
    if (earlier) this.#changedBallots.delete(earlier)
    const { voter, options, counted, height, time, txHash, delegations, readLater } = vote
    // One literal, no spreads: this runs once per vote of a backfill.
    const ballot: Ballot = {
      voter,
      options: optionTuples(options),
      counted,
      height,
      time,
      txHash,
      delegations,
      readLater,
      rank: earlier?.rank ?? this.#nextRank++,
      at,
      weights,
      ownPool: earlier?.ownPool,
      power: undefined,
      tuples: undefined,
    }
    ballots.set(voter, ballot)
    this.#changedBallots.add(ballot)
    this.advanceTo(at)
    if (counted) this.#count(ballot, stake.shares, at)
  }

  /** Fills in when a ballot of the snapshot was cast. False if its voter has another ballot now, or none. */
  date({ voter, options, height, time, txHash }: DatedVote, at: EventPosition): boolean {
    const ballot = this.#ballots.get(voter)
    if (!ballot || ballot.height !== null || !sameOptions(ballot.options, options)) return false
    Object.assign(ballot, { height, time, txHash, at: later(ballot.at, at) })
    this.#changedBallots.add(ballot)
    if (ballot.ownPool !== undefined) this.#markEntry(this.#ensureEntry(ballot.ownPool, at), at)
    return true
  }

  /** Votes that count, but with an unknown voter or option. */
  castUnknown(at: EventPosition): void {
    this.hasUnknownVotes = true
    this.advanceTo(at)
    this.markAllEntries(at)
  }

  /** False if the voter has no ballot here. */
  replaceDelegations(voter: string, { delegations, shares }: Stake, at: EventPosition): boolean {
    const ballot = this.#ballots.get(voter)
    if (!ballot) return false
    this.#uncount(ballot, at)
    Object.assign(ballot, { delegations, readLater: false })
    ballot.at = later(ballot.at, at)
    this.#count(ballot, shares, at)
    this.advanceTo(at)
    this.#changedBallots.add(ballot)
    return true
  }

  /**
   * Marks the rows of these pools as changed, and finds operators among voters without a known pool. False if
   * nothing here depends on them.
   */
  repriceChangedPools(changed: ReadonlyMap<string, EventPosition>): boolean {
    let isAffected = false
    for (const [operatorAddress, at] of changed) {
      const entry = this.#entries.get(operatorAddress)
      if (entry) this.#markEntry(entry, at)
      isAffected ||= entry !== undefined
      const account = this.registry.pool(operatorAddress)?.accountAddress
      const ballot = account === undefined ? undefined : this.#ballots.get(account)
      if (!ballot || ballot.ownPool === operatorAddress) continue
      this.#uncount(ballot, at)
      this.#count(ballot, readStake(ballot.delegations).shares, at)
      isAffected = true
    }
    return isAffected
  }

  /**
   * Replaces the folded data with the evidence of the tally: ballots, stake, and votes of pools. Ranks stay;
   * new entries from the evidence are ranked last. Requires complete evidence.
   */
  applyRecomputedTally(exact: ExactTally, at: EventPosition): void {
    const { operated, delegatorBallots } = exact
    this.#exact = exact
    this.advanceTo(at)
    this.#withoutDelegations = 0
    this.hasUnknownVotes = false
    const ownVotes = new Map<string, Ballot>()
    for (const tallied of exact.ballots) {
      const ballot = this.#replaceBallot(tallied, at)
      ballot.ownPool = operated.get(addressKey(tallied.voter))
      if (ballot.ownPool !== undefined) ownVotes.set(ballot.ownPool, ballot)
    }
    this.#rankEntries([...new Set([...ownVotes.keys(), ...delegatorBallots.keys()])], at)
    for (const entry of this.#entries.values()) {
      entry.ownVote = ownVotes.get(entry.operatorAddress)
      entry.delegatorBallots = delegatorBallots.get(entry.operatorAddress) ?? 0
      this.#markEntry(entry, at)
    }
  }

  /** The changes since the last call. */
  takeChanges(): { entries: Readonly<PoolEntry>[]; ballots: Readonly<Ballot>[] } {
    const changes = { entries: [...this.#changedEntries], ballots: [...this.#changedBallots] }
    this.#changedEntries.clear()
    this.#changedBallots.clear()
    return changes
  }

  /** `shares` are the shares of the ballot's delegations, in order. */
  #count(ballot: Ballot, shares: readonly bigint[], at: EventPosition): void {
    // Stays known even if the pools' states are missing for a while.
    ballot.ownPool ??= this.registry.findOperator(ballot.voter)
    const entries = this.#rankEntries(listPools(ballot), at)
    for (const entry of entries) {
      if (entry.operatorAddress === ballot.ownPool) {
        entry.ownVote = ballot
        entry.ownShares = 0n
      }
      this.#markEntry(entry, at)
    }
    for (const [order, amount] of shares.entries()) {
      const [entry, delegation] = [entries[order], ballot.delegations?.[order]]
      if (!entry || !delegation) continue
      addStake(entry, ballot, { delegation, shares: amount })
      entry.delegatorBallots = entry.delegators.ballots
    }
    if (ballot.delegations === null) this.#setWithoutDelegations(this.#withoutDelegations + 1, at)
  }

  /** Only for a counted ballot: its pools are ranked. */
  #uncount(ballot: Ballot, at: EventPosition): void {
    for (const entry of this.#rankEntries(listPools(ballot), at)) {
      if (entry.operatorAddress === ballot.ownPool) {
        entry.ownVote = undefined
        entry.ownShares = 0n
      }
      entry.delegators.remove(ballot)
      entry.governed?.remove(ballot)
      entry.delegatorBallots = entry.delegators.ballots
      this.#markEntry(entry, at)
    }
    if (ballot.delegations === null) this.#setWithoutDelegations(this.#withoutDelegations - 1, at)
  }

  #setWithoutDelegations(count: number, at: EventPosition): void {
    const wasIncomplete = this.#withoutDelegations > 0
    this.#withoutDelegations = count
    // The deductions of every pool become unknown, or known again, with one voter's.
    if (wasIncomplete !== count > 0) this.markAllEntries(at)
  }

  #markEntry(entry: PoolEntry, at: EventPosition): void {
    entry.at = later(entry.at, at)
    this.advanceTo(at)
    this.#changedEntries.add(entry)
  }

  markAllEntries(at: EventPosition): void {
    for (const entry of this.#entries.values()) this.#markEntry(entry, at)
  }

  /** The entries of these pools, in order; new pools are ranked by address. */
  #rankEntries(pools: readonly string[], at: EventPosition): PoolEntry[] {
    const fresh = pools.filter((operatorAddress) => !this.#entries.has(operatorAddress))
    for (const operatorAddress of sortedByAddress(fresh, (address) => address)) {
      this.#ensureEntry(operatorAddress, at)
    }
    return pools.map((operatorAddress) => this.#ensureEntry(operatorAddress, at))
  }

  #ensureEntry(operatorAddress: string, at: EventPosition): PoolEntry {
    const known = this.#entries.get(operatorAddress)
    if (known) return known
    const entry: PoolEntry = {
      rank: this.#entries.size,
      operatorAddress,
      at,
      ownVote: undefined,
      ownShares: 0n,
      delegatorBallots: 0,
      delegators: new DelegatorSums(),
      governed: undefined,
    }
    this.#entries.set(operatorAddress, entry)
    return entry
  }

  #replaceBallot(tallied: ExactBallot, at: EventPosition): Ballot {
    const { voter, delegations, power, tuples } = tallied
    const known = this.#ballots.get(voter)
    const ballot = known ?? unindexedBallot(voter, { rank: this.#nextRank++, at })
    ballot.options = optionTuples(tallied.options)
    ballot.delegations = delegations
    ballot.power = power
    ballot.tuples = tuples
    ballot.at = later(ballot.at, at)
    this.#ballots.set(voter, ballot)
    this.#changedBallots.add(ballot)
    return ballot
  }
}
