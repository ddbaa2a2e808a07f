// A proposal as the API shows it: in the list without `messages`, in the detail with them and its first votes.
import { type Static, Type } from 'typebox'
import type { Columns } from './columns.ts'
import {
  AsOf,
  Coin,
  createEnvelope,
  Height,
  Link,
  nullable,
  Timestamp,
  WholeAmount,
} from './common.ts'
import { Explanation } from './explanation.ts'
import { VotePage } from './vote.ts'

export const PROPOSAL_STATUSES = [
  'deposit_period',
  'voting_period',
  'passed',
  'rejected',
  'failed',
  'canceled',
  'dropped',
] as const
export const Tally = Type.Object({
  yes: nullable(WholeAmount),
  no: nullable(WholeAmount),
  abstain: nullable(WholeAmount),
  noWithVeto: nullable(WholeAmount),
  final: Type.Boolean({ description: 'The numbers can no longer change' }),
  matchesChain: Type.Union([Type.Literal('yes'), Type.Literal('no'), Type.Literal('unknown')], {
    description: 'Whether the tally computed from the events is the one the chain came to',
  }),
  matchesChainReason: nullable(Type.String(), { description: 'Null where it matches' }),
  turnout: nullable(Type.String({ pattern: '^[0-9]+\\.[0-9]{4}$' }), {
    description: 'Share of the stake that was bonded at the tally',
  }),
  bondedTokens: nullable(WholeAmount),
  quorum: nullable(Type.String()),
  threshold: nullable(Type.String()),
  vetoThreshold: nullable(Type.String()),
  poolsVoted: nullable(Type.Integer({ minimum: 0 }), {
    description: 'Pools that voted themselves',
  }),
  ballots: nullable(Type.Integer({ minimum: 0 }), { description: 'Voters, pools included' }),
})
export type Tally = Static<typeof Tally>

export const OUTCOME_REASONS = ['quorum_not_reached', 'vetoed', 'threshold_not_met'] as const
export type OutcomeReason = (typeof OUTCOME_REASONS)[number]

const summaryFields = {
  proposalId: Type.String({ pattern: '^[0-9]+$' }),
  title: Type.String(),
  summary: Type.String(),
  metadata: Type.String(),
  proposer: nullable(Type.String()),
  messageTypes: Type.Array(Type.String(), { description: 'What it would do if it passed' }),
  status: Type.String({ description: `One of ${PROPOSAL_STATUSES.join(', ')}` }),
  outcomeReason: nullable(Type.Enum(OUTCOME_REASONS), {
    description:
      'Why the proposal was rejected. Null where it was not rejected, or where a number is not known',
  }),
  expedited: Type.Boolean({ description: "The chain's own flag: false after a restart" }),
  round: nullable(Type.Integer({ minimum: 0 }), {
    description:
      '0 before any vote; 2 where an expedited vote fell back to an ordinary one; null where the chain’s state at the first indexed height does not tell 1 from 2',
  }),
  failedReason: nullable(Type.String(), { description: "The chain's, for failed and rejected" }),
  submitTime: nullable(Timestamp),
  depositEndTime: nullable(Timestamp),
  votingStartTime: nullable(Timestamp),
  votingEndTime: nullable(Timestamp),
  closedTime: nullable(Timestamp),
  totalDeposit: Type.Array(Coin),
  submittedAt: nullable(Type.Object({ height: Height, txHash: nullable(Type.String()) })),
  updatedAt: Type.Object({ height: Height }),
  tally: nullable(Tally, { description: 'Null while no vote was held' }),
  history: Type.Union([Type.Literal('complete'), Type.Literal('partial')], {
    description: 'Whether every fact since its submission was indexed',
  }),
  historyReason: nullable(Type.String()),
}
export const ProposalSummary = Type.Object(summaryFields)
export type ProposalSummary = Static<typeof ProposalSummary>

export const ProposalPage = createEnvelope(ProposalSummary)

/** No string has at least one character and at most none. */
const NOTHING = { type: 'string', minLength: 1, maxLength: 0 }

/** Any JSON. Checkers of schemas ask for one type in each branch, for the items of an array, and for a rule in each schema. */
const anyJson = (description: string) =>
  Type.Unsafe<unknown>(
    Type.Union(
      [
        Type.Null(),
        Type.Boolean(),
        Type.Number(),
        Type.String(),
        Type.Array(Type.Unsafe<unknown>({ not: NOTHING })),
        Type.Object({}, { additionalProperties: true }),
      ],
      { description },
    ),
  )

