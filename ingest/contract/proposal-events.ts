// Events of a block: of one proposal, one for each governance event, and what could not be decoded.
import { Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import {
  closing,
  ORDER_ABCI,
  PROPOSER_REASON,
  proposalAsOfHeight,
  Round,
  STATE_AFTER,
  TxHash,
} from './event-members.ts'
import {
  Address,
  BallotOptions,
  Coin,
  GovParams,
  Message,
  nullable,
  optional,
  ProposalId,
  Reason,
  Time,
  VoteReason,
  withDescription,
} from './facts.ts'

export const ProposalSubmitted = createEventSchema(
  'rollcall.proposal.submitted.v1',
  {
    title: 'Proposal submitted',
    description: 'A proposal was submitted, with its texts and messages.',
    'x-written': 'For each `submit_proposal` event with a proposal ID.',
    'x-state':
      `${STATE_AFTER} If the same block deleted the proposal, the data is from its transaction. ` +
      'Then `proposal` is not null, and `proposalReason` begins with “taken from its transaction”.',
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    ...proposalAsOfHeight,
    messages: Type.Array(Message, {
      description:
        'The messages that the chain executes if it passes; empty if `proposal` is null.',
    }),
    txHash: TxHash,
    proposerReason: PROPOSER_REASON,
    params: nullable(
      GovParams,
      'The parameters of x/gov, such as the minimum deposit. Null if the node cannot return them.',
      'paramsReason',
    ),
    paramsReason: optional(Reason, 'Why `params` is null; absent if it is not null.'),
  }),
)

const ProposalDeposited = createEventSchema(
  'rollcall.proposal.deposited.v1',
  {
    title: 'Proposal deposited',
    description: 'An account made a deposit. The first deposit comes with the submission.',
    'x-written': 'For each `proposal_deposit` event with a proposal ID.',
    'x-state': STATE_AFTER,
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    ...proposalAsOfHeight,
    depositor: nullable(
      Address,
      'Null if neither the chain’s events nor the transaction name one.',
      'depositorReason',
    ),
    depositorReason: optional(Reason, 'Why `depositor` is null; absent if it is not null.'),
    amount: Type.Array(Coin, { description: 'The amount of this deposit.' }),
    txHash: TxHash,
  }),
)

const VotingStarted = createEventSchema(
  'rollcall.voting.started.v1',
  {
    title: 'Voting started',
    description:
      'The first round of voting begins. A second round begins with `voting.restarted` instead.',
    'x-written':
      'For each `submit_proposal` or `proposal_deposit` event with `voting_period_start`.',
    'x-state': STATE_AFTER,
    'x-order':
      'The ordinal of its ABCI event; `sub` is 1 if that event is also the submission or the deposit, else 0.',
  },
  Type.Object({ ...proposalAsOfHeight, txHash: TxHash }),
)

const VoteCast = createEventSchema(
  'rollcall.vote.cast.v1',
  {
    title: 'Vote cast',
    description:
      'An account voted. A later vote of the same voter in the same round replaces this one.',
    'x-written': 'For each `proposal_vote` event.',
    'x-state':
      'None: all is in the block. A `round.read` says whether the state has the vote, and the stake of its voter.',
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    proposalId: ProposalId,
    round: Round,
    voter: nullable(
      Address,
      'Null if neither the chain’s events nor the transaction name one.',
      'voterReason',
    ),
    voterReason: nullable(Reason, 'Why `voter` is null; null if it is not null.'),
    options: BallotOptions,
    reason: optional(VoteReason, 'The words beside the vote; absent if there are none.'),
    txHash: TxHash,
    counted: Type.Boolean({
      description:
        'False if the proposal’s own messages cast the vote: it comes after the tally, in the same end block.',
    }),
  }),
)

const VotingRestarted = createEventSchema(
  'rollcall.voting.restarted.v1',
  {
    title: 'Voting restarted',
    description:
      'An expedited vote failed and the proposal gets a regular vote. A new round begins; the votes of this round are void.',
    'x-written':
      'For each `active_proposal` event with the result `expedited_proposal_rejected`, or any other `<word>_proposal_rejected`.',
    'x-state': STATE_AFTER,
    'x-order': `${ORDER_ABCI} The reading of the round follows at \`sub\` 1, 2, ….`,
  },
  Type.Object({
    ...closing,
    result: Type.String({ description: 'The chain’s `proposal_result`.' }),
  }),
)

