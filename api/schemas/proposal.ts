// Schemas of proposals: the summary in lists, and the detail with messages and the first page of votes.
import { type Static, Type } from 'typebox'
import { MAX_LISTED_TYPES } from '../../ingest/contract/bounds.ts'
import { Coin } from '../../ingest/contract/facts.ts'
import type { Columns } from './columns.ts'
import {
  AsOf,
  component,
  count,
  createEnvelope,
  flag,
  Height,
  Href,
  nullable,
  nullableText,
  PAGING,
  Timestamp,
  text,
  truncation,
} from './common.ts'
import { DepositRequirement } from './deposit.ts'
import { Explanation } from './explanation.ts'
import { Message } from './message.ts'
import { Tally } from './tally.ts'
import { VotePage } from './vote.ts'

export const PROPOSAL_STATUSES = [
  'deposit_period',
  'voting_period',
  'passed',
  'rejected',
  'failed',
  'canceled',
  'dropped',
  'vetoed',
] as const
export const OUTCOME_REASONS = ['quorum_not_reached', 'vetoed', 'threshold_not_met'] as const
export type OutcomeReason = (typeof OUTCOME_REASONS)[number]

const OutcomeReason = Type.Enum(OUTCOME_REASONS, { title: 'OutcomeReason' })

export const TEXT_SOURCES = ['proposal', 'metadata'] as const

const TextSource = Type.Enum(TEXT_SOURCES, { title: 'TextSource' })

const textSource = (name: string) =>
  nullable(
    TextSource,
    `Where \`${name}\` comes from. \`proposal\` includes legacy content that the proposal executes, and \`metadata\` is JSON in the convention of x/gov. Null if there is none`,
  )

const History = Type.Union(
  [Type.Literal('complete'), Type.Literal('partial'), Type.Literal('reconstructed')],
  {
    title: 'History',
    description:
      'Whether all events since the submission are indexed. `reconstructed`: the vote ended before the first indexed height, and was recomputed from past states of the chain',
  },
)

const SubmittedAt = component('SubmittedAt', { height: Height, txHash: nullableText() })

const UpdatedAt = component('UpdatedAt', { height: Height })

const summaryFields = {
  proposalId: Type.String({ pattern: '^[0-9]+$' }),
  title: Type.String(),
  titleSource: textSource('title'),
  summary: Type.String(),
  summarySource: textSource('summary'),
  authors: Type.Array(Type.String(), { description: 'From the metadata; not verified' }),
  forumUrl: nullableText(
    'From the metadata: an `http`, `https` or `ipfs` URL; not verified. Null if there is none',
  ),
  metadata: Type.String(),
  proposer: nullableText(),
  messageTypes: Type.Array(Type.String(), {
    maxItems: MAX_LISTED_TYPES,
    description: `Types of the first ${MAX_LISTED_TYPES} messages that the chain executes if the proposal passes, in order`,
  }),
  messageCount: count('The number of messages'),
  status: text(`One of ${PROPOSAL_STATUSES.join(', ')}`),
  outcomeReason: nullable(
    OutcomeReason,
    'Why the proposal was rejected. Null if it was not rejected, or if a number is not known',
  ),
  expedited: flag(
    'The flag of the chain: false after an expedited vote fell back to a regular vote',
  ),
  round: nullable(
    count(),
    '0 before any vote; 2 after an expedited vote fell back to a regular vote. Null if the state at the first indexed height does not distinguish round 1 from round 2',
  ),
  failedReason: nullableText('The reason of the chain, for failed and rejected proposals'),
  submitTime: nullable(Timestamp),
  depositEndTime: nullable(Timestamp),
  votingStartTime: nullable(Timestamp),
  votingEndTime: nullable(Timestamp),
  closedTime: nullable(Timestamp),
  totalDeposit: Type.Array(Coin),
  submittedAt: nullable(SubmittedAt),
  updatedAt: UpdatedAt,
  tally: nullable(Tally, 'Null if the voting period has not started'),
  history: History,
  historyReason: nullableText(),
}
export const ProposalSummary = component('ProposalSummary', { ...summaryFields, ...truncation })
export type ProposalSummary = Static<typeof ProposalSummary>

export const ProposalPage = createEnvelope('ProposalPage', ProposalSummary, PAGING.numbered)

/** A schema that no string matches. */
const NOTHING = { type: 'string', minLength: 1, maxLength: 0 }

/** Any JSON. Schema linters require one type per branch, the items of arrays, and a rule in each schema. */
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

export const ParameterChange = component(
  'ParameterChange',
  {
    message: count(
      'Index in `messages` of the message that makes the change, or that contains the message that makes it',
    ),
    path: text('`a.b` for nested members; `subspace/key` for a parameter of the params module'),
    from: anyJson(
      'The old value as JSON: at the submission, or after its last change while the proposal was open. Null if there is none',
    ),
    to: anyJson('The new value as JSON. Null if there is none'),
  },
  { description: 'A chain parameter that the proposal changes if it passes' },
)

const proposalFields = {
  ...summaryFields,
  messages: Type.Array(Message, {
    description:
      'A bytes field of more than 4 KiB is replaced by `{ sha256, size, href }`; `href` is the URL of the bytes. If a message cannot be decoded, or its JSON exceeds 1 MiB, it has `@reason` and `value`. `value` has the bytes in base64, or is replaced in the same way',
  }),
  messagesTruncated: Type.Optional(
    Type.Literal(true, {
      description:
        'Only if `messages` has not all messages. It has the first ones that have at most 256 KiB together with their explanations, and none if all of them exceed 1 MiB',
    }),
  ),
  messagesAt: Type.Optional(text('URL of the list of all messages in that case')),
  changes: nullable(
    Type.Array(ParameterChange),
    'The parameters that the messages change; empty if they change none. Null if the changes are not known',
  ),
  changesReason: nullableText('Why `changes` is null; null if the changes are known'),
  depositRequirement: DepositRequirement,
  explanations: Type.Array(Explanation, {
    description: 'What each message does, in the order of `messages`',
  }),
}
export const Proposal = Type.Object({ ...proposalFields, ...truncation })
export type Proposal = Static<typeof Proposal>

const ProposalLinks = component('ProposalLinks', {
  self: Href,
  turnout: Href,
  proof: nullable(Href, 'The proof of the state of the proposal; null if it has none'),
})

export const ProposalDetail = component(
  'ProposalDetail',
  {
    ...proposalFields,
    ...truncation,
    votes: VotePage,
    links: ProposalLinks,
    asOf: AsOf,
  },
  {
    description:
      'A proposal with the first page of its votes, which is the same object as in the list of votes',
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
  messageCount: (item) => item.messageCount,
  titleSource: (item) => item.titleSource,
  summarySource: (item) => item.summarySource,
  authors: (item) => item.authors.join('; '),
  forumUrl: (item) => item.forumUrl,
  truncated: (item) => item.truncated,
  tallyRule: (item) => item.tally?.rule.name,
  tallyRuleProvedAt: (item) => item.tally?.rule.provedAt,
  tallyReported: (item) => item.tally?.rule.reported,
  tallyStakeAt: (item) => item.tally?.stakeAt,
}
