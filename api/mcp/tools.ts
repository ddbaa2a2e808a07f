// The tools as plain data: what each is called, what it tells an agent, its schemas, and the address of the read API it
// stands for. Nothing here knows of a protocol, so that a page in a browser can offer the same tools.
import { type TObject, type TSchema, Type } from 'typebox'
import {
  MAX_PAGE,
  type OwnParameters,
  PARAMETERS,
  PROOF_PARAMETERS,
} from '../resources/parameters.ts'
import { NULL_MEANS } from '../schemas/common.ts'
import { DepositPage } from '../schemas/deposit.ts'
import { Health } from '../schemas/health.ts'
import { PoolRecordPage } from '../schemas/pool.ts'
import { ProposalProof } from '../schemas/proof.ts'
import { ProposalDetail, ProposalPage } from '../schemas/proposal.ts'
import { VotePage } from '../schemas/vote.ts'
import type { MCP_TOOLS } from './identity.ts'

export type ToolName = (typeof MCP_TOOLS)[number]

export type Tool = {
  name: ToolName
  title: string
  description: string
  /** Of the read API: arguments named in braces go there, the others into the query. */
  path: string
  operation:
    | 'listProposals'
    | 'getProposal'
    | 'listProposalVotes'
    | 'listProposalDeposits'
    | 'getProposalProof'
    | 'listPoolVotes'
    | 'getHealth'
  inputSchema: TObject
  /** Arguments that mean something else here than in other tools. */
  parameters?: OwnParameters
  outputSchema: TSchema
  annotations: typeof READS_ONLY
}

/** A chain lies behind them, but none reaches out: each reads the tables of this service. */
const READS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

const proposalId = Type.String({
  pattern: '^[0-9]+$',
  maxLength: 200,
  description: 'Digits only, as list_proposals gives it',
  examples: ['937'],
})
const operatorAddress = Type.String({
  maxLength: 128,
  description:
    "The pool's operator address, at most 128 characters in lower case, e.g. cosmosvaloper1…; list_proposal_votes shows it as pool.operatorAddress",
})
const page = Type.Integer({
  minimum: 0,
  maximum: MAX_PAGE,
  default: 0,
  description: 'Page number; pages start at 0',
})
const round = Type.Integer({
  minimum: 1,
  description: `Voting round, ${PARAMETERS.round.description}; the current one where left out`,
})
const proofRound = Type.Unsafe<number>({
  ...PROOF_PARAMETERS.round.value,
  description: `Voting round, ${PROOF_PARAMETERS.round.description}; the latest proof where left out`,
})
const cursor = Type.String({
  ...PARAMETERS.cursor.schema,
  description:
    'page.nextCursor of an earlier answer with the same filters, unchanged; not with page',
})
const sort = Type.Unsafe<string>({
  ...PARAMETERS.sort.value,
  description: `Order of the records: ${PARAMETERS.sort.description}`,
})
const createFilterSchema = ({ schema, description }: { schema: TSchema; description: string }) =>
  Type.Unsafe<string>({ ...schema, description: `Only proposals with this: ${description}` })

const input = (properties: Record<string, TSchema>): TObject =>
  Type.Object(properties, { additionalProperties: false })

const PAGING =
  'Follow page.nextCursor as `cursor` until it is null, or count `page` up to page.totalPages; a page past the end is empty.'
const FRESHNESS =
  'asOf is the height up to which the answer is known to hold: about a second old while a vote is open, and the height that closed the vote once it is closed.'
const AMOUNTS = `Amounts are decimal strings in the chain's base unit. ${NULL_MEANS}.`

const listProposals: Tool = {
  name: 'list_proposals',
  title: 'List proposals',
  description: `Governance proposals, newest first, 20 a page, without their messages. Filters: status, proposer, messageType, q. ${PAGING} ${FRESHNESS} ${AMOUNTS}`,
  path: '/api/proposals',
  operation: 'listProposals',
  inputSchema: input({
    page: Type.Optional(page),
    cursor: Type.Optional(cursor),
    status: Type.Optional(createFilterSchema(PARAMETERS.status)),
    proposer: Type.Optional(createFilterSchema(PARAMETERS.proposer)),
    messageType: Type.Optional(createFilterSchema(PARAMETERS.messageType)),
    q: Type.Optional(createFilterSchema(PARAMETERS.q)),
  }),
  outputSchema: ProposalPage,
  annotations: READS_ONLY,
}

