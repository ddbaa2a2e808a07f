// Creates the row of one voting round: the served numbers, the chain's own tally, and the sum of the pool rows.

import { toKnownCounts } from '../../../ingest/contract/compare-tally.ts'
import { ATTO, truncate } from '../../../ingest/contract/decimal.ts'
import type { GovParams, TallyCounts } from '../../../ingest/contract/facts.ts'
import { toKindLimits } from '../../../ingest/contract/gov-type.ts'
import { OPTION_KEYS, type OptionSums } from '../../../ingest/contract/option-sums.ts'
import { mapSums } from '../../../ingest/tally/option-sums.ts'
import { compareWithChain, sameCounts } from '../../../ingest/tally/strategy.ts'
import type { Tally } from '../../../ingest/tally/tally.ts'
import type { MatchesChain, TallyRow } from '../../contract/tables/votes.ts'
import { type Timestamp, toTimestamp } from '../../contract/timestamps.ts'
import type { RoundEnd } from '../ballot.ts'
import type { EventPosition } from '../event-position.ts'
import { findReported, isRefuted } from '../pool-registry.ts'
import type { Pricing, RoundPrice } from '../pricing.ts'
import { VotingRound } from '../voting-round.ts'

type ChainMatch = { matchesChain: MatchesChain; matchesChainReason: string | null }

const unknown = (reason: string): ChainMatch => ({
  matchesChain: 'unknown',
  matchesChainReason: reason,
})

/**
 * Whether the numbers equal the chain's, and why not or why that is unknown. `missing`: why live numbers
 * are left out.
 */
export const toChainMatch = (
  { end, tally }: Pick<VotingRound, 'end'> & { tally: Pick<Tally, 'counts'> | undefined },
  missing?: string,
): ChainMatch => {
  if (!end) return unknown(missing ?? 'the vote is still open')
  if (end.by === 'canceled') {
    return unknown(end.unavailableReason ?? 'the proposal was canceled: there is no tally')
  }
  const { chain } = end
  if (!chain) return unknown(end.unavailableReason ?? "the chain's final tally is unknown")
  if (!tally) return unknown(end.notRecomputed ?? 'the log has no evidence of the tally')
  const { matchesChain, reason } = compareWithChain({
    recomputed: tally.counts,
    chain,
    incompleteReason: null,
  })
  return { matchesChain, matchesChainReason: reason }
}

type Rules = Pick<VotingRound, 'isExpedited' | 'kinds'>

/** All null: not known. */
const thresholds = (known: GovParams | null, { isExpedited, kinds }: Rules) => {
  const params = known && toKindLimits(kinds, known)
  const hasOwnQuorum = isExpedited && params?.expeditedQuorum !== undefined
  return {
    quorum: (hasOwnQuorum ? params?.expeditedQuorum : params?.quorum) ?? null,
    threshold: (isExpedited ? params?.expeditedThreshold : params?.threshold) ?? null,
    vetoThreshold: params?.vetoThreshold ?? null,
  }
}

const toAmount = (digits: string | null | undefined): bigint | null =>
  digits === null || digits === undefined ? null : BigInt(digits)

type Sums = { [Option in keyof OptionSums]: bigint | null }

const toSums = (counts: TallyCounts | null): Sums => ({
  yes: toAmount(counts?.yes),
  abstain: toAmount(counts?.abstain),
  no: toAmount(counts?.no),
  noWithVeto: toAmount(counts?.noWithVeto),
})

const chainColumns = (chain: TallyCounts | null) => {
  const { yes, abstain, no, noWithVeto } = toSums(chain)
  return { chainYes: yes, chainAbstain: abstain, chainNo: no, chainNoWithVeto: noWithVeto }
}

const NO_SUMS: Sums = { yes: null, abstain: null, no: null, noWithVeto: null }

const liveColumns = (live: OptionSums | undefined) => {
  const { yes, abstain, no, noWithVeto } = live ?? NO_SUMS
  return { liveYes: yes, liveAbstain: abstain, liveNo: no, liveNoWithVeto: noWithVeto }
}

/** The sums of the chain at the end, else our own, else those that the node reported. */
const sumColumns = (
  end: RoundEnd | undefined,
  { live, reported }: { live: OptionSums | undefined; reported: TallyCounts | null },
): Sums => {
  if (end?.by === 'tallied') return toSums(end.chain)
  return live ? mapSums(live, truncate) : toSums(reported)
}

const sumCounts = (counts: TallyCounts | null): bigint | null => {
  const known = counts && toKnownCounts(counts)
  return known ? OPTION_KEYS.reduce((sum, option) => sum + known[option] * ATTO, 0n) : null
}

/** Of the sums that are served: exact if they are our own, since weights may add up to any number. */
const servedPower = (
  { end, tally }: VotingRound,
  { live, reported }: { live: RoundPrice | undefined; reported: TallyCounts | null },
): bigint | null => {
  if (end?.by !== 'tallied') return live?.votingPower ?? sumCounts(reported)
  const isOwn = tally && end.chain && sameCounts(tally.counts, end.chain)
  return isOwn ? tally.votingPower : sumCounts(end.chain)
}

/** Operators are known from the first reading on. */
const knowsOperators = ({ ballots, registry, end }: VotingRound): boolean =>
  registry.hasAllPools || (ballots.size === 0 && !end)

