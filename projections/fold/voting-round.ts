// Folds one round of one vote: its voters, the order of pools, and delegators who vote themselves. Events cast ballots; readings of the
// state decide which of them count, and with which stake. Keeps only shares: prices come from the pool registry when rows are
// created. The only mutable part of the fold, because a round may have a million ballots.
import { addressKey } from '../../ingest/contract/address.ts'
import {
  countShares,
  type Delegation,
  isCounted,
  readHolding,
} from '../../ingest/contract/delegation.ts'
import type { WeightedOption } from '../../ingest/contract/facts.ts'
import type { ProposalKind } from '../../ingest/contract/gov-type.ts'
import type { CastAt, ReadBallot } from '../../ingest/contract/round-events.ts'
import { sameOptions } from '../../ingest/contract/same-options.ts'
import { readRule } from '../../ingest/contract/tally-rule.ts'
import { toWeights } from '../../ingest/tally/option-sums.ts'
import {
  GOVERNOR,
  isFirstAsDelegator,
  type Recomputable,
  startTally,
  type Tally,
} from '../../ingest/tally/tally.ts'
import type { TallyRow } from '../contract/tables/votes.ts'
import { sortedByAddress } from './address-order.ts'
import {
  type Ballot,
  type CastPosition,
  createBallot,
  listPools,
  type PoolEntry,
  type ReadVote,
  type RoundEnd,
  toCastPosition,
  toOptionTuples,
  UNKNOWN_POSITION,
} from './ballot.ts'
import { DelegatorSums } from './delegator-sums.ts'
import { type EventPosition, later } from './event-position.ts'
import { isRefuted, type NodeTally } from './node-tally.ts'
import { PoolRegistry, type PoolsReading } from './pool-registry.ts'
import type { Reading } from './reading.ts'

/** Voters of whom only the first ones are named. */
type VoterList = { count: number; named: string[] }

const MAX_NAMED = 3

const addVoter = (list: VoterList, voter: string): void => {
  list.count += 1
  if (list.named.length < MAX_NAMED) list.named.push(voter)
}

/** `many` has the number as `#`. */
const describeVoters = ({ count, named }: VoterList, one: string, many: string): string[] => {
  if (count === 0) return []
  const more = count > named.length ? ` and ${count - named.length} more` : ''
  const what = count === 1 ? one : many.replace('#', `${count}`)
  return [`the state ${what}: ${named.join(', ')}${more}`]
}

/** A vote as the state has it. */
type StateVote = Pick<ReadBallot, 'voter' | 'cast' | 'metadata'> & {
  options: readonly WeightedOption[]
}

/** `isWhole`: whether events had reported all votes of the round. */
type StateOf = { stateHeight: number; isWhole: boolean }

/** Nearly all votes have one option, and share its object. */
const isSameVote = (ballot: Ballot, options: readonly WeightedOption[]): boolean =>
  ballot.options === toOptionTuples(options) || sameOptions(ballot.options, options)

/** Whether an event after the state reports the ballot. */
const isAfter = ({ height }: Ballot, { stateHeight }: StateOf): boolean =>
  height !== null && height > stateHeight

type Stake = Pick<Ballot, 'delegations' | 'stakeReason'>

const NO_STAKE = { delegations: null, stakeReason: null, impossible: null } as const
const UNREADABLE = 'the node did not return them'

const isSameDelegation = (one: Delegation, other: Delegation | undefined): boolean =>
  one.operatorAddress === other?.operatorAddress &&
  one.shares === other.shares &&
  one.source === other.source &&
  one.heir === other.heir &&
  one.tokens === other.tokens &&
  one.power === other.power

const isSameStake = (one: Ballot['delegations'], other: Ballot['delegations']): boolean =>
  one === null || other === null
    ? one === other
    : one.length === other.length &&
      one.every((delegation, order) => isSameDelegation(delegation, other[order]))

/** Delegations between two pauses of a long tally: some milliseconds of work. */
const SLICE_DELEGATIONS = 2_000

