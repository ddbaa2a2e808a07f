// Creates the row of one voting round: the served numbers, the chain's own tally, and the sum of the pool rows.

import { truncate } from '../../../ingest/contract/decimal.ts'
import type { GovParams, TallyCounts } from '../../../ingest/contract/facts.ts'
import { toKindLimits } from '../../../ingest/contract/gov-type.ts'
import type { OptionSums } from '../../../ingest/contract/option-sums.ts'
import { mapSums } from '../../../ingest/tally/option-sums.ts'
import { compareWithChain } from '../../../ingest/tally/strategy.ts'
import type { MatchesChain, TallyRow } from '../../contract/read-model.ts'
import type { RoundEnd } from '../ballot.ts'
import type { EventPosition } from '../event-position.ts'
import { findReported, isRefuted } from '../node-tally.ts'
import type { CheckedPricing } from '../possible-numbers.ts'
import { priceRound } from '../pricing.ts'
import type { VotingRound } from '../voting-round.ts'

type ChainMatch = { matches_chain: MatchesChain; matches_chain_reason: string | null }

const unknown = (reason: string): ChainMatch => ({
  matches_chain: 'unknown',
  matches_chain_reason: reason,
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
  return { matches_chain: matchesChain, matches_chain_reason: reason }
}

type Rules = Pick<VotingRound, 'isExpedited' | 'kinds'>

/** All null: not known. */
const thresholds = (known: GovParams | null, { isExpedited, kinds }: Rules) => {
  const params = known && toKindLimits(kinds, known)
  return {
    quorum: (isExpedited ? params?.expeditedQuorum : null) ?? params?.quorum ?? null,
    threshold: (isExpedited ? params?.expeditedThreshold : params?.threshold) ?? null,
    veto_threshold: params?.vetoThreshold ?? null,
  }
}

const chainColumns = (chain: TallyCounts | null) => ({
  chain_yes: chain?.yes ?? null,
  chain_abstain: chain?.abstain ?? null,
  chain_no: chain?.no ?? null,
  chain_no_with_veto: chain?.noWithVeto ?? null,
})

/** The sums of the chain at the end, else our own, else those that the node reported. */
const findWhole = (
  end: RoundEnd | undefined,
  { live, reported }: { live: OptionSums | undefined; reported: TallyCounts | null },
) => {
  if (end?.by === 'tallied') return end.chain
  return live ? mapSums(live, truncate) : reported
}

const sumColumns = (
  end: RoundEnd | undefined,
  { live, reported }: { live: OptionSums | undefined; reported: TallyCounts | null },
) => {
  const sums = findWhole(end, { live, reported })
  return {
    yes: sums?.yes?.toString() ?? null,
    abstain: sums?.abstain?.toString() ?? null,
    no: sums?.no?.toString() ?? null,
    no_with_veto: sums?.noWithVeto?.toString() ?? null,
    live_yes_atto: live?.yes.toString() ?? null,
    live_abstain_atto: live?.abstain.toString() ?? null,
    live_no_atto: live?.no.toString() ?? null,
    live_no_with_veto_atto: live?.noWithVeto.toString() ?? null,
  }
}

const countColumns = ({ entries, ballots, hasUnknownVotes }: VotingRound) => {
  const pools = [...entries.values()]
  return {
    pools_voted: hasUnknownVotes ? null : pools.filter(({ ownVote }) => ownVote).length,
    ballots: hasUnknownVotes ? null : ballots.size,
    pool_rows: pools.length,
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
    rule_proved_height: provedAt?.toString() ?? null,
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
    proposal_id: round.proposalId,
    round: round.round,
    ...sumColumns(end, { live, reported }),
    ...chainColumns(end?.chain ?? null),
    final: end !== undefined,
    ...toChainMatch(end, pricing.problem() ?? describeReading(round)),
    bonded_tokens: isTallied ? end.bondedTokens : registry.bondedTokens,
    ...thresholds(isTallied ? end.params : registry.params, round),
    ...countColumns(round),
    ...ruleColumns(round, reported !== null),
    version: round.at.digits,
  }
}

/** The same row with what a later state says of its end. */
export const completedTallyRow = (round: VotingRound, ended: TallyRow): TallyRow => {
  const { end } = round
  const { yes, abstain, no, no_with_veto } = sumColumns(end, { live: undefined, reported: null })
  return {
    ...ended,
    yes,
    abstain,
    no,
    no_with_veto,
    ...chainColumns(end?.chain ?? null),
    ...toChainMatch(end),
    ...thresholds(end?.params ?? null, round),
    version: round.at.digits,
  }
}

/** A round that ended before the first indexed height: only the chain's own numbers are known. */
export const earlierTallyRow = (
  { proposalId, round, chain }: { proposalId: string; round: number; chain: TallyCounts | null },
  at: EventPosition,
): TallyRow => ({
  proposal_id: proposalId,
  round,
  yes: chain?.yes ?? null,
  abstain: chain?.abstain ?? null,
  no: chain?.no ?? null,
  no_with_veto: chain?.noWithVeto ?? null,
  ...chainColumns(chain),
  live_yes_atto: null,
  live_abstain_atto: null,
  live_no_atto: null,
  live_no_with_veto_atto: null,
  final: true,
  ...unknown('the vote ended before the first indexed height'),
  bonded_tokens: null,
  ...thresholds(null, { isExpedited: false, kinds: [] }),
  pools_voted: null,
  ballots: null,
  pool_rows: 0,
  rule: '',
  rule_proved_height: null,
  reported: false,
  version: at.digits,
})