const getProposal: Tool = {
  name: 'get_proposal',
  title: 'Get one proposal',
  description: `One proposal with its text, its messages, the parameters that they change, its tally and, in \`votes\`, the first 100 pools' votes. For the other votes: list_proposal_votes. ${FRESHNESS} ${AMOUNTS}`,
  path: '/api/proposals/{proposalId}',
  operation: 'getProposal',
  inputSchema: input({ proposalId }),
  outputSchema: ProposalDetail,
  annotations: READS_ONLY,
}

const listProposalVotes: Tool = {
  name: 'list_proposal_votes',
  title: 'List the votes on a proposal, pool by pool',
  description: `One record per pool that voted, or whose delegators did: its vote, the power behind it, what its delegators said themselves. 100 a page, in the order of first votes, so that pages never shift, or with the largest voting power first (sort). vote is null where only delegators voted. ${PAGING} ${FRESHNESS} ${AMOUNTS}`,
  path: '/api/proposals/{proposalId}/votes',
  operation: 'listProposalVotes',
  inputSchema: input({
    proposalId,
    page: Type.Optional(page),
    cursor: Type.Optional(cursor),
    round: Type.Optional(round),
    sort: Type.Optional(sort),
  }),
  outputSchema: VotePage,
  annotations: READS_ONLY,
}

const listProposalDeposits: Tool = {
  name: 'list_proposal_deposits',
  title: 'List the deposits on a proposal',
  description: `Who deposited how much, when and in which transaction, 100 a page, the deposit of the submission first. depositor is null where it is not known, with depositorReason. get_proposal has the minimum and what is missing, as depositRequirement. ${PAGING} ${FRESHNESS} ${AMOUNTS}`,
  path: '/api/proposals/{proposalId}/deposits',
  operation: 'listProposalDeposits',
  inputSchema: input({
    proposalId,
    page: Type.Optional(page),
    cursor: Type.Optional(cursor),
  }),
  outputSchema: DepositPage,
  annotations: READS_ONLY,
}

const getProposalProof: Tool = {
  name: 'get_proposal_proof',
  title: 'Get what proves the state of a proposal',
  description: `The proposal as the chain stores it (value, base64 protobuf), the ICS-23 proof of it (proofOps) to app_hash of the header, and the commit that signs the header. A client that trusts one header of the chain can verify status and final tally with it, and needs to trust neither this service nor its node; validators.link and links.lightBlocks have the rest. A proof is there two heights after the submission and after the end of each round. Parts are null where no node gave them, with reason. ${FRESHNESS}`,
  path: '/api/proposals/{proposalId}/proof',
  operation: 'getProposalProof',
  inputSchema: input({ proposalId, round: Type.Optional(proofRound) }),
  parameters: PROOF_PARAMETERS,
  outputSchema: ProposalProof,
  annotations: READS_ONLY,
}

const listPoolVotes: Tool = {
  name: 'list_pool_votes',
  title: "List one pool's votes",
  description: `How one pool (a validator with the stake delegated to it) voted, newest proposal first, 100 a page: each record has proposalId, title, status, round. A proposal that is not in the list had no vote of the pool or its delegators. ${PAGING} ${FRESHNESS} ${AMOUNTS}`,
  path: '/api/pools/{operatorAddress}/votes',
  operation: 'listPoolVotes',
  inputSchema: input({
    operatorAddress,
    page: Type.Optional(page),
    cursor: Type.Optional(cursor),
  }),
  outputSchema: PoolRecordPage,
  annotations: READS_ONLY,
}

const getServiceStatus: Tool = {
  name: 'get_service_status',
  title: 'How fresh the answers are',
  description:
    'The chain that is followed, the height that is served, and how far that is behind: "ok" within 10 seconds, "catching_up" while behind and moving, else "degraded". Answers also while the data itself cannot be read.',
  path: '/api/health',
  operation: 'getHealth',
  inputSchema: input({}),
  outputSchema: Health,
  annotations: READS_ONLY,
}

/** In the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  listProposals,
  getProposal,
  listProposalVotes,
  listProposalDeposits,
  getProposalProof,
  listPoolVotes,
  getServiceStatus,
]