/** What the tally counts of a ballot: the power of each delegation that the voter owns, and their sum. */
const toPowers = (
  delegations: readonly Delegation[],
  powers: readonly bigint[],
): Pick<Ballot, 'power' | 'tuples'> => ({
  power: powers.reduce((sum, power) => sum + power, 0n),
  tuples: delegations.flatMap(({ operatorAddress, shares, source }, order) =>
    source === GOVERNOR ? [] : [{ operatorAddress, shares, votingPower: powers[order] ?? 0n }],
  ),
})

const createEmptyPart = (): Pick<
  PoolEntry,
  'ownVote' | 'ownShares' | 'delegatorBallots' | 'delegators'
> => ({
  ownVote: undefined,
  ownShares: 0n,
  delegatorBallots: 0,
  delegators: new DelegatorSums(),
})

export class VotingRound {
  readonly proposalId: string
  readonly round: number
  /** What the round is priced with. */
  readonly registry: PoolRegistry
  isExpedited: boolean
  kinds: readonly ProposalKind[]
  end: RoundEnd | undefined
  /** The last tally of the node, during the vote. */
  node: NodeTally | undefined
  /** What the last reading lacks; null if it lacks nothing. */
  readingProblem: string | null = null
  /** Some counted votes are missing: the number of ballots is unknown too. */
  hasUnknownVotes = false
  /** Its row at its end: priced with the pools of that height. */
  endedRow: TallyRow | undefined
  /** The last alert about impossible numbers: it is not repeated for the same problem. */
  reportedProblem: string | undefined
  readonly #entries = new Map<string, PoolEntry>()
  /** The ballots that count, by the key of the voter. */
  readonly #ballots = new Map<string, Ballot>()
  /** Votes after the tally: served, never counted. */
  readonly #uncounted = new Map<string, Ballot>()
  /** Ballots that the state lacks: served, not counted. */
  readonly #leftOut = new Map<string, Ballot>()
  readonly #changedEntries = new Set<PoolEntry>()
  readonly #changedBallots = new Set<Ballot>()
  /** Counted ballots whose stake is left out. */
  readonly #impossible = new Set<Ballot>()
  readonly #onlyInState: VoterList = { count: 0, named: [] }
  readonly #onlyInEvents: VoterList = { count: 0, named: [] }
  #nextRank = 0
  /** Counted ballots with unknown delegations. */
  #withoutStake = 0
  /** Counted ballots with stake in other modules. */
  #withModules = 0
  #stateHeight: number | null = null
  #at: EventPosition
  #tally: Tally | undefined

  /** `before`: the earlier round of the same proposal. */
  constructor(
    of: Pick<VotingRound, 'proposalId' | 'round' | 'isExpedited' | 'kinds'>,
    at: EventPosition,
    before?: VotingRound,
  ) {
    this.proposalId = of.proposalId
    this.round = of.round
    this.isExpedited = of.isExpedited
    this.kinds = of.kinds
    this.registry = new PoolRegistry(before?.registry)
    this.#at = at
  }

  get entries(): ReadonlyMap<string, Readonly<PoolEntry>> {
    return this.#entries
  }

  /** The ballots that count, by the key of the voter. */
  get ballots(): ReadonlyMap<string, Readonly<Ballot>> {
    return this.#ballots
  }

  /** Those whose stake is left out. */
  get impossible(): ReadonlySet<Readonly<Ballot>> {
    return this.#impossible
  }

  /** Position of the latest event that affects a number of this round. */
  get at(): EventPosition {
    return this.#at
  }

  /** Set once it was recomputed from the final reading. */
  get tally(): Tally | undefined {
    return this.#tally
  }

  /** The height at which pools and stake were last read; null before that, and once the round has ended. */
  get stakeHeight(): number | null {
    return this.end ? null : this.#stateHeight
  }

  /** A counted ballot, or its delegations, is unknown: then no power is known. */
  get isIncomplete(): boolean {
    return this.hasUnknownVotes || this.#withoutStake > 0
  }

  /** Whether the sums of its pools have all stake that counts. */
  get hasSums(): boolean {
    return this.#withModules === 0 && this.registry.strategy !== 'governors'
  }

