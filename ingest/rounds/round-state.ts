// What ingest holds of one open round: its ballots with their stake, each once, and the last reading. Facts and readings change it,
// whether they were just read or come from the log.

import { toEpochMs } from '../chain/time.ts'
import { addressKey } from '../contract/address.ts'
import type { Delegation } from '../contract/delegation.ts'
import type { EventOf } from '../contract/events.ts'
import type { GovParams, PoolState, TallyCounts, WeightedOption } from '../contract/facts.ts'
import { sameOptions } from '../contract/facts.ts'
import type { VoteFact } from '../contract/governance/fact.ts'
import { readRule, type TallyRule } from '../contract/tally-rule.ts'

/** `delegations`: undefined if they were never read, null if the node could not return them. */
export type KnownBallot = {
  voter: string
  options: readonly WeightedOption[]
  metadata?: string | undefined
  delegations: readonly Delegation[] | null | undefined
}

/** By the key of the voter: one account is one voter. */
export type Ballots = ReadonlyMap<string, KnownBallot>

/** The last comparison with the node's own tally. Times are block times. */
export type Compared = {
  timeMs: number
  /** Null if the node could not return it. */
  counts: TallyCounts | null
  /** Null if our own tally was not known. */
  agrees: boolean | null
}

/** The state that the round is known with. Times are block times. */
export type RoundBasis = {
  height: number
  /** Of the last reading with pools, and of the last one with all ballots. */
  timeMs: number
  allBallotsMs: number
  pools: Map<string, PoolState>
  bondedTokens: string | null
  params: GovParams | null
  rule: TallyRule
}

export type RoundState = {
  readonly ballots: Map<string, KnownBallot>
  /** Undefined before the first reading. */
  basis: RoundBasis | undefined
  compared: Compared | undefined
  /** Whether ballots, stake or pools changed since then. */
  changed: boolean
  /** Whether everything was read again since the tally was found to differ: over some heights, if there are many voters. */
  isReread: boolean
  /** Full readings in a row whose tally was not that of the node. */
  refuted: number
  /** Where the next turn of voters with stake outside of x/staking begins. */
  turn: number
  /** Keys of voters whose stake is to be read, oldest first. */
  readonly unread: Set<string>
  /** Keys of voters whose stake may have moved since the pools were read. */
  readonly moved: Set<string>
  /** Keys of voters whose stake may have moved without a name, and was not read since. */
  readonly gap: Set<string>
  /** Pools that an event names since they were read. */
  readonly namedPools: Set<string>
  /** Whether an event reports a slashing since the pools were read. */
  isSlashed: boolean
}

export function createRoundState(): RoundState {
  return {
    ballots: new Map(),
    basis: undefined,
    compared: undefined,
    changed: false,
    isReread: false,
    refuted: 0,
    turn: 0,
    unread: new Set(),
    moved: new Set(),
    gap: new Set(),
    namedPools: new Set(),
    isSlashed: false,
  }
}

/** A vote keeps the stake that is known of its voter, until it is read again. */
export function castBallot(
  round: RoundState,
  voter: string,
  { options, reason }: Pick<VoteFact, 'options' | 'reason'>,
): void {
  const { ballots, unread } = round
  const key = addressKey(voter)
  const known = ballots.get(key)
  const { metadata } = reason ?? {}
  ballots.set(key, {
    voter: known?.voter ?? voter,
    options,
    metadata,
    delegations: known?.delegations,
  })
  unread.add(key)
  round.changed = true
}

/** `movedStake`: the accounts and pools that events of a block name, as texts. */
export function noteMovedStake(
  round: RoundState,
  { movedStake, isSlashed }: { movedStake: Iterable<string>; isSlashed: boolean },
): void {
  const { ballots, moved, namedPools, basis } = round
  if (isSlashed) round.isSlashed = true
  for (const account of movedStake) {
    if (basis?.pools.has(account)) namedPools.add(account)
    else {
      const key = addressKey(account)
      if (ballots.has(key)) moved.add(key)
    }
  }
}

/** The names of voters whose stake moves up to the next reading are not known: it shows by a comparison whether the tally misses any. */
export function noteGap(round: RoundState): void {
  const { ballots, gap } = round
  round.compared = undefined
  if (gap.size < ballots.size) for (const key of ballots.keys()) gap.add(key)
}

type RoundRead = EventOf<'rollcall.round.read.v1'>
type Entry = RoundRead['data']['ballots'][number]