export const ParameterChange = Type.Object(
  {
    message: Type.Integer({
      minimum: 0,
      description:
        'Index in `messages` of the message that makes the change, or has the one that makes it',
    }),
    path: Type.String({
      description: '`a.b` for nested members; `subspace/key` for a parameter of the params module',
    }),
    from: anyJson(
      'The value in force, as JSON: at the submission, or at its last change while the proposal was open. Null where there is none',
    ),
    to: anyJson('The value that the message sets, as JSON. Null where there is none'),
  },
  { description: 'A parameter of the chain that a proposal changes if it passes' },
)

export const DepositRequirement = Type.Object(
  {
    minimum: nullable(Type.Array(Coin), {
      description:
        'By the parameters that the log has of the deposit period: the latest while it lasts, then those at its end. Null where they are not known',
    }),
    expeditedMinimum: nullable(Type.Array(Coin), {
      description:
        'The same for an expedited vote. Null where the proposal is not expedited, or where it is not known',
    }),
    missing: nullable(Type.Array(Coin), {
      description:
        'What `totalDeposit` lacks of the minimum that applies; empty where it is reached. Null where that is not known',
    }),
    reason: nullable(Type.String(), {
      description: 'Why the minimum is not known; null where it is',
    }),
  },
  { description: 'The deposit that starts the vote' },
)
export type DepositRequirement = Static<typeof DepositRequirement>

/** `@type` is the type; the other fields are the message's own. */
const Message = Type.Object({ '@type': Type.String() }, { additionalProperties: true })

const proposalFields = {
  ...summaryFields,
  messages: Type.Array(Message, {
    description:
      'A field of more than 4 KiB of bytes is `{ sha256, size, href }`, with the address of the bytes. A message that cannot be decoded, or whose JSON is longer than 1 MiB, has its bytes in `value`, in base64 or as such a digest, and `@reason`',
  }),
  messagesTruncated: Type.Optional(
    Type.Literal(true, {
      description: 'Only where they are longer than 1 MiB together: `messages` is empty then',
    }),
  ),
  messagesAt: Type.Optional(
    Type.String({
      description: 'Where they are then: the events, of which `proposal.submitted` has them whole',
    }),
  ),
  changes: nullable(Type.Array(ParameterChange), {
    description:
      'The parameters that its messages change; empty where they change none. Null where that is not known',
  }),
  changesReason: nullable(Type.String(), {
    description: 'Why `changes` is null; null where it is not',
  }),
  depositRequirement: DepositRequirement,
  explanations: Type.Array(Explanation, { description: 'What each message does, in their order' }),
}
export const Proposal = Type.Object(proposalFields)
export type Proposal = Static<typeof Proposal>

export const ProposalDetail = Type.Object(
  {
    ...proposalFields,
    votes: VotePage,
    links: Type.Object(
      { self: Link, proof: Link },
      { description: '`proof`: what proves its state' },
    ),
    asOf: AsOf,
  },
  {
    description:
      "With the first page of its votes: the same object as the votes' own address gives",
  },
)

export const PROPOSAL_COLUMNS: Columns<ProposalSummary> = {
  proposalId: (item) => item.proposalId,
  title: (item) => item.title,
  status: (item) => item.status,
  expedited: (item) => item.expedited,
  round: (item) => item.round,
  proposer: (item) => item.proposer,
  messageTypes: (item) => item.messageTypes.join(' '),
  submitTime: (item) => item.submitTime,
  depositEndTime: (item) => item.depositEndTime,
  votingStartTime: (item) => item.votingStartTime,
  votingEndTime: (item) => item.votingEndTime,
  closedTime: (item) => item.closedTime,
  totalDeposit: (item) => item.totalDeposit.map(({ amount, denom }) => amount + denom).join(' '),
  submittedHeight: (item) => item.submittedAt?.height,
  submittedTxHash: (item) => item.submittedAt?.txHash,
  updatedHeight: (item) => item.updatedAt.height,
  tallyYes: (item) => item.tally?.yes,
  tallyNo: (item) => item.tally?.no,
  tallyAbstain: (item) => item.tally?.abstain,
  tallyNoWithVeto: (item) => item.tally?.noWithVeto,
  tallyFinal: (item) => item.tally?.final,
  matchesChain: (item) => item.tally?.matchesChain,
  matchesChainReason: (item) => item.tally?.matchesChainReason,
  turnout: (item) => item.tally?.turnout,
  bondedTokens: (item) => item.tally?.bondedTokens,
  quorum: (item) => item.tally?.quorum,
  threshold: (item) => item.tally?.threshold,
  vetoThreshold: (item) => item.tally?.vetoThreshold,
  poolsVoted: (item) => item.tally?.poolsVoted,
  ballots: (item) => item.tally?.ballots,
  failedReason: (item) => item.failedReason,
  history: (item) => item.history,
  historyReason: (item) => item.historyReason,
  metadata: (item) => item.metadata,
  summary: (item) => item.summary,
  outcomeReason: (item) => item.outcomeReason,
}
