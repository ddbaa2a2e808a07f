// Converts rows of the read model to proposals of responses. Pure.
import { truncate } from '../../../ingest/contract/decimal.ts'
import { toHeight } from '../../../ingest/contract/envelope.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import type { TallyRow } from '../../../projections/contract/tables/votes.ts'
import type { DisplayUnit } from '../../display-unit.ts'
import type { Proposal, ProposalSummary } from '../../schemas/proposal.ts'
import type { Tally } from '../../schemas/tally.ts'
import type { Watermark } from '../snapshot.ts'
import { toDepositRequirement } from './deposit-requirement.ts'
import { findOutcomeReason } from './outcome.ts'
import type { ProposalHead } from './proposal-head.ts'
import { toChanges, toMessages } from './proposal-messages.ts'
import { computeTurnoutShare, formatAmount, formatRate, formatTimestamp } from './values.ts'

export type ListedRow = Omit<ProposalRow, 'messages' | 'context' | 'changes'>

/** For an unknown round, the tables have the lowest possible number, and responses have null. */
export const getKnownRound = ({
  round,
  roundReason: reason,
}: Pick<ProposalRow, 'round' | 'roundReason'>): number | null => (reason === null ? round : null)

/** Null if a number is not known. */
const computeTurnout = ({ votingPower, bondedTokens: bonded }: TallyRow): string | null =>
  votingPower === null || bonded === null || bonded === 0n
    ? null
    : computeTurnoutShare(votingPower, bonded)

const toTally = (row: TallyRow): Tally => ({
  yes: formatAmount(row.yes),
  no: formatAmount(row.no),
  abstain: formatAmount(row.abstain),
  noWithVeto: formatAmount(row.noWithVeto),
  final: row.final,
  matchesChain: row.matchesChain,
  matchesChainReason: row.matchesChainReason,
  turnout: computeTurnout(row),
  votingPower: row.votingPower === null ? null : formatAmount(truncate(row.votingPower)),
  bondedTokens: formatAmount(row.bondedTokens),
  quorum: formatRate(row.quorum),
  threshold: formatRate(row.threshold),
  vetoThreshold: formatRate(row.vetoThreshold),
  poolsVoted: row.poolsVoted,
  ballots: row.ballots,
  rule: {
    name: row.rule === '' ? null : row.rule,
    provedAt: row.ruleProvedHeight,
    reported: row.reported,
  },
  stakeAt: row.final ? null : row.stakeHeight,
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
    proposalId: row.proposalId,
    title: row.title,
    titleSource: row.titleSource || null,
    summary: row.summary,
    summarySource: row.summarySource || null,
    authors: [...row.authors],
    forumUrl: row.forumUrl,
    metadata: row.metadata,
    proposer: row.proposer,
    messageTypes: [...row.messageTypes],
    messageCount: row.messageCount,
    status: row.status,
    outcomeReason: tally?.round === row.round ? findOutcomeReason(row.status, shown) : null,
    expedited: row.expedited,
    round: getKnownRound(row),
    failedReason: row.failedReason === '' ? null : row.failedReason,
    submitTime: formatTimestamp(row.submitTime),
    depositEndTime: formatTimestamp(row.depositEndTime),
    votingStartTime: formatTimestamp(row.votingStartTime),
    votingEndTime: formatTimestamp(row.votingEndTime),
    closedTime: formatTimestamp(row.closedTime),
    totalDeposit: [...row.totalDeposit],
    submittedAt:
      row.submittedHeight === null
        ? null
        : { height: row.submittedHeight, txHash: row.submittedTxHash },
    updatedAt: { height: toHeight(position) },
    history: row.history,
    historyReason: row.historyReason,
    tally: shown,
  }
}

export const toProposal = (
  { row, longFields }: Pick<ProposalHead, 'row' | 'longFields'>,
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
  }
}