const ProposalClosed = createEventSchema(
  'rollcall.proposal.closed.v1',
  {
    title: 'Proposal closed',
    description: 'The vote ended, and the chain has its result.',
    'x-written':
      'For each `active_proposal` event that does not restart the vote. Also for each `inactive_proposal` event ' +
      'with the result `proposal_failed` (SDK 0.50: the chain cannot decode its stored proposal).',
    'x-state': STATE_AFTER,
    'x-order': `${ORDER_ABCI} The reading of the round follows at \`sub\` 1, 2, ….`,
  },
  Type.Object({
    ...closing,
    outcome: Type.Enum(['passed', 'rejected', 'failed', 'unknown'], {
      description: '`unknown` for any other result: see `result`.',
    }),
    result: Type.String({
      description: 'The chain’s `proposal_result`, such as `proposal_passed`.',
    }),
  }),
)

const ProposalCanceled = createEventSchema(
  'rollcall.proposal.canceled.v1',
  {
    title: 'Proposal canceled',
    description: 'The proposer canceled the proposal. The chain deleted it and its votes.',
    'x-written': 'For each `cancel_proposal` event.',
    'x-state': 'None: all is in the block.',
    'x-order': ORDER_ABCI,
  },
  Type.Object({
    proposalId: ProposalId,
    sender: nullable(
      Address,
      'The account that canceled it. Null if the chain’s event does not name it.',
    ),
    txHash: TxHash,
  }),
)

const ProposalDropped = createEventSchema(
  'rollcall.proposal.dropped.v1',
  {
    title: 'Proposal dropped',
    description: 'The deposit period ended without enough deposit. The chain deleted the proposal.',
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

const ProposalReconciled = createEventSchema(
  'rollcall.proposal.reconciled.v1',
  {
    title: 'Proposal reconciled',
    description:
      'The state of the chain has an open proposal otherwise than its events, or lacks it. The state decides.',
    'x-written':
      'If the list of x/gov differs from the log. It is read every 5 minutes of block time, and at a start. ' +
      'An event of another module with the ID of a proposal causes a reading of this one. ' +
      'A proposal that ended at a height without a readable state is read again with the list, for a week. ' +
      'Also instead of `proposal.closed` if a `proposal_result` is unknown and the state does not have the result of a vote.',
    'x-state':
      'The committed state of the event’s own height. `finalTally` is that of `closedHeight`.',
    'x-order':
      'Ordinals 524222 to 524284, one for each proposal; `sub` is 0. With a `result`: the ordinal of its ABCI event. ' +
      'The reading of the round follows at `sub` 1, 2, ….',
  },
  Type.Object({
    ...closing,
    finding: Type.Enum(
      [
        'closed',
        'deleted',
        'restarted',
        'voting',
        'changed',
        'found',
        'read',
        'overdue',
        'unreadable',
        'missing',
        'contradicted',
      ],
      {
        description:
          '`closed`: it has a final status, see `proposal`. `deleted`: the state lacks it. `restarted`: an expedited vote became a ' +
          'regular one. `voting`: its vote has started. `changed`: its times or deposits differ, for example a prolonged vote, or a doubt was wrong, ' +
          'or no state was readable at its submission. ' +
          '`found`: no event reported the proposal. ' +
          '`read`: it has ended, and no state was readable at the event of its end. ' +
          '`overdue`: it is still open more than 8 minutes after its end. `unreadable`: the node could not return it. ' +
          '`missing`: one endpoint lacks it, and no other one answered; it stays open until a later height confirms it. ' +
          '`contradicted`: one endpoint lacks it, and another one has it; it stays open.',
      },
    ),
    cause: Type.Enum(['periodic', 'event', 'result'], {
      description:
        'The cause of the reading: the interval, an event of another module, or an unknown `proposal_result`.',
    }),
    messages: optional(
      Type.Array(Message),
      'The messages that the chain executes if it passes; only if no earlier event has them.',
    ),
    result: nullable(
      Type.String(),
      'The chain’s `proposal_result`; null if no `active_proposal` event is the cause.',
    ),
    closedHeight: nullable(
      Type.Integer({ minimum: 1 }),
      'The first height whose state has the proposal closed. Null if it is not closed, or if unknown.',
      'closedReason',
    ),
    closedTime: nullable(
      Time,
      'The time of the block at `closedHeight`; null with it.',
      'closedReason',
    ),
    closedReason: nullable(
      Reason,
      'Why `closedHeight` is null; null if it is known, or if the proposal is open.',
    ),
  }),
)

/** With the submission, each is one fact of `governance/fact.ts`. */
export const FACT_EVENTS = [
  ProposalDeposited,
  VotingStarted,
  VoteCast,
  VotingRestarted,
  ProposalClosed,
  ProposalCanceled,
  ProposalDropped,
  ProposalReconciled,
] as const

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
    proposalId: nullable(ProposalId, 'Null if the event names no valid proposal ID.'),
    txHash: TxHash,
    reason: withDescription(Reason, 'Why it could not be decoded.'),
  }),
)
