// What a block says of governance that could not be decoded, or that is too large for the log.
import { Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import { ORDER_ABCI, TxHash } from './event-members.ts'
import { nullable, ProposalId, Reason, withDescription } from './facts.ts'

export const AbciEventUndecodable = createEventSchema(
  'rollcall.abci-event.undecodable.v1',
  {
    title: 'ABCI event undecodable',
    description:
      'A governance event that could not be decoded, or that is too large: kept as far as possible, with the reason. ' +
      'Each one raises an alert.',
    'x-written':
      'For each governance event with attributes in an unknown format. Instead of an event that is too large for the log ' +
      'even without its long values. Once for a height with more governance events than its index can number.',
    'x-state': 'None: all is in the block.',
    'x-order': `${ORDER_ABCI} In place of another event: the order of that event.`,
  },
  Type.Object({
    abciType: Type.String({
      description: 'The type of the ABCI event; empty if it replaces several events.',
    }),
    attributes: Type.Array(
      Type.Object({
        key: Type.String({ description: 'As the chain wrote it.' }),
        value: Type.String({ description: 'As the chain wrote it.' }),
      }),
      { description: 'All attributes of the ABCI event, in order; empty if it was too large.' },
    ),
    proposalId: nullable(ProposalId, {
      description: 'Null if the event names no valid proposal ID.',
    }),
    txHash: TxHash,
    reason: withDescription(Reason, 'Why it could not be decoded.'),
  }),
)
