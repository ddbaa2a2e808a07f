// Creates the row of one voting round: the served numbers, the chain's own tally, and the sum of the pool rows.

import { truncate } from '../../../ingest/contract/decimal.ts'
import type { GovParams, TallyCounts } from '../../../ingest/contract/facts.ts'
import { mapSums, type OptionSums } from '../../../ingest/tally/option-sums.ts'
import { compareWithChain } from '../../../ingest/tally/strategy.ts'
import type { MatchesChain, TallyRow } from '../../contract/read-model.ts'
import type { RoundEnd } from '../ballot.ts'
import type { EventPosition } from '../event-position.ts'
import type { CheckedPricing } from '../possible-numbers.ts'
import { priceRound } from '../pricing.ts'
import type { VotingRound } from '../voting-round.ts'

type ChainMatch = { matches_chain: MatchesChain; matches_chain_reason: string | null }

const unknown = (reason: string): ChainMatch => ({
  matches_chain: 'unknown',
  matches_chain_reason: reason,
})

/**
 * Whether the numbers equal the chain's, and why not or why that is unknown. `impossible`: why live numbers
 * are left out.
 */
export const toChainMatch = (end: RoundEnd | undefined, impossible?: string): ChainMatch => {
  if (!end) return unknown(impossible ?? 'the vote is still open')
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

type Rules = Pick<VotingRound, 'isExpedited' | 'hasOwnLimits'>

/** All null: not known. */
const thresholds = (params: GovParams | null, { isExpedited, hasOwnLimits }: Rules) => {
  if (hasOwnLimits) return { quorum: null, threshold: null, veto_threshold: null }
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

const sumColumns = (end: RoundEnd | undefined, live: OptionSums | undefined) => {
  const whole = live && mapSums(live, truncate)
  const sums = end?.by === 'tallied' ? end.chain : whole
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

export const tallyRow = (round: VotingRound, pricing: CheckedPricing): TallyRow => {
  const { end } = round
  const { registry } = pricing
  const live = pricing.check(priceRound(round, pricing))
  const isTallied = end?.by === 'tallied'
  return {
    proposal_id: round.proposalId,
    round: round.round,
    ...sumColumns(end, live),
    ...chainColumns(end?.chain ?? null),
    final: end !== undefined,
    ...toChainMatch(end, pricing.problem()),
    bonded_tokens: isTallied ? end.bondedTokens : registry.bondedTokens,
    ...thresholds(isTallied ? end.params : registry.params, round),
    ...countColumns(round),
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
  ...thresholds(null, { isExpedited: false, hasOwnLimits: false }),
  pools_voted: null,
  ballots: null,
  pool_rows: 0,
  version: at.digits,
})
