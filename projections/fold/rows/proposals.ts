// Creates the row of a proposal.
import { addressKey } from '../../../ingest/contract/address.ts'
import type { Message } from '../../../ingest/contract/facts.ts'
import type { ProposalRow } from '../../contract/tables/proposals.ts'
import { toTimestamp } from '../../contract/timestamps.ts'
import { readParameterChanges } from '../parameter-changes.ts'
import { textColumns } from '../proposal-texts.ts'
import type { OpenProposal } from '../state.ts'

const SHOWN_REASONS = 3

/** AtomOne's number; no other chain has a sixth status. */
const NAMED_STATUSES: Readonly<Record<string, string>> = { status_6: 'vetoed' }

const historyColumns = ({ reconstructed, partialReasons }: OpenProposal) => {
  const reasons = reconstructed === null ? partialReasons : [reconstructed, ...partialReasons]
  if (reasons.length === 0) return { history: 'complete' as const, historyReason: null }
  const more = reasons.length - SHOWN_REASONS
  const shown = reasons.slice(0, SHOWN_REASONS).join('; ')
  return {
    history: reconstructed === null ? ('partial' as const) : ('reconstructed' as const),
    historyReason: more > 0 ? `${shown}; and ${more} more` : shown,
  }
}

export const messagesJson = (messages: readonly Message[]): string => JSON.stringify(messages)

const changesJson = ({ messages, observed }: OpenProposal): string =>
  JSON.stringify(readParameterChanges(JSON.parse(messages), observed))

const depositColumns = ({ depositParams }: OpenProposal) => {
  if (depositParams) {
    const { minDeposit, expeditedMinDeposit } = depositParams
    return { minDeposit, expeditedMinDeposit, minDepositReason: null }
  }
  const reason =
    depositParams === null
      ? 'the node did not report the parameters of governance'
      : 'the log has no parameters of governance from its deposit period'
  return { minDeposit: [], expeditedMinDeposit: [], minDepositReason: reason }
}

export const proposalRow = (proposal: OpenProposal): ProposalRow => {
  const { state, submitted, closed } = proposal
  const { messageTypes, messageCount = messageTypes.length, furtherMessageTypes = [] } = state
  return {
    proposalId: proposal.proposalId,
    ...textColumns(state),
    metadata: state.metadata,
    proposer: state.proposer,
    proposerKey: state.proposer === null ? null : addressKey(state.proposer),
    messageTypes,
    messageCount,
    furtherMessageTypes,
    failedReason: state.failedReason || null,
    messages: proposal.messages,
    changes: changesJson(proposal),
    status: NAMED_STATUSES[state.status] ?? state.status,
    expedited: state.expedited,
    round: proposal.round,
    roundReason: proposal.roundReason,
    submitTime: toTimestamp(state.submitTime),
    depositEndTime: toTimestamp(state.depositEndTime),
    votingStartTime: toTimestamp(state.votingStartTime),
    votingEndTime: toTimestamp(state.votingEndTime),
    closedTime: toTimestamp(closed?.time ?? null),
    closedHeight: closed?.height ?? null,
    totalDeposit: state.totalDeposit.map(({ denom, amount }) => ({ denom, amount })),
    ...depositColumns(proposal),
    submittedHeight: submitted?.height ?? null,
    submittedTxHash: submitted?.txHash ?? null,
    ...historyColumns(proposal),
    version: proposal.at.value,
  }
}
