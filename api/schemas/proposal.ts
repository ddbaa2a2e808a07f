// A proposal as the API shows it: in the list without `messages`, in the detail with them and its first votes.
import { type Static, Type } from 'typebox'
import { AsOf, envelopeOf, Height, nullable, Timestamp, WholeAmount } from './common.ts'
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
const Tally = Type.Object({
  yes: nullable(WholeAmount),
  no: nullable(WholeAmount),
  abstain: nullable(WholeAmount),
  noWithVeto: nullable(WholeAmount),
  final: Type.Boolean(),
  matchesChain: Type.Union([Type.Literal('yes'), Type.Literal('no'), Type.Literal('unknown')]),
  matchesChainReason: nullable(Type.String()),
  turnout: nullable(Type.String({ pattern: '^[0-9]+\\.[0-9]{4}$' })),
  bondedTokens: nullable(WholeAmount),
  quorum: nullable(Type.String()),
  threshold: nullable(Type.String()),
  vetoThreshold: nullable(Type.String()),
  poolsVoted: nullable(Type.Integer()),
  ballots: nullable(Type.Integer()),
})
export type Tally = Static<typeof Tally>

const summaryFields = {
  proposalId: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  metadata: Type.String(),
  proposer: nullable(Type.String()),
  messageTypes: Type.Array(Type.String()),
  status: Type.String(),
  expedited: Type.Boolean(),
  round: Type.Integer({ minimum: 0 }),
  failedReason: nullable(Type.String()),
  submitTime: nullable(Timestamp),
  depositEndTime: nullable(Timestamp),
  votingStartTime: nullable(Timestamp),
  votingEndTime: nullable(Timestamp),
  closedTime: nullable(Timestamp),
  totalDeposit: Type.Array(Type.Object({ denom: Type.String(), amount: WholeAmount })),
  submittedAt: nullable(Type.Object({ height: Height, txHash: nullable(Type.String()) })),
  updatedAt: Type.Object({ height: Height }),
  tally: nullable(Tally),
  history: Type.Union([Type.Literal('complete'), Type.Literal('partial')]),
  historyReason: nullable(Type.String()),
}
export const ProposalSummary = Type.Object(summaryFields)
export type ProposalSummary = Static<typeof ProposalSummary>

export const ProposalPage = envelopeOf(ProposalSummary)

/** The type is told by `@type`; the other fields are the message's own. */
const Message = Type.Object({ '@type': Type.String() }, { additionalProperties: true })

const proposalFields = { ...summaryFields, messages: Type.Array(Message) }
export const Proposal = Type.Object(proposalFields)
export type Proposal = Static<typeof Proposal>

/** With the first page of its votes: the same object as the votes' own address gives. */
export const ProposalDetail = Type.Object({ ...proposalFields, votes: VotePage, asOf: AsOf })
