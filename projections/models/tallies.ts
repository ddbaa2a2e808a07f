// Makes the row of one voting round: what is served, what the chain said, what the pool rows add up to.
import type { GovParams, TallyCounts } from '../../ingest/contract/facts.ts'
import { truncate } from '../../ingest/tally/decimal.ts'
import { mapSums, type OptionSums } from '../../ingest/tally/option-sums.ts'
import { compareWithChain } from '../../ingest/tally/strategy.ts'
import type { MatchesChain, TallyRow } from '../contract/read-model.ts'
import { priceVote, type Round } from './pool-votes.ts'
import type { CheckedPricing } from './possible-numbers.ts'

/** How a round ended. */
export type RoundEnd = {
  /** `tallied` by the chain, or `canceled`: then it tallied nothing and the last live numbers stay. */
  by: 'tallied' | 'canceled'
  chain: TallyCounts | null
  bondedTokens: string | null
  params: GovParams | null
  /** Why any of them is null. */
  unavailableReason: string | null
  /** Truncated totals, computed again from the evidence; absent where nobody could. */
  recomputed?: TallyCounts
  /** Why nobody could. */
  notRecomputed?: string
}

type Verdict = { matches_chain: MatchesChain; matches_chain_reason: string | null }

const unknown = (reason: string): Verdict => ({
  matches_chain: 'unknown',
  matches_chain_reason: reason,
})

/**
 * Whether the numbers are the chain's own, and why not or why that is not known. `impossible`: why live numbers are
 * left out.
 */
export const verdictOf = (end: RoundEnd | undefined, impossible?: string): Verdict => {
  if (!end) return unknown(impossible ?? 'the vote is still open')
  if (end.by === 'canceled') return unknown('the proposal was canceled: the chain tallied nothing')
  const { chain, recomputed } = end
  if (!chain) return unknown(end.unavailableReason ?? "the chain's final tally is not known")
  if (!recomputed) {
    return unknown(end.notRecomputed ?? 'the log has no evidence of what was tallied')
  }
  const { matchesChain, reason } = compareWithChain({ recomputed, chain, incompleteReason: null })
  return { matches_chain: matchesChain, matches_chain_reason: reason }
}

const thresholds = (params: GovParams | null, isExpedited: boolean) => ({
  quorum: params?.quorum ?? null,
  threshold: (isExpedited ? params?.expeditedThreshold : params?.threshold) ?? null,
  veto_threshold: params?.vetoThreshold ?? null,
})

const chainColumns = (chain: TallyCounts | null) => ({
  chain_yes: chain?.yes ?? null,
  chain_abstain: chain?.abstain ?? null,
  chain_no: chain?.no ?? null,
  chain_no_with_veto: chain?.noWithVeto ?? null,
})

const servedColumns = (end: RoundEnd | undefined, live: OptionSums | undefined) => {
  const whole = live && mapSums(live, truncate)
  const served = end?.by === 'tallied' ? end.chain : whole
  return {
    yes: served?.yes.toString() ?? null,
    abstain: served?.abstain.toString() ?? null,
    no: served?.no.toString() ?? null,
    no_with_veto: served?.noWithVeto.toString() ?? null,
    live_yes_atto: live?.yes.toString() ?? null,
    live_abstain_atto: live?.abstain.toString() ?? null,
    live_no_atto: live?.no.toString() ?? null,
    live_no_with_veto_atto: live?.noWithVeto.toString() ?? null,
  }
}

const countColumns = ({ fold }: Round) => {
  const entries = [...fold.entries.values()]
  const isKnown = !fold.hasUnknownVotes()
  return {
    pools_voted: isKnown ? entries.filter((entry) => entry.ownVote !== undefined).length : null,
    ballots: isKnown ? fold.ballots.size : null,
    pool_rows: entries.length,
  }
}

export type RoundState = Round & {
  isExpedited: boolean
  end: RoundEnd | undefined
  /** The last alert about numbers that cannot be: not repeated while nothing else is wrong. */
  impossible?: string | undefined
}

export const tallyRow = (vote: RoundState, pricing: CheckedPricing): TallyRow => {
  const { end } = vote
  const { book } = pricing
  const live = pricing.check(priceVote(vote.fold, pricing))
  const isTallied = end?.by === 'tallied'
  return {
    proposal_id: vote.proposalId,
    round: vote.round,
    ...servedColumns(end, live),
    ...chainColumns(end?.chain ?? null),
    final: end !== undefined,
    ...verdictOf(end, pricing.problem()),
    bonded_tokens: isTallied ? end.bondedTokens : book.bondedTokens,
    ...thresholds(isTallied ? end.params : book.params, vote.isExpedited),
    ...countColumns(vote),
    version: vote.fold.moment.digits,
  }
}

/** A round that the chain tallied and Rollcall did not come to the same: somebody must know. */
export type TallyAlarm = {
  proposalId: string
  round: number
  matchesChain: MatchesChain
  reason: string | null
}

export const tallyAlarm = (row: TallyRow): TallyAlarm => ({
  proposalId: row.proposal_id,
  round: row.round,
  matchesChain: row.matches_chain,
  reason: row.matches_chain_reason,
})

/** An open round, or one whose evidence adds up to nonsense: what was left out, and why. */
export type ImpossibleNumbers = { proposalId: string; round: number; reason: string }

/** A round that ended before the first indexed height: only the chain's own numbers are known. */
export const earlierTallyRow = (
  vote: { proposalId: string; round: number; chain: TallyCounts | null },
  version: bigint,
): TallyRow => ({
  proposal_id: vote.proposalId,
  round: vote.round,
  yes: vote.chain?.yes ?? null,
  abstain: vote.chain?.abstain ?? null,
  no: vote.chain?.no ?? null,
  no_with_veto: vote.chain?.noWithVeto ?? null,
  ...chainColumns(vote.chain),
  live_yes_atto: null,
  live_abstain_atto: null,
  live_no_atto: null,
  live_no_with_veto_atto: null,
  final: true,
  ...unknown('the vote ended before the first indexed height'),
  bonded_tokens: null,
  ...thresholds(null, false),
  pools_voted: null,
  ballots: null,
  pool_rows: 0,
  version: version.toString(),
})
