// Reads one proposal with the tallies of all its rounds, and converts rows to proposals of responses.

import { truncate } from '../../../ingest/contract/decimal.ts'
import { toHeight } from '../../../ingest/contract/envelope.ts'
import type { Coin } from '../../../ingest/contract/facts.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import type { TallyRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { DepositRequirement } from '../../schemas/deposit.ts'
import type { Proposal, ProposalSummary } from '../../schemas/proposal.ts'
import type { Tally } from '../../schemas/tally.ts'
import type { DisplayUnit } from '../../words/display-unit.ts'
import type { Watermark } from '../snapshot.ts'
import { requireOneState, type StoreReads, selectLatest } from './as-of.ts'
import { type LongField, readLongFields, toChanges, toMessages } from './messages.ts'
import { findOutcomeReason } from './outcome.ts'
import { computeTurnoutShare, formatAmount, formatRate, formatTimestamp } from './values.ts'

type DepositColumns = Pick<
  ProposalRow,
  'expedited' | 'totalDeposit' | 'minDeposit' | 'expeditedMinDeposit' | 'minDepositReason'
>

/** The chain requires the minimum of every denom. */
const computeMissing = (total: readonly Coin[], minimum: readonly Coin[]) =>
  minimum.flatMap(({ denom, amount }) => {
    const deposited = total.find((coin) => coin.denom === denom)?.amount ?? '0'
    const missing = BigInt(amount) - BigInt(deposited)
    return missing > 0n ? [{ denom, amount: missing.toString() }] : []
  })

const UNKNOWN_EXPEDITED = 'the parameters of governance have no minimum for an expedited vote'

export const toDepositRequirement = (row: DepositColumns): DepositRequirement => {
  const { expedited, totalDeposit: total, minDepositReason: reason } = row
  const unknown = { minimum: null, expeditedMinimum: null, missing: null }
  if (reason !== null) return { ...unknown, reason }
  const minimum = [...row.minDeposit]
  if (!expedited) {
    return {
      minimum,
      expeditedMinimum: null,
      missing: computeMissing(total, minimum),
      reason: null,
    }
  }
  const expeditedMinimum = [...row.expeditedMinDeposit]
  if (expeditedMinimum.length === 0) return { ...unknown, minimum, reason: UNKNOWN_EXPEDITED }
  return {
    minimum,
    expeditedMinimum,
    missing: computeMissing(total, expeditedMinimum),
    reason: null,
  }
}

/** Longer messages are replaced by an empty text, so they are not read. */
const MAX_MESSAGES_BYTES = 2 ** 20
const PROPOSAL = TABLES.proposals.except([], {
  messages: (column) => `if(length(${column}) <= ${MAX_MESSAGES_BYTES}, ${column}, '')`,
})

export type ProposalHead = {
  row: ProposalRow
  tallies: readonly TallyRow[]
  /** The long fields of its messages. */
  longFields: readonly LongField[]
}

/** Undefined if the tables do not have the proposal. */
export const readProposalHead = async (
  reads: StoreReads,
  proposalId: string,
): Promise<ProposalHead | undefined> => {
  const { snapshot } = reads
  const isIt = 'WHERE proposal_id = {id:UInt64}'
  const params = { id: proposalId }
  const [[row], tallies] = await Promise.all([
    selectLatest(reads, TABLES.proposals, PROPOSAL, isIt, params),
    selectLatest(reads, TABLES.tallies, TABLES.tallies.all, `${isIt} ORDER BY round`, params),
  ])
  if (!row) return undefined
  requireOneState(row, tallies, snapshot)
  // Few proposals have long fields: all others need one query less.
  const longFields = row.messages.includes('"sha256"')
    ? await readLongFields(reads, proposalId)
    : []
  return { row, tallies, longFields }
}

export const findTally = (head: ProposalHead, round: number): TallyRow | undefined =>
  head.tallies.find((tally) => tally.round === round)

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
