// Members and notes that several event types share.
import { Type } from 'typebox'
import {
  nullable,
  optional,
  ProposalId,
  ProposalState,
  Reason,
  TallyCounts,
  withDescription,
} from './facts.ts'
import { TallyRule } from './tally-rule.ts'

export const TxHash = nullable(
  Type.String({ pattern: '^[0-9A-F]{64}$' }),
  'SHA-256 of the transaction, in hex. Null if the begin or end of the block is the cause.',
)

export const Round = Type.Integer({
  minimum: 0,
  maximum: 2 ** 16 - 1,
  title: 'Round',
  description: 'The round of voting: 1, or 2 after an expedited vote failed. 0 before a vote.',
})

export const proposalAsOfHeight = {
  proposalId: ProposalId,
  proposal: nullable(
    ProposalState,
    'The proposal at the end of the height. Null if the node cannot return it.',
    'proposalReason',
  ),
  proposalReason: nullable(
    Reason,
    'Why the state of the chain lacks the proposal; null if it does not.',
  ),
}

export const chunkMembers = {
  chunk: Type.Integer({ minimum: 0, description: 'Number of this chunk, from 0.' }),
  chunks: Type.Integer({ minimum: 1, description: 'Number of chunks.' }),
}

export const PROPOSER_REASON = optional(
  Reason,
  'Why the proposal’s `proposer` is null; absent if it is not null.',
)

/** The tally rule at this height. */
export const createRuleMember = (where: string) => ({
  rule: optional(TallyRule, `What counts; absent if it is \`gov\`.${where}`),
})

/** The result of a round. The reading that follows has the inputs of its tally. */
export const closing = {
  ...proposalAsOfHeight,
  round: withDescription(Round, 'The round that ended; 0 if there was no vote.'),
  log: nullable(
    Type.String(),
    'The chain’s `proposal_log`; null if the event has none (before SDK 0.50).',
  ),
  finalTally: nullable(
    TallyCounts,
    'The chain’s own result. Null if the node cannot return it, or if there was no vote.',
    'unavailableReason',
  ),
  unavailableReason: nullable(
    Reason,
    'Why `finalTally` or a reading of the tally is missing; null if none is.',
  ),
}

/** The state in most proposal events. */
export const STATE_AFTER = 'The committed state of the event’s own height, after its end block.'
/** The order of an event that one ABCI event causes. */
export const ORDER_ABCI = 'The ordinal of its ABCI event; `sub` is 0.'
