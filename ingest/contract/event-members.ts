// Members that several kinds of event share, and what their pages say alike.
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
  TallyStrategy,
  withDescription,
} from './facts.ts'

export const TxHash = nullable(Type.String({ pattern: '^[0-9A-F]{64}$' }), {
  description:
    'SHA-256 of the transaction, in hex. Null where no transaction is the cause, but the begin or end of the block.',
})

export const Round = Type.Integer({
  minimum: 0,
  maximum: 2 ** 16 - 1,
  title: 'Round',
  description:
    'The round of voting: 1, or 2 after an expedited vote fell back. 0 while there was no vote.',
})

export const proposalAsOfHeight = {
  proposalId: ProposalId,
  proposal: nullable(ProposalState, {
    description: 'The proposal at the end of the height. Null where the node cannot show it.',
    'x-reason': 'proposalReason',
  }),
  proposalReason: nullable(Reason, {
    description: 'Why the chain’s state does not have the proposal; null where it does.',
  }),
}

export const chunkMembers = {
  chunk: Type.Integer({ minimum: 0, description: 'Number of this chunk, from 0.' }),
  chunks: Type.Integer({ minimum: 1, description: 'How many chunks there are.' }),
}

export const PROPOSER_REASON = Type.Optional(
  withDescription(Reason, 'Why the proposal’s `proposer` is null; absent where it is not.'),
)

/** How this chain counts votes. */
export const createStrategySchema = (where: string) =>
  Type.Optional(
    withDescription(
      TallyStrategy,
      `How this chain counts votes; absent means \`inherit\`.${where}`,
    ),
  )

/** What a round ended with. */
export const closing = {
  ...proposalAsOfHeight,
  round: withDescription(Round, 'The round that ended; 0 where no vote was held.'),
  log: nullable(Type.String(), {
    description: 'The chain’s `proposal_log`; null where the event has none (before SDK 0.50).',
  }),
  finalTally: nullable(TallyCounts, {
    description: 'The chain’s own result. Null where the node cannot show it, or no vote was held.',
    'x-reason': 'unavailableReason',
  }),
  bondedTokens: nullable(IntegerString, {
    description:
      'The bonded tokens at the tally, in base units: the denominator of the quorum. ' +
      'It is the total at the end of the height, without what staking changed after the tally. ' +
      'Null where the node cannot show it, or no vote was held.',
    'x-reason': 'unavailableReason',
  }),
  params: nullable(GovParams, {
    description:
      'The parameters that applied to the tally. Null where the node cannot show them, or no vote was held.',
    'x-reason': 'unavailableReason',
  }),
  unavailableReason: nullable(Reason, {
    description:
      'Why any of `finalTally`, `bondedTokens` and `params` is null; null where none is.',
  }),
}

/** The account of an optional actor. */
export const Actor = (notes: { description: string; 'x-reason'?: string }) =>
  nullable(Address, notes)

/** The state that most proposal events describe. */
export const STATE_AFTER = 'The committed state of the event’s own height, after its end block.'
/** The order of what one ABCI event causes. */
export const ORDER_ABCI = 'The ordinal of its ABCI event; `sub` is 0.'