  /** How the votes of the events differ from those of the state; null if they do not. */
  get difference(): string | null {
    const sentences = [
      ...describeVoters(
        this.#onlyInState,
        'has a vote that no event reports',
        'has # votes that no event reports',
      ),
      ...describeVoters(
        this.#onlyInEvents,
        'lacks a vote that an event reports, and it does not count',
        'lacks # votes that events report, and they do not count',
      ),
    ]
    return sentences.length === 0 ? null : sentences.join('; ')
  }

  advanceTo(at: EventPosition): void {
    this.#at = later(this.#at, at)
  }

  cast({ key, vote, weights }: ReadVote, at: EventPosition): void {
    const { counted } = vote
    const earlier = counted ? this.#find(key) : this.#uncounted.get(key)
    const rank = earlier?.rank ?? this.#nextRank++
    const ballot = createBallot({ key, vote, weights }, { rank, at })
    if (earlier) ballot.voter = earlier.voter
    if (counted) this.#put(ballot, at)
    else {
      if (earlier) this.#changedBallots.delete(earlier)
      this.#uncounted.set(key, ballot)
      this.#changedBallots.add(ballot)
    }
    this.advanceTo(at)
  }

  /** Votes that count, but with an unknown voter or option. */
  castUnknown(at: EventPosition): void {
    this.hasUnknownVotes = true
    this.advanceTo(at)
    this.markAllEntries(at)
  }

