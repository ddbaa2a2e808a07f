// Folds one round of one vote: its voters, the order of pools, and delegators who vote themselves. Events cast ballots; readings of the
// state decide which of them count, and with which stake. Its tally runs: a vote costs the same whatever the number of ballots. The only
// mutable part of the fold, because a round may have a million of them.
import { isDeepStrictEqual } from 'node:util'
import { addressKey } from '../../ingest/contract/address.ts'
import { type Delegation, isCounted } from '../../ingest/contract/delegation.ts'
import type { PoolState, WeightedOption } from '../../ingest/contract/facts.ts'
import { sameOptions } from '../../ingest/contract/facts.ts'
import type { ProposalKind } from '../../ingest/contract/gov-type.ts'
import type { CastAt, ReadBallot } from '../../ingest/contract/round-events.ts'
import { readRule } from '../../ingest/contract/tally-rule.ts'
import {
  GOVERNOR,
  isFirstAsDelegator,
  RunningTally,
  type Tally,
  type TallyBallot,
  type TallyPool,
} from '../../ingest/tally/tally.ts'
import type { TallyRow } from '../contract/tables/votes.ts'
import { sortedByAddress } from './address-order.ts'
import {
  type Ballot,
  type CastPosition,
  type CastVote,
  createBallot,
  listPools,
  type PoolEntry,
  type ReadVote,
  type RoundEnd,
  toCastPosition,
  toOptionTuples,
  UNKNOWN_POSITION,
} from './ballot.ts'
import { type EventPosition, later } from './event-position.ts'
import { isRefuted, type NodeTally, PoolRegistry, type PoolsReading } from './pool-registry.ts'
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
const isSameVote = ({ vote }: Ballot, options: readonly WeightedOption[]): boolean =>
  vote.options === toOptionTuples(options) || sameOptions(vote.options, options)

/** Whether an event after the state reports the ballot. */
const isAfter = ({ vote: { height } }: Ballot, { stateHeight }: StateOf): boolean =>
  height !== null && height > stateHeight

type Stake = Pick<Ballot, 'delegations' | 'stakeReason'>

const NO_STAKE = { delegations: null, stakeReason: null, impossible: null } as const
const UNREADABLE = 'the node did not return them'

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

const toTallyPool = (pool: PoolState): TallyPool => ({ pool, counted: isCounted(pool) })

/** What the tally counts of a ballot. */
const toTallyBallot = ({ key, vote, delegations, impossible }: Ballot): TallyBallot => ({
  key,
  voter: vote.voter,
  options: vote.options,
  delegations: impossible === null ? (delegations ?? []) : [],
})

type Base = Pick<PoolRegistry, 'params' | 'bondedTokens'>

const NO_BASE: Base = { params: null, bondedTokens: null }