/** One string per pool instead of one per delegation: there may be a million delegations. */
const operators = new Map<string, string>()
function shared(operatorAddress: string): string {
  const known = operators.get(operatorAddress)
  if (known !== undefined) return known
  operators.set(operatorAddress, operatorAddress)
  return operatorAddress
}

function keepStake(delegations: readonly Delegation[] | null): readonly Delegation[] | null {
  return (
    delegations?.map((each) => ({ ...each, operatorAddress: shared(each.operatorAddress) })) ?? null
  )
}

/** The words of a vote that is read without them: those that are known of it, unless it changed since. */
export function readMetadata(
  known: Pick<KnownBallot, 'options' | 'metadata'> | undefined,
  { options, metadata }: Pick<Entry, 'options' | 'metadata'>,
): string | undefined {
  if (metadata !== undefined || !known) return metadata
  return !options || sameOptions(known.options, options) ? known.metadata : undefined
}

function applyBallot({ ballots, unread, moved, gap }: RoundState, entry: Entry): void {
  const { voter, options, delegations } = entry
  const key = addressKey(voter)
  const known = ballots.get(key)
  if (!known && !options) return
  const stake = delegations === undefined ? known?.delegations : keepStake(delegations)
  // In the order of first ballots.
  ballots.set(key, {
    voter,
    options: options ?? known?.options ?? [],
    metadata: readMetadata(known, entry),
    delegations: stake,
  })
  if (delegations !== undefined) {
    for (const keys of [unread, moved, gap]) keys.delete(key)
  } else if (stake === undefined) unread.add(key)
}

function applyPools(round: RoundState, { data, time }: RoundRead): void {
  const { basis: before } = round
  // Stake alone, before anything else was read.
  if (!before && data.params === undefined && !data.allPools) return
  const timeMs = toEpochMs(time)
  const replaces = data.allPools && data.chunk === 0
  const pools = (replaces ? undefined : before?.pools) ?? new Map<string, PoolState>()
  for (const pool of data.pools) pools.set(shared(pool.operatorAddress), pool)
  const { params, bondedTokens } = data
  round.basis = {
    height: params === undefined ? (before?.height ?? data.stateHeight) : data.stateHeight,
    timeMs: params === undefined ? (before?.timeMs ?? timeMs) : timeMs,
    allBallotsMs: data.allBallots ? timeMs : (before?.allBallotsMs ?? timeMs),
    pools,
    bondedTokens: bondedTokens === undefined ? (before?.bondedTokens ?? null) : bondedTokens,
    params: params === undefined ? (before?.params ?? null) : params,
    rule: readRule(data),
  }
}

/** What the first chunk of a reading says of the node's own tally. */
export function applyComparison(round: RoundState, { data, time }: RoundRead): void {
  const { nodeTally, agrees = null } = data
  if (nodeTally === undefined) return
  round.compared = { timeMs: toEpochMs(time), counts: nodeTally, agrees }
  round.changed = false
  if (agrees !== true) return
  round.refuted = 0
  round.isReread = false
}

function dropUnlisted(round: RoundState, chunks: readonly RoundRead[]): void {
  const listed = new Set<string>()
  for (const { data } of chunks) {
    for (const { voter } of data.ballots) listed.add(addressKey(voter))
  }
  for (const key of [...round.ballots.keys()]) {
    if (listed.has(key)) continue
    round.ballots.delete(key)
    for (const keys of [round.unread, round.moved, round.gap]) keys.delete(key)
  }
}

/** Whether the round has no other ballots. */
export function hasAllBallots(chunks: readonly RoundRead[]): boolean {
  return chunks.every(({ data }) => data.allBallots && !data.omitted)
}

/** All chunks of a reading of the open round, in order; without its comparison. */
export function applyReading(round: RoundState, chunks: readonly RoundRead[]): void {
  const [first] = chunks
  if (!first) return
  if (hasAllBallots(chunks)) dropUnlisted(round, chunks)
  for (const chunk of chunks) {
    applyPools(round, chunk)
    for (const entry of chunk.data.ballots) applyBallot(round, entry)
    if (chunk.data.pools.length > 0 || chunk.data.ballots.length > 0) round.changed = true
  }
  // With the pools all stake that moved was read, or is in the queue.
  if (first.data.params === undefined) return
  for (const key of round.moved) round.unread.add(key)
  round.moved.clear()
  round.namedPools.clear()
  round.isSlashed = false
}