  /** Applies a reading of the open vote. */
  read(reading: Reading, at: EventPosition): void {
    const { head, hasAllBallots, problem } = reading
    const changed = this.#applyPools(reading, at)
    // With other pools their stake may be possible.
    for (const ballot of [...this.#impossible]) this.#setStake(ballot, ballot, at)
    const of = { stateHeight: head.stateHeight, isWhole: !this.hasUnknownVotes }
    const voters = this.#inOrder(reading.ballots)
    for (const { key, vote } of voters) this.#readVoter(key, { read: vote, of }, at)
    if (hasAllBallots) this.#leaveOutOthers(new Set(voters.map(({ key }) => key)), of, at)
    this.#findOperators(changed, at)
    this.#compareWithNode(head, at)
    // Stake of single voters is that of their votes, and after an incomplete reading some is older.
    const isWhole = problem === null && head.queued === undefined
    const isOfHeight = head.params !== undefined && (isWhole || this.#stateHeight === null)
    if (isOfHeight) this.#stateHeight = head.stateHeight
    this.readingProblem = problem
    this.advanceTo(at)
  }

  /** Applies the pools of the tally that ended the earlier round. */
  readPools(pools: PoolsReading, at: EventPosition): void {
    this.#findOperators(this.#applyPools(pools, at), at)
  }

  /** Fills in when ballots of the state were cast. False if nothing changes. */
  date(votes: readonly ReadBallot[], at: EventPosition): boolean {
    const dated = votes.filter(({ voter, options, cast }) => {
      const ballot = this.#ballots.get(addressKey(voter))
      if (!ballot || !cast || ballot.height !== null) return false
      if (options && !isSameVote(ballot, options)) return false
      this.#dateBallot(ballot, cast, at)
      return true
    })
    return dated.length > 0
  }

  /**
   * Replaces the folded data with those of the final reading, and tallies them. Ranks stay; new entries are ranked last. Yields where
   * other work may run. Requires a reading that can be tallied.
   */
  *close(reading: Reading, at: EventPosition): Generator<undefined, void> {
    const isWhole = !this.hasUnknownVotes
    const voters = this.#inOrder(reading.ballots)
    const of = { stateHeight: Number.POSITIVE_INFINITY, isWhole }
    this.#leaveOutOthers(new Set(voters.map(({ key }) => key)), of, at)
    this.registry.apply({ ...reading, hasAllPools: true })
    this.#forgetStake()
    const pools = reading.pools.map((pool) => ({ pool, counted: isCounted(pool) }))
    const running = startTally(pools, this.registry.strategy as Recomputable)
    let sinceYield = 0
    for (const { key, vote } of voters) {
      const { voter, options = [] } = vote
      const delegations = vote.delegations ?? []
      const ballot = this.#toStateBallot(key, { vote: { ...vote, options }, isWhole }, at)
      const powers = running.add({ voter, options, delegations })
      this.#replace(ballot)
      Object.assign(ballot, NO_STAKE, {
        delegations,
        ownPool: this.registry.findOperator(key),
        ...toPowers(delegations, powers),
      })
      this.#count(ballot, at)
      this.#markBallot(ballot, at)
      sinceYield += 1 + powers.length
      if (sinceYield < SLICE_DELEGATIONS) continue
      sinceYield = 0
      yield
    }
    this.#tally = running.finish()
    this.markAllEntries(at)
    this.advanceTo(at)
  }

  /** The changes since the last call. */
  takeChanges(): { entries: Readonly<PoolEntry>[]; ballots: Readonly<Ballot>[] } {
    const changes = { entries: [...this.#changedEntries], ballots: [...this.#changedBallots] }
    this.#changedEntries.clear()
    this.#changedBallots.clear()
    return changes
  }

  markAllEntries(at: EventPosition): void {
    for (const entry of this.#entries.values()) this.#markEntry(entry, at)
  }

  /** A ballot that counts, or that the state lacked. */
  #find(key: string): Ballot | undefined {
    return this.#ballots.get(key) ?? this.#leftOut.get(key)
  }

  /** By rank, so that pools are in the order of ballots; new voters last, by address. */
  #inOrder<Vote extends { voter: string }>(votes: readonly Vote[]): { key: string; vote: Vote }[] {
    const keyed = votes.map((vote) => {
      const key = addressKey(vote.voter)
      return { key, vote, rank: this.#find(key)?.rank ?? Number.POSITIVE_INFINITY }
    })
    const isKnown = ({ rank }: { rank: number }) => rank !== Number.POSITIVE_INFINITY
    const fresh = keyed.filter((each) => !isKnown(each))
    return [
      ...keyed.filter(isKnown).sort((one, other) => one.rank - other.rank),
      ...sortedByAddress(fresh, ({ vote }) => vote.voter),
    ]
  }

  /** Returns the pools with another price. */
  #applyPools(pools: PoolsReading, at: EventPosition): ReadonlySet<string> {
    const { hasAllPools } = this.registry
    const changed = this.registry.apply(pools)
    if (this.registry.hasAllPools !== hasAllPools) this.markAllEntries(at)
    for (const operatorAddress of changed) {
      const entry = this.#entries.get(operatorAddress)
      if (entry) this.#markEntry(entry, at)
    }
    return changed
  }

  /** Voters whose pool is new: their ballots are those of the pools from now on. */
  #findOperators(pools: ReadonlySet<string>, at: EventPosition): void {
    const found: Ballot[] = []
    for (const operatorAddress of pools) {
      const account = this.registry.pool(operatorAddress)?.accountAddress
      const ballot = account === undefined ? undefined : this.#ballots.get(addressKey(account))
      if (ballot && ballot.ownPool === undefined) found.push(ballot)
    }
    for (const ballot of found.sort((one, other) => one.rank - other.rank)) {
      this.#uncount(ballot, at)
      this.#count(ballot, at)
    }
  }

  #readVoter(
    key: string,
    { read, of }: { read: ReadBallot; of: StateOf },
    at: EventPosition,
  ): void {
    const { options, delegations = null, delegationsReason: stakeReason = UNREADABLE } = read
    const counted = this.#ballots.get(key)
    if (options && !(counted && isAfter(counted, of))) {
      const ballot = this.#toStateBallot(key, { vote: { ...read, options }, ...of }, at)
      if (ballot !== counted) this.#put(ballot, at)
    }
    const ballot = this.#ballots.get(key)
    if (!ballot || read.delegations === undefined) return
    this.#setStake(ballot, { delegations, stakeReason: delegations ? null : stakeReason }, at)
  }

  /** The ballot that the state has: a known one, or a new one that no event reports. */
  #toStateBallot(
    key: string,
    { vote, isWhole }: { vote: StateVote; isWhole: boolean },
    at: EventPosition,
  ): Ballot {
    const { voter, options, cast, metadata } = vote
    const known = this.#find(key)
    if (known && isSameVote(known, options)) {
      if (cast && known.height === null) this.#dateBallot(known, cast, at)
      if (metadata !== undefined && metadata !== known.metadata)
        this.#annotate(known, { metadata }, at)
      if (known.voter !== voter || !known.inState) this.#markBallot(known, at)
      return Object.assign(known, { voter, inState: true })
    }
    if (isWhole && !cast) addVoter(this.#onlyInState, voter)
    const position = cast ? toCastPosition(cast) : UNKNOWN_POSITION
    const read = { voter, options, counted: true, ...position, metadata: metadata ?? null }
    const rank = known?.rank ?? this.#nextRank++
    return createBallot({ key, vote: read, weights: toWeights(options) }, { rank, at })
  }

  /** All ballots are known. Of those that the reading does not list, only newer ones count. */
  #leaveOutOthers(listed: ReadonlySet<string>, of: StateOf, at: EventPosition): void {
    for (const [key, ballot] of this.#ballots) {
      if (listed.has(key) || isAfter(ballot, of)) continue
      this.#uncount(ballot, at)
      this.#leaveOut(ballot, of.isWhole, at)
    }
    if (this.hasUnknownVotes) this.markAllEntries(at)
    this.hasUnknownVotes = false
  }

  /** `ballot` is not part of any sum. The stake of its voter is not followed any more. */
  #leaveOut(ballot: Ballot, isWhole: boolean, at: EventPosition): void {
    if (isWhole && ballot.height !== null) addVoter(this.#onlyInEvents, ballot.voter)
    this.#ballots.delete(ballot.key)
    this.#leftOut.set(ballot.key, ballot)
    Object.assign(ballot, NO_STAKE, { inState: false })
    this.#markBallot(ballot, at)
  }

  /** Adds a ballot, with the stake of the one that it replaces. */
  #put(ballot: Ballot, at: EventPosition): void {
    const counted = this.#ballots.get(ballot.key)
    if (counted) this.#uncount(counted, at)
    const earlier = this.#replace(ballot)
    if (earlier) {
      const { delegations, stakeReason, impossible, ownPool } = earlier
      Object.assign(ballot, { delegations, stakeReason, impossible, ownPool })
    }
    this.#count(ballot, at)
  }