export class VotingRound {
  readonly proposalId: string
  readonly round: number
  /** The pools and the rule of the tally. */
  readonly registry: PoolRegistry
  isExpedited: boolean
  kinds: readonly ProposalKind[]
  end: RoundEnd | undefined
  /** What its final reading says. */
  finalBase: Base | undefined
  /** When it is to end, RFC 3339; null if that is not known. */
  scheduledEnd: string | null = null
  /** The event with which it begins in the log. */
  readonly beganAt: EventPosition
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
  #stateHeight: number | null = null
  /** Whether the numbers of its pools were known at the end of the last height. */
  #wasPriced = false
  #at: EventPosition
  /** Of the ballots that count, with the pools of the registry. */
  #running: RunningTally
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
    this.#running = this.#startTally(this.registry.pools())
    this.beganAt = at
    this.#at = at
  }

  get entries(): ReadonlyMap<string, Readonly<PoolEntry>> {
    return this.#entries
  }

  /** Of the tally once the round is tallied, by its final reading; else of the last reading. */
  get base(): Base {
    return this.end?.by === 'tallied' ? (this.finalBase ?? NO_BASE) : this.registry
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

  /** False if an input is missing, or the node counts otherwise. A vote without ballots needs no prices. */
  get isPriced(): boolean {
    if (this.isIncomplete || isRefuted(this.node)) return false
    return this.#ballots.size + this.#entries.size === 0 || this.registry.hasPrices
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

  /** The tally of the ballots that count, with the stake and the pools of the last readings. */
  computeTally(): Tally {
    return this.#running.finish(this.#toTallyBallots())
  }

  /** The power of a delegation in it, in atto. */
  price(delegation: Delegation): bigint {
    return this.#running.price(delegation)
  }

  advanceTo(at: EventPosition): void {
    this.#at = later(this.#at, at)
  }

  cast({ key, vote }: ReadVote, at: EventPosition): void {
    const { counted } = vote
    const earlier = counted ? this.#find(key) : this.#uncounted.get(key)
    const rank = earlier?.rank ?? this.#nextRank++
    const ballot = createBallot({ key, vote }, { rank, at, earlier })
    if (earlier) vote.voter = earlier.vote.voter
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
    this.#compareWithNode(head)
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
      if (!ballot || !cast || ballot.vote.height !== null) return false
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
    this.#running = this.#startTally(reading.pools)
    let sinceYield = 0
    for (const { key, vote } of voters) {
      const { options = [], delegations } = vote
      const ballot = this.#toStateBallot(key, { vote: { ...vote, options }, isWhole }, at)
      this.#replace(ballot)
      const ownPool = this.registry.findOperator(key)
      Object.assign(ballot, NO_STAKE, { delegations: delegations ?? [], ownPool })
      const powers = this.#count(ballot, at)
      Object.assign(ballot, toPowers(ballot.delegations ?? [], powers))
      this.#markBallot(ballot, at)
      sinceYield += 1 + powers.length
      if (sinceYield < SLICE_DELEGATIONS) continue
      sinceYield = 0
      yield
    }
    this.#tally = this.#running.finish()
    this.#markAllEntries(at)
    this.advanceTo(at)
  }

  /** The changes since the last call. */
  takeChanges(): { entries: Readonly<PoolEntry>[]; ballots: Readonly<Ballot>[] } {
    const changes = { entries: [...this.#changedEntries], ballots: [...this.#changedBallots] }
    this.#changedEntries.clear()
    this.#changedBallots.clear()
    return changes
  }

  /** At the end of each height: the numbers of every pool become unknown, or known again, with one voter's stake. */
  settle(): void {
    const { isPriced } = this
    if (isPriced !== this.#wasPriced) this.#markAllEntries(this.#at)
    this.#wasPriced = isPriced
  }

  #markAllEntries(at: EventPosition): void {
    for (const entry of this.#entries.values()) this.#markEntry(entry, at)
  }

  #startTally(pools: Iterable<PoolState>): RunningTally {
    const { strategy } = this.registry
    return new RunningTally([...pools].map(toTallyPool), strategy === 'none' ? undefined : strategy)
  }

  *#toTallyBallots(): Generator<TallyBallot> {
    for (const ballot of this.#ballots.values()) yield toTallyBallot(ballot)
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
    const changed = this.registry.apply(pools)
    const { strategy } = this.registry
    if (strategy !== undefined && strategy !== 'none') this.#running.strategy = strategy
    for (const operatorAddress of changed) {
      const pool = this.registry.pool(operatorAddress)
      if (pool) this.#running.replace(toTallyPool(pool))
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
      if (cast && known.vote.height === null) this.#dateBallot(known, cast, at)
      if (metadata !== undefined && metadata !== known.vote.metadata)
        this.#annotate(known, { metadata }, at)
      if (known.vote.voter !== voter || !known.inState) this.#markBallot(known, at)
      known.vote.voter = voter
      return Object.assign(known, { inState: true })
    }
    if (isWhole && !cast) addVoter(this.#onlyInState, voter)
    const position = cast ? toCastPosition(cast) : UNKNOWN_POSITION
    const read = {
      voter,
      options: toOptionTuples(options),
      counted: true,
      ...position,
      metadata: metadata ?? null,
    }
    const rank = known?.rank ?? this.#nextRank++
    return createBallot({ key, vote: read }, { rank, at, earlier: known })
  }

  /** All ballots are known. Of those that the reading does not list, only newer ones count. */
  #leaveOutOthers(listed: ReadonlySet<string>, of: StateOf, at: EventPosition): void {
    for (const [key, ballot] of this.#ballots) {
      if (listed.has(key) || isAfter(ballot, of)) continue
      this.#uncount(ballot, at)
      this.#leaveOut(ballot, of.isWhole, at)
    }
    this.hasUnknownVotes = false
  }

  /** `ballot` is not part of any sum. The stake of its voter is not followed any more. */
  #leaveOut(ballot: Ballot, isWhole: boolean, at: EventPosition): void {
    const { height, voter } = ballot.vote
    if (isWhole && height !== null) addVoter(this.#onlyInEvents, voter)
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
    if (isSame && isDeepStrictEqual(ballot.delegations, delegations)) return
    this.#uncount(ballot, at)
    Object.assign(ballot, { delegations, stakeReason, impossible })
    this.#count(ballot, at)
    this.#markBallot(ballot, at)
  }

  /** A delegation with more shares than its pool has would make the power of the pool negative. */
  #findImpossible(delegations: readonly Delegation[]): string | null {
    const found = delegations.find((delegation) => this.#running.isImpossible(delegation))
    if (!found) return null
    const { operatorAddress } = found
    const tokens = this.registry.pool(operatorAddress)?.tokens
    return `it has more shares of pool ${operatorAddress} than exist, and could weigh up to ${tokens}`
  }

  #compareWithNode(head: Reading['head']): void {
    const { nodeTally: counts, agrees = null, stateHeight: height } = head
    if (counts === undefined) return
    const rule = readRule(head)
    const before = this.node?.rule === rule ? this.node.provedAt : null
    this.node = { rule, height, counts, agrees, provedAt: agrees ? height : before }
  }

  #dateBallot(ballot: Ballot, cast: CastAt, at: EventPosition): void {
    this.#annotate(ballot, toCastPosition(cast), at)
  }

  /** Adds what is known of the vote beside its options. */
  #annotate(ballot: Ballot, known: CastPosition | Pick<CastVote, 'metadata'>, at: EventPosition) {
    Object.assign(ballot.vote, known)
    this.#markBallot(ballot, at)
    const entry = ballot.ownPool === undefined ? undefined : this.#entries.get(ballot.ownPool)
    if (entry) this.#markEntry(entry, at)
  }

  /** Returns the power of each of its delegations. */
  #count(ballot: Ballot, at: EventPosition): bigint[] {
    ballot.ownPool ??= this.registry.findOperator(ballot.key)
    const counted = toTallyBallot(ballot)
    this.#changeEntries(ballot, { counted, sign: 1 }, at)
    if (ballot.delegations === null) this.#withoutStake++
    if (ballot.impossible !== null) this.#impossible.add(ballot)
    return this.#running.add(counted)
  }

  /** Only for a counted ballot: its pools are ranked. */
  #uncount(ballot: Ballot, at: EventPosition): void {
    const counted = toTallyBallot(ballot)
    this.#changeEntries(ballot, { counted, sign: -1 }, at)
    if (ballot.delegations === null) this.#withoutStake--
    this.#impossible.delete(ballot)
    this.#running.remove(counted)
  }

  #changeEntries(
    ballot: Ballot,
    { counted, sign }: { counted: TallyBallot; sign: 1 | -1 },
    at: EventPosition,
  ): void {
    const entries = this.#rankEntries(listPools(ballot), at)
    for (const [order, entry] of entries.entries()) {
      const isOwn = entry.operatorAddress === ballot.ownPool
      if (isOwn) entry.ownVote = sign > 0 ? ballot : undefined
      if (isFirstAsDelegator(counted.delegations, order, isOwn)) entry.delegatorBallots += sign
      this.#markEntry(entry, at)
    }
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
    this.#impossible.clear()
    for (const entry of this.#entries.values()) {
      Object.assign(entry, { ownVote: undefined, delegatorBallots: 0 })
    }
  }

  #ensureEntry(operatorAddress: string, at: EventPosition): PoolEntry {
    const known = this.#entries.get(operatorAddress)
    if (known) return known
    const entry: PoolEntry = {
      rank: this.#entries.size,
      operatorAddress,
      at,
      ownVote: undefined,
      delegatorBallots: 0,
    }
    this.#entries.set(operatorAddress, entry)
    return entry
  }
}
