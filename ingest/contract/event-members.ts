// Members and notes that several event types share.
import { Type } from 'typebox'
import {
  Address,
  GovParams,
  IntegerString,
  nullable,
  ProposalId,
  ProposalState,
  Reason,
  TallyCounts,
  withDescription,
} from './facts.ts'
import { TallyRule, TallyStrategy } from './tally-rule.ts'

export const TxHash = nullable(Type.String({ pattern: '^[0-9A-F]{64}$' }), {
  description:
    'SHA-256 of the transaction, in hex. Null if the begin or end of the block is the cause.',
})

export const Round = Type.Integer({
  minimum: 0,
  maximum: 2 ** 16 - 1,
  title: 'Round',
  description: 'The round of voting: 1, or 2 after an expedited vote failed. 0 before a vote.',
})

export const proposalAsOfHeight = {
  proposalId: ProposalId,
  proposal: nullable(ProposalState, {
    description: 'The proposal at the end of the height. Null if the node cannot return it.',
    'x-reason': 'proposalReason',
  }),
  proposalReason: nullable(Reason, {
    description: 'Why the state of the chain lacks the proposal; null if it does not.',
  }),
}

export const chunkMembers = {
  chunk: Type.Integer({ minimum: 0, description: 'Number of this chunk, from 0.' }),
  chunks: Type.Integer({ minimum: 1, description: 'Number of chunks.' }),
}

export const PROPOSER_REASON = Type.Optional(
  withDescription(Reason, 'Why the proposal’s `proposer` is null; absent if it is not null.'),
)

/** The tally rules at this height. */
export const createRuleMembers = (where: string) => ({
  strategy: Type.Optional(
    withDescription(
      TallyStrategy,
      `The tally rules of this chain; absent means \`inherit\`.${where}`,
    ),
  ),
  rule: Type.Optional(
    withDescription(
      TallyRule,
      `What counts; absent if \`strategy\` alone says it, as \`gov\` or \`no_inheritance\`.${where}`,
    ),
  ),
})

/** The result of a round. */
export const closing = {
  ...proposalAsOfHeight,
  round: withDescription(Round, 'The round that ended; 0 if there was no vote.'),
  log: nullable(Type.String(), {
    description: 'The chain’s `proposal_log`; null if the event has none (before SDK 0.50).',
  }),
  finalTally: nullable(TallyCounts, {
    description:
      'The chain’s own result. Null if the node cannot return it, or if there was no vote.',
    'x-reason': 'unavailableReason',
  }),
  bondedTokens: nullable(IntegerString, {
    description:
      'The bonded tokens at the tally, in base units: the denominator of the quorum. ' +
      'It is the total at the end of the height, without changes by staking after the tally. ' +
      'Null if the node cannot return it, or if there was no vote.',
    'x-reason': 'unavailableReason',
  }),
  params: nullable(GovParams, {
    description:
      'The parameters that applied to the tally. Null if the node cannot return them, or if there was no vote.',
    'x-reason': 'unavailableReason',
  }),
  unavailableReason: nullable(Reason, {
    description: 'Why any of `finalTally`, `bondedTokens` and `params` is null; null if none is.',
  }),
}

/** An optional account. */
export const Actor = (notes: { description: string; 'x-reason'?: string }) =>
  nullable(Address, notes)

/** The state in most proposal events. */
export const STATE_AFTER = 'The committed state of the event’s own height, after its end block.'
/** The order of an event that one ABCI event causes. */
export const ORDER_ABCI = 'The ordinal of its ABCI event; `sub` is 0.'