  /** Returns another ballot of the voter, which is not part of any sum. */
  #replace(ballot: Ballot): Ballot | undefined {
    const { key } = ballot
    const earlier = this.#find(key)
    this.#leftOut.delete(key)
    this.#ballots.set(key, ballot)
    this.#changedBallots.add(ballot)
    if (!earlier || earlier === ballot) return undefined
    this.#changedBallots.delete(earlier)
    return earlier
  }

  #setStake(ballot: Ballot, stake: Stake, at: EventPosition): void {
    const { delegations, stakeReason } = stake
    const impossible = this.#findImpossible(delegations ?? [])
    const isSame = ballot.stakeReason === stakeReason && ballot.impossible === impossible
    if (isSame && isSameStake(ballot.delegations, delegations)) return
    this.#uncount(ballot, at)
    Object.assign(ballot, { delegations, stakeReason, impossible })
    this.#count(ballot, at)
    this.#markBallot(ballot, at)
  }

  /** A delegation with more shares than its pool has would make the power of the pool negative. */
  #findImpossible(delegations: readonly Delegation[]): string | null {
    for (const delegation of delegations) {
      const { operatorAddress } = delegation
      const pool = this.registry.pool(operatorAddress)
      if (!pool || !isCounted(pool) || pool.shares === 0n) continue
      if (countShares(readHolding(delegation), pool) <= pool.shares) continue
      return `it has more shares of pool ${operatorAddress} than exist, and could weigh up to ${pool.tokens}`
    }
    return null
  }

  #compareWithNode(head: Reading['head'], at: EventPosition): void {
    const { nodeTally: counts, agrees = null, stateHeight: height } = head
    if (counts === undefined) return
    const rule = readRule(head)
    const before = this.node?.rule === rule ? this.node.provedAt : null
    const next = { rule, height, counts, agrees, provedAt: agrees ? height : before }
    if (isRefuted(this.node) !== isRefuted(next)) this.markAllEntries(at)
    this.node = next
  }

  #dateBallot(ballot: Ballot, cast: CastAt, at: EventPosition): void {
    this.#annotate(ballot, toCastPosition(cast), at)
  }

  /** Adds what is known of the vote beside its options. */
  #annotate(ballot: Ballot, known: CastPosition | Pick<Ballot, 'metadata'>, at: EventPosition) {
    Object.assign(ballot, known)
    this.#markBallot(ballot, at)
    const entry = ballot.ownPool === undefined ? undefined : this.#entries.get(ballot.ownPool)
    if (entry) this.#markEntry(entry, at)
  }

  #count(ballot: Ballot, at: EventPosition): void {
    ballot.ownPool ??= this.registry.findOperator(ballot.key)
    const entries = this.#rankEntries(listPools(ballot), at)
    for (const entry of entries) {
      if (entry.operatorAddress === ballot.ownPool) entry.ownVote = ballot
      this.#markEntry(entry, at)
    }
    if (ballot.delegations === null) this.#setWithoutStake(this.#withoutStake + 1, at)
    if (ballot.impossible !== null) this.#impossible.add(ballot)
    else this.#changeStakes(ballot, entries, 1)
  }

  /** Adds the stake of a ballot to its pools, or removes it. */
  #changeStakes(ballot: Ballot, entries: readonly PoolEntry[], sign: 1 | -1): void {
    const delegations = ballot.delegations ?? []
    if (delegations.some(({ source }) => source !== undefined)) this.#withModules += sign
    for (const [order, delegation] of delegations.entries()) {
      const entry = entries[order]
      if (!entry) continue
      const isOwn = entry.operatorAddress === ballot.ownPool
      if (isFirstAsDelegator(delegations, order, isOwn)) entry.delegatorBallots += sign
      if (delegation.source !== undefined) continue
      const { shares } = readHolding(delegation)
      if (isOwn) entry.ownShares = sign > 0 ? shares : 0n
      else if (sign > 0) entry.delegators.add(ballot, shares)
      else entry.delegators.remove(ballot)
    }
  }

  /** Only for a counted ballot: its pools are ranked. */
  #uncount(ballot: Ballot, at: EventPosition): void {
    const entries = this.#rankEntries(listPools(ballot), at)
    for (const entry of entries) {
      if (entry.operatorAddress === ballot.ownPool) entry.ownVote = undefined
      this.#markEntry(entry, at)
    }
    if (ballot.impossible === null) this.#changeStakes(ballot, entries, -1)
    if (ballot.delegations === null) this.#setWithoutStake(this.#withoutStake - 1, at)
    this.#impossible.delete(ballot)
  }

  #setWithoutStake(count: number, at: EventPosition): void {
    const wasIncomplete = this.#withoutStake > 0
    this.#withoutStake = count
    // The deductions of every pool become unknown, or known again, with one voter's.
    if (wasIncomplete !== count > 0) this.markAllEntries(at)
  }

  #markBallot(ballot: Ballot, at: EventPosition): void {
    ballot.at = later(ballot.at, at)
    this.#changedBallots.add(ballot)
  }

  #markEntry(entry: PoolEntry, at: EventPosition): void {
    entry.at = later(entry.at, at)
    this.advanceTo(at)
    this.#changedEntries.add(entry)
  }

  /** The entries of these pools, in order; new pools are ranked by address. */
  #rankEntries(pools: readonly string[], at: EventPosition): PoolEntry[] {
    const fresh = pools.filter((operatorAddress) => !this.#entries.has(operatorAddress))
    for (const operatorAddress of sortedByAddress(fresh, (address) => address)) {
      this.#ensureEntry(operatorAddress, at)
    }
    return pools.map((operatorAddress) => this.#ensureEntry(operatorAddress, at))
  }

  /** All ballots are counted again. */
  #forgetStake(): void {
    this.#withoutStake = 0
    this.#withModules = 0
    this.#impossible.clear()
    for (const entry of this.#entries.values()) Object.assign(entry, createEmptyPart())
  }

  #ensureEntry(operatorAddress: string, at: EventPosition): PoolEntry {
    const known = this.#entries.get(operatorAddress)
    if (known) return known
    const entry: PoolEntry = {
      rank: this.#entries.size,
      operatorAddress,
      at,
      ...createEmptyPart(),
    }
    this.#entries.set(operatorAddress, entry)
    return entry
  }
}