const countColumns = (round: VotingRound) => {
  const { entries, ballots, hasUnknownVotes } = round
  const pools = [...entries.values()]
  const isKnown = !hasUnknownVotes && knowsOperators(round)
  return {
    poolsVoted: isKnown ? pools.filter(({ ownVote }) => ownVote).length : null,
    ballots: hasUnknownVotes ? null : ballots.size,
    poolRows: pools.length,
  }
}

const formatCount = (count: number): string => count.toLocaleString('en-US')

/** Why the delegations of a ballot are missing. */
const describeUnknownStake = ({ ballots }: VotingRound): string => {
  const unknown = [...ballots.values()].filter(({ delegations }) => delegations === null)
  const unread = unknown.filter(({ stakeReason }) => stakeReason === null).length
  const all = formatCount(ballots.size)
  if (unread > 0) {
    return `the delegations of ${formatCount(unread)} of ${all} voters are still being read`
  }
  const [first] = unknown
  return `the delegations of ${formatCount(unknown.length)} of ${all} voters are unknown: ${first?.vote.voter}: ${first?.stakeReason}`
}

/** The numbers are known, but for the stake of some ballots. */
const describeLeftOut = ({ impossible }: VotingRound): string | undefined => {
  const [first] = impossible
  if (!first) return undefined
  const others = impossible.size - 1
  const more = others > 0 ? `; and that of ${formatCount(others)} more` : ''
  return `the stake of ${first.vote.voter} is left out: ${first.impossible}${more}`
}

/** Why the numbers of an open vote are missing or not exact; undefined if they are exact. */
const describeLive = (round: VotingRound): string | undefined => {
  const { ballots, hasUnknownVotes, isIncomplete, stakeHeight, readingProblem, registry } = round
  if (hasUnknownVotes) return readingProblem ?? 'not all of its votes are known'
  if (isIncomplete && stakeHeight === null) {
    return 'the stake of its voters is read once the tip is reached'
  }
  if (isIncomplete) return describeUnknownStake(round)
  if (ballots.size > 0 && !registry.hasAllPools) {
    return readingProblem ?? 'the pools have not been read'
  }
  return describeLeftOut(round)
}

/** No rule is known before the first reading, and while the node refutes it. */
const ruleColumns = ({ node, end, registry }: VotingRound, reported: boolean) => {
  const { rule } = registry
  const isKnown = rule !== undefined && (end !== undefined || !isRefuted(node))
  return {
    rule: isKnown ? rule : ('' as const),
    ruleProvedHeight: node && node.rule === rule ? node.provedAt : null,
    reported,
  }
}

const DAY_MS = 86_400_000

/** To the millisecond, which no two blocks share. */
function findLastDay({ scheduledEnd, beganAt }: VotingRound): Timestamp | null {
  if (toTimestamp(scheduledEnd) === null) return null
  const endMs = Date.parse(`${scheduledEnd}`)
  const beganMs = Date.parse(beganAt.time)
  // A vote of the past.
  if (beganMs >= endMs) return null
  return toTimestamp(new Date(Math.max(endMs - DAY_MS, beganMs)).toISOString())
}

export const tallyRow = (round: VotingRound, { sum: live, problem }: Pricing): TallyRow => {
  const { end, base } = round
  const isTallied = end?.by === 'tallied'
  const reported = isTallied || live ? null : findReported(round.node)
  return {
    proposalId: round.proposalId,
    round: round.round,
    ...sumColumns(end, { live: live?.sums, reported }),
    ...liveColumns(live?.sums),
    votingPower: servedPower(round, { live, reported }),
    ...chainColumns(end?.chain ?? null),
    final: end !== undefined,
    ...toChainMatch(round, problem ?? describeLive(round)),
    bondedTokens: toAmount(base.bondedTokens),
    ...thresholds(base.params, round),
    ...countColumns(round),
    ...ruleColumns(round, reported !== null),
    stakeHeight: reported && !end ? (round.node?.height ?? null) : round.stakeHeight,
    lastDayTime: findLastDay(round),
    version: round.at.value,
  }
}

/** The same row with what a later state says of its end. */
export const completedTallyRow = (round: VotingRound, ended: TallyRow): TallyRow => {
  const { end } = round
  return {
    ...ended,
    ...sumColumns(end, { live: undefined, reported: null }),
    votingPower: servedPower(round, { live: undefined, reported: null }),
    ...chainColumns(end?.chain ?? null),
    ...toChainMatch(round),
    ...thresholds(round.base.params, round),
    stakeHeight: null,
    version: round.at.value,
  }
}

const EARLIER = 'the vote ended before the first indexed height'

/** A round that ended before that height: only the chain's own numbers are known. */
export const earlierTallyRow = (
  { proposalId, round, chain }: { proposalId: string; round: number; chain: TallyCounts | null },
  at: EventPosition,
): TallyRow => {
  const earlier = new VotingRound({ proposalId, round, isExpedited: false, kinds: [] }, at)
  earlier.castUnknown(at)
  const reasons = { unavailableReason: EARLIER, notRecomputed: EARLIER }
  earlier.end = { by: 'tallied', chain, ...reasons }
  return tallyRow(earlier, { parts: new Map(), sum: undefined, problem: undefined })
}
