// Rows of the read model → proposals as answers show them. Pure.
import { ATTO, truncate } from '../../../ingest/contract/decimal.ts'
import { heightOfPosition } from '../../../ingest/contract/envelope.ts'
import type { ProposalRow, TallyRow } from '../../../projections/contract/read-model.ts'
import type { DisplayUnit } from '../../display-unit.ts'
import { readContext } from '../../explain/context.ts'
import { explainMessages } from '../../explain/explain.ts'
import type { Proposal, ProposalSummary, Tally } from '../../schemas/proposal.ts'
import type { Watermark } from '../snapshot.ts'
import { depositRequirementOf } from './deposit-requirement.ts'
import { outcomeReasonOf } from './outcome.ts'
import type { ProposalHead } from './proposal-head.ts'
import { changesOf, messagesOf } from './proposal-messages.ts'
import { rateOf, timeOf, turnoutShare } from './values.ts'

export type ListedRow = Omit<ProposalRow, 'messages' | 'context' | 'changes'>

/** The tables number a round by the lowest that it can be; an answer has no number that is not known. */
export const knownRound = ({
  round,
  round_reason: reason,
}: Pick<ProposalRow, 'round' | 'round_reason'>): number | null => (reason === null ? round : null)

/** Of one option: exact where the events give what the tally says in whole tokens, else those tokens. */
const exactAtto = (tokens: string, computedAtto: string | null): bigint => {
  const whole = BigInt(tokens)
  const computed = computedAtto === null ? undefined : BigInt(computedAtto)
  return computed !== undefined && truncate(computed) === whole ? computed : whole * ATTO
}

/** Null where it is not known. */
const turnoutOf = (row: TallyRow): string | null => {
  const { yes, no, abstain, no_with_veto: veto, bonded_tokens: bonded } = row
  if (yes === null || no === null || abstain === null || veto === null) return null
  if (bonded === null || BigInt(bonded) === 0n) return null
  const voted =
    exactAtto(yes, row.live_yes_atto) +
    exactAtto(no, row.live_no_atto) +
    exactAtto(abstain, row.live_abstain_atto) +
    exactAtto(veto, row.live_no_with_veto_atto)
  return turnoutShare(voted, BigInt(bonded))
}

const tallyOf = (row: TallyRow): Tally => ({
  yes: row.yes,
  no: row.no,
  abstain: row.abstain,
  noWithVeto: row.no_with_veto,
  final: row.final,
  matchesChain: row.matches_chain,
  matchesChainReason: row.matches_chain_reason,
  turnout: turnoutOf(row),
  bondedTokens: row.bonded_tokens,
  quorum: rateOf(row.quorum),
  threshold: rateOf(row.threshold),
  vetoThreshold: rateOf(row.veto_threshold),
  poolsVoted: row.pools_voted,
  ballots: row.ballots,
})

type ShownWith = {
  watermark: Pick<Watermark, 'position'>
  /** For explanations, where the chain's state has no unit of the denom. */
  displayUnit: DisplayUnit | undefined
}

export const summaryOf = (
  row: ListedRow,
  tally: TallyRow | undefined,
  { position }: Pick<Watermark, 'position'>,
): ProposalSummary => {
  const shown = tally ? tallyOf(tally) : null
  return {
    proposalId: row.proposal_id,
    title: row.title,
    summary: row.summary,
    metadata: row.metadata,
    proposer: row.proposer,
    messageTypes: [...row.message_types],
    status: row.status,
    outcomeReason: tally?.round === row.round ? outcomeReasonOf(row.status, shown) : null,
    expedited: row.expedited,
    round: knownRound(row),
    failedReason: row.failed_reason === '' ? null : row.failed_reason,
    submitTime: timeOf(row.submit_time),
    depositEndTime: timeOf(row.deposit_end_time),
    votingStartTime: timeOf(row.voting_start_time),
    votingEndTime: timeOf(row.voting_end_time),
    closedTime: timeOf(row.closed_time),
    totalDeposit: row.total_deposit.map(({ denom, amount }) => ({ denom, amount })),
    submittedAt:
      row.submitted_height === null
        ? null
        : { height: Number(row.submitted_height), txHash: row.submitted_tx_hash },
    updatedAt: { height: heightOfPosition(position) },
    history: row.history,
    historyReason: row.history_reason,
    tally: shown,
  }
}

export const proposalOf = (
  { row, longFields }: Pick<ProposalHead, 'row' | 'longFields'>,
  tally: TallyRow | undefined,
  { watermark, displayUnit }: ShownWith,
): Proposal => {
  const proposal = {
    ...summaryOf(row, tally, watermark),
    ...messagesOf(row, longFields),
    ...changesOf(row),
    depositRequirement: depositRequirementOf(row),
  }
  const context = readContext(row.context)
  return { ...proposal, explanations: explainMessages({ ...proposal, context, displayUnit }) }
}
