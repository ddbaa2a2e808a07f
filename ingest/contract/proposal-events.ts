// What happens to one proposal: an event for each governance event of a block.
import { Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import {
  Actor,
  closing,
  ORDER_ABCI,
  PROPOSER_REASON,
  proposalAsOfHeight,
  Round,
  STATE_AFTER,
  TxHash,
} from './event-members.ts'
import {
  BallotOptions,
  Coin,
  delegationsWithReason,
  Message,
  nullable,
  ProposalId,
  Reason,
  withDescription,
} from './facts.ts'

export const ProposalSubmitted = createEventSchema(
  'rollcall.proposal.submitted.v1',
  {
    title: 'Proposal submitted',
    description: 'A proposal exists, with its texts and its messages.',
    'x-written': 'For each `submit_proposal` event that names a proposal id.',
    'x-state':
      `${STATE_AFTER} Where the same block already deleted the proposal, its transaction: ` +
      'then `proposal` is not null, and `proposalReason` begins with “as in its transaction”.',
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    ...proposalAsOfHeight,
    messages: Type.Array(Message, {
      description: 'What it executes when it passes; empty where `proposal` is null.',
    }),
    txHash: TxHash,
    proposerReason: PROPOSER_REASON,
  }),
)

export const ProposalDeposited = createEventSchema(
  'rollcall.proposal.deposited.v1',
  {
    title: 'Proposal deposited',
    description: 'An account made a deposit. The first deposit comes with the submission.',
    'x-written': 'For each `proposal_deposit` event that names a proposal id.',
    'x-state': STATE_AFTER,
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    ...proposalAsOfHeight,
    depositor: Actor({
      description: 'Null where neither the chain’s events nor the transaction name one.',
      'x-reason': 'depositorReason',
    }),
    depositorReason: Type.Optional(
      withDescription(Reason, 'Why `depositor` is null; absent where it is not.'),
    ),
    amount: Type.Array(Coin, { description: 'What this deposit adds.' }),
    txHash: TxHash,
  }),
)

export const VotingStarted = createEventSchema(
  'rollcall.voting.started.v1',
  {
    title: 'Voting started',
    description:
      'The first round of voting begins. A second round begins with `voting.restarted` instead.',
    'x-written':
      'For each `submit_proposal` or `proposal_deposit` event with `voting_period_start`.',
    'x-state': STATE_AFTER,
    'x-order':
      'The ordinal of its ABCI event; `sub` is 1 where that event is also the submission or the deposit, else 0.',
  },
  Type.Object({ ...proposalAsOfHeight, txHash: TxHash }),
)

export const VoteCast = createEventSchema(
  'rollcall.vote.cast.v1',
  {
    title: 'Vote cast',
    description:
      'An account voted. A later vote of the same voter in the same round replaces this one.',
    'x-written': 'For each `proposal_vote` event.',
    'x-state': `\`delegations\`: ${STATE_AFTER.charAt(0).toLowerCase()}${STATE_AFTER.slice(1)}`,
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    proposalId: ProposalId,
    round: Round,
    voter: Actor({
      description: 'Null where neither the chain’s events nor the transaction name one.',
      'x-reason': 'voterReason',
    }),
    voterReason: nullable(Reason, { description: 'Why `voter` is null; null where it is not.' }),
    options: BallotOptions,
    txHash: TxHash,
    counted: Type.Boolean({
      description:
        'False for a vote that the proposal’s own messages cast on it: it comes after the tally, in the same end block.',
    }),
    ...delegationsWithReason('The voter’s delegations after this height.'),
  }),
)

export const VotingRestarted = createEventSchema(
  'rollcall.voting.restarted.v1',
  {
    title: 'Voting restarted',
    description:
      'An expedited proposal fell back to a regular vote. A new round begins; the votes of this one are void.',
    'x-written':
      'For each `active_proposal` event with the result `expedited_proposal_rejected`, or any other `<word>_proposal_rejected`.',
    'x-state': `${STATE_AFTER} \`bondedTokens\` and \`params\` are those of the tally, inside the end block.`,
    'x-order': `${ORDER_ABCI} The evidence of the round follows at \`sub\` 1, 2, ….`,
  },
  Type.Object({
    ...closing,
    result: Type.String({ description: 'The chain’s `proposal_result`.' }),
  }),
)

export const ProposalClosed = createEventSchema(
  'rollcall.proposal.closed.v1',
  {
    title: 'Proposal closed',
    description: 'The vote is over, and the chain has its result.',
    'x-written':
      'For each `active_proposal` event that does not restart the vote, and for each `inactive_proposal` event ' +
      'with the result `proposal_failed` (SDK 0.50: the chain cannot decode its stored proposal).',
    'x-state': `${STATE_AFTER} \`bondedTokens\` and \`params\` are those of the tally, inside the end block.`,
    'x-order': `${ORDER_ABCI} The evidence of the round follows at \`sub\` 1, 2, ….`,
  },
  Type.Object({
    ...closing,
    outcome: Type.Union(
      [
        Type.Literal('passed'),
        Type.Literal('rejected'),
        Type.Literal('failed'),
        Type.Literal('unknown'),
      ],
      { description: '`unknown` for a result that we do not know: see `result`.' },
    ),
    result: Type.String({
      description: 'The chain’s `proposal_result`, such as `proposal_passed`.',
    }),
  }),
)

export const ProposalCanceled = createEventSchema(
  'rollcall.proposal.canceled.v1',
  {
    title: 'Proposal canceled',
    description: 'Its proposer canceled the proposal. The chain has deleted it and its votes.',
    'x-written': 'For each `cancel_proposal` event.',
    'x-state': 'None: all is in the block.',
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    proposalId: ProposalId,
    sender: Actor({ description: 'Who canceled it. Null where the chain’s event does not say.' }),
    txHash: TxHash,
  }),
)

export const ProposalDropped = createEventSchema(
  'rollcall.proposal.dropped.v1',
  {
    title: 'Proposal dropped',
    description:
      'The deposit period is over without enough deposit. The chain has deleted the proposal.',
    'x-written':
      'For each `inactive_proposal` event, unless its result is `proposal_failed` (see `proposal.closed`).',
    'x-state': 'None: all is in the block.',
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    proposalId: ProposalId,
    result: Type.String({
      description: 'The chain’s `proposal_result`, such as `proposal_dropped`.',
    }),
  }),
)

export const AbciEventUndecodable = createEventSchema(
  'rollcall.abci-event.unread.v1',
  {
    title: 'ABCI event unread',
    description:
      'A governance event that could not be understood, or that does not fit: kept as far as possible, with the reason. ' +
      'Each one raises an alert.',
    'x-written':
      'For each governance event of a block whose attributes are in no known format; in place of an event that is too ' +
      'large for the log however much is left out of it; and once for a height with more governance events than its index has room for.',
    'x-state': 'None: all is in the block.',
    'x-order': `${ORDER_ABCI} In place of another event: the order of that event.`,
  },
  Type.Object({
    abciType: Type.String({
      description: 'The type of the ABCI event; empty where it stands for many events.',
    }),
    attributes: Type.Array(
      Type.Object({
        key: Type.String({ description: 'As the chain wrote it.' }),
        value: Type.String({ description: 'As the chain wrote it.' }),
      }),
      { description: 'All attributes of the ABCI event, in order; empty where it was too large.' },
    ),
    proposalId: nullable(ProposalId, {
      description: 'Null where the event names no proposal that we can read.',
    }),
    txHash: TxHash,
    reason: withDescription(Reason, 'Why it could not be understood.'),
  }),
)
