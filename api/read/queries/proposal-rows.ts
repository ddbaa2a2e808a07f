// Converts rows of the read model to proposals of responses. Pure.
import { MAX_LISTED_TYPES } from '../../../ingest/contract/bounds.ts'
import { ATTO, truncate } from '../../../ingest/contract/decimal.ts'
import { toHeight } from '../../../ingest/contract/envelope.ts'
import type { ProposalRow, TallyRow } from '../../../projections/contract/read-model.ts'
import type { DisplayUnit } from '../../display-unit.ts'
import type { Proposal, ProposalSummary } from '../../schemas/proposal.ts'
import type { Tally } from '../../schemas/tally.ts'
import type { Watermark } from '../snapshot.ts'
import { toDepositRequirement } from './deposit-requirement.ts'
import { formatEventsPath } from './events.ts'
import { findOutcomeReason, toSums } from './outcome.ts'
import type { ProposalHead } from './proposal-head.ts'
import { toChanges, toMessages } from './proposal-messages.ts'
import { computeTurnoutShare, formatRate, formatTimestamp } from './values.ts'

export type ListedRow = Omit<ProposalRow, 'messages' | 'context' | 'changes'>

/** For an unknown round, the tables have the lowest possible number, and responses have null. */
export const getKnownRound = ({
  round,
  round_reason: reason,
}: Pick<ProposalRow, 'round' | 'round_reason'>): number | null => (reason === null ? round : null)

/** The exact sum of one option if it matches the whole tokens of the tally, otherwise these tokens. */
const computeExactAtto = (whole: bigint, computedAtto: string | null): bigint => {
  const computed = computedAtto === null ? undefined : BigInt(computedAtto)
  return computed !== undefined && truncate(computed) === whole ? computed : whole * ATTO
}

/** Null if a number is not known. */
const computeTurnout = (row: TallyRow): string | null => {
  const { bonded_tokens: bonded } = row
  const counts = toSums({ ...row, noWithVeto: row.no_with_veto })
  if (!counts || bonded === null || BigInt(bonded) === 0n) return null
  const voted =
    computeExactAtto(counts.yes, row.live_yes_atto) +
    computeExactAtto(counts.no, row.live_no_atto) +
    computeExactAtto(counts.abstain, row.live_abstain_atto) +
    computeExactAtto(counts.noWithVeto, row.live_no_with_veto_atto)
  return computeTurnoutShare(voted, BigInt(bonded))
}

const toTally = (row: TallyRow): Tally => ({
  yes: row.yes,
  no: row.no,
  abstain: row.abstain,
  noWithVeto: row.no_with_veto,
  final: row.final,
  matchesChain: row.matches_chain,
  matchesChainReason: row.matches_chain_reason,
  turnout: computeTurnout(row),
  bondedTokens: row.bonded_tokens,
  quorum: formatRate(row.quorum),
  threshold: formatRate(row.threshold),
  vetoThreshold: formatRate(row.veto_threshold),
  poolsVoted: row.pools_voted,
  ballots: row.ballots,
  rule: {
    name: row.rule === '' ? null : row.rule,
    provedAt: row.rule_proved_height === null ? null : Number(row.rule_proved_height),
    reported: row.reported,
  },
})

type ShownWith = {
  watermark: Pick<Watermark, 'position'>
  /** For explanations, if the chain state has no display unit of the denom. */
  displayUnit: DisplayUnit | undefined
}

export const toProposalSummary = (
  row: ListedRow,
  tally: TallyRow | undefined,
  { position }: Pick<Watermark, 'position'>,
): ProposalSummary => {
  const shown = tally ? toTally(tally) : null
  return {
    proposalId: row.proposal_id,
    title: row.title,
    titleSource: row.title_source || null,
    summary: row.summary,
    summarySource: row.summary_source || null,
    authors: [...row.authors],
    forumUrl: row.forum_url,
    metadata: row.metadata,
    proposer: row.proposer,
    messageTypes: row.message_types.slice(0, MAX_LISTED_TYPES),
    messageCount: row.message_count,
    status: row.status,
    outcomeReason: tally?.round === row.round ? findOutcomeReason(row.status, shown) : null,
    expedited: row.expedited,
    round: getKnownRound(row),
    failedReason: row.failed_reason === '' ? null : row.failed_reason,
    submitTime: formatTimestamp(row.submit_time),
    depositEndTime: formatTimestamp(row.deposit_end_time),
    votingStartTime: formatTimestamp(row.voting_start_time),
    votingEndTime: formatTimestamp(row.voting_end_time),
    closedTime: formatTimestamp(row.closed_time),
    totalDeposit: [...row.total_deposit],
    submittedAt:
      row.submitted_height === null
        ? null
        : { height: Number(row.submitted_height), txHash: row.submitted_tx_hash },
    updatedAt: { height: toHeight(position) },
    history: row.history,
    historyReason: row.history_reason,
    tally: shown,
  }
}

export const toProposal = (
  { row, longFields, isShortened }: Pick<ProposalHead, 'row' | 'longFields' | 'isShortened'>,
  tally: TallyRow | undefined,
  { watermark, displayUnit }: ShownWith,
): Proposal => {
  const { explanations, ...messages } = toMessages(row, { longFields, displayUnit })
  return {
    ...toProposalSummary(row, tally, watermark),
    ...messages,
    ...toChanges(row),
    depositRequirement: toDepositRequirement(row),
    explanations,
    ...(isShortened ? { truncated: true, wholeAt: formatEventsPath(row.proposal_id) } : {}),
  }
}
