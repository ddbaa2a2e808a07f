// Creates the row of one voting round: the served numbers, the chain's own tally, and the sum of the pool rows.

import { truncate } from '../../../ingest/contract/decimal.ts'
import type { GovParams, TallyCounts } from '../../../ingest/contract/facts.ts'
import { toKindLimits } from '../../../ingest/contract/gov-type.ts'
import type { OptionSums } from '../../../ingest/contract/option-sums.ts'
import { mapSums } from '../../../ingest/tally/option-sums.ts'
import { compareWithChain } from '../../../ingest/tally/strategy.ts'
import type { MatchesChain, TallyRow } from '../../contract/tables/tallies.ts'
import type { RoundEnd } from '../ballot.ts'
import type { EventPosition } from '../event-position.ts'
import { findReported, isRefuted } from '../node-tally.ts'
import type { CheckedPricing } from '../possible-numbers.ts'
import { priceRound } from '../pricing.ts'
import type { VotingRound } from '../voting-round.ts'

type ChainMatch = { matchesChain: MatchesChain; matchesChainReason: string | null }

const unknown = (reason: string): ChainMatch => ({
  matchesChain: 'unknown',
  matchesChainReason: reason,
})

/**
 * Whether the numbers equal the chain's, and why not or why that is unknown. `missing`: why live numbers
 * are left out.
 */
export const toChainMatch = (end: RoundEnd | undefined, missing?: string): ChainMatch => {
  if (!end) return unknown(missing ?? 'the vote is still open')
  if (end.by === 'canceled') {
    return unknown(end.unavailableReason ?? 'the proposal was canceled: there is no tally')
  }
  const { chain, recomputed } = end
  if (!chain) return unknown(end.unavailableReason ?? "the chain's final tally is unknown")
  if (!recomputed) {
    return unknown(end.notRecomputed ?? 'the log has no evidence of the tally')
  }
  const { matchesChain, reason } = compareWithChain({ recomputed, chain, incompleteReason: null })
  return { matchesChain, matchesChainReason: reason }
}

type Rules = Pick<VotingRound, 'isExpedited' | 'kinds'>

/** All null: not known. */
const thresholds = (known: GovParams | null, { isExpedited, kinds }: Rules) => {
  const params = known && toKindLimits(kinds, known)
  return {
    quorum: (isExpedited ? params?.expeditedQuorum : null) ?? params?.quorum ?? null,
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

const liveColumns = (live: OptionSums | undefined) => ({
  liveYes: live?.yes ?? null,
  liveAbstain: live?.abstain ?? null,
  liveNo: live?.no ?? null,
  liveNoWithVeto: live?.noWithVeto ?? null,
})

/** The sums of the chain at the end, else our own, else those that the node reported. */
const sumColumns = (
  end: RoundEnd | undefined,
  { live, reported }: { live: OptionSums | undefined; reported: TallyCounts | null },
): Sums => {
  if (end?.by === 'tallied') return toSums(end.chain)
  return live ? mapSums(live, truncate) : toSums(reported)
}

const countColumns = ({ entries, ballots, hasUnknownVotes }: VotingRound) => {
  const pools = [...entries.values()]
  return {
    poolsVoted: hasUnknownVotes ? null : pools.filter(({ ownVote }) => ownVote).length,
    ballots: hasUnknownVotes ? null : ballots.size,
    poolRows: pools.length,
  }
}

/** Why an open vote has no numbers yet; undefined if nothing more is to come. */
const describeReading = ({ ballots, hasUnknownVotes, isIncomplete }: VotingRound) => {
  if (!isIncomplete || hasUnknownVotes) return undefined
  const left = [...ballots.values()].filter(({ readLater }) => readLater).length
  const [unread, all] = [left, ballots.size].map((count) => count.toLocaleString('en-US'))
  return left === 0
    ? undefined
    : `the delegations of ${unread} of ${all} voters are still being read`
}

/** No rule is known while the node refutes it. */
const ruleColumns = ({ node, end, exact, registry }: VotingRound, reported: boolean) => {
  const rule = exact?.rule ?? registry.rule
  const provedAt = node?.rule === rule ? node.provedAt : null
  return {
    rule: !end && isRefuted(node) ? ('' as const) : rule,
    ruleProvedHeight: provedAt ?? null,
    reported,
  }
}

export const tallyRow = (round: VotingRound, pricing: CheckedPricing): TallyRow => {
  const { end } = round
  const { registry } = pricing
  const live = pricing.check(priceRound(round, pricing))
  const isTallied = end?.by === 'tallied'
  const reported = isTallied || live ? null : findReported(round.node)
  return {
    proposalId: round.proposalId,
    round: round.round,
    ...sumColumns(end, { live, reported }),
    ...liveColumns(live),
    ...chainColumns(end?.chain ?? null),
    final: end !== undefined,
    ...toChainMatch(end, pricing.problem() ?? describeReading(round)),
    bondedTokens: toAmount(isTallied ? end.bondedTokens : registry.bondedTokens),
    ...thresholds(isTallied ? end.params : registry.params, round),
    ...countColumns(round),
    ...ruleColumns(round, reported !== null),
    version: round.at.value,
  }
}

/** The same row with what a later state says of its end. */
export const completedTallyRow = (round: VotingRound, ended: TallyRow): TallyRow => {
  const { end } = round
  return {
    ...ended,
    ...sumColumns(end, { live: undefined, reported: null }),
    ...chainColumns(end?.chain ?? null),
    ...toChainMatch(end),
    ...thresholds(end?.params ?? null, round),
    version: round.at.value,
  }
}

/** A round that ended before the first indexed height: only the chain's own numbers are known. */
export const earlierTallyRow = (
  { proposalId, round, chain }: { proposalId: string; round: number; chain: TallyCounts | null },
  at: EventPosition,
): TallyRow => ({
  proposalId,
  round,
  ...toSums(chain),
  ...chainColumns(chain),
  ...liveColumns(undefined),
  final: true,
  ...unknown('the vote ended before the first indexed height'),
  bondedTokens: null,
  ...thresholds(null, { isExpedited: false, kinds: [] }),
  poolsVoted: null,
  ballots: null,
  poolRows: 0,
  rule: '',
  ruleProvedHeight: null,
  reported: false,
  version: at.value,
})
