// The tools: name, description, arguments, and the operation of the read API that answers.
// They are independent of the protocol, so that web pages can offer the same tools.
import { type TObject, type TSchema, Type } from 'typebox'
import { proposalDeposits } from '../resources/deposits.ts'
import { health } from '../resources/health.ts'
import type { Operation } from '../resources/operation.ts'
import { PARAMETERS, type ParameterName, PROOF_PARAMETERS } from '../resources/parameters.ts'
import {
  findPathNames,
  type PathParameterName,
  toPathTemplate,
} from '../resources/path-parameters.ts'
import { poolVotes } from '../resources/pool-votes.ts'
import { proposal } from '../resources/proposal.ts'
import { proposalProof } from '../resources/proposal-proof.ts'
import { proposals } from '../resources/proposals.ts'
import { proposalVotes } from '../resources/votes.ts'
import { NULL_MEANS } from '../schemas/common.ts'
import type { MCP_TOOLS } from './identity.ts'
import type { McpOperation } from './sources.ts'

export type ToolName = (typeof MCP_TOOLS)[number]

type Definition = {
  name: ToolName
  title: string
  description: string
  operation: McpOperation
  /** Arguments with another meaning than in other tools. */
  ownArguments?: Arguments
}

export type Tool = Omit<Definition, 'ownArguments'> & {
  inputSchema: TObject
  /** The path in the read API: arguments in braces are part of it, all others of the query. */
  path: string
  outputSchema: Operation['answer']
  annotations: typeof READS_ONLY
}

/** The world is closed, because tools read only the tables of this service. */
const READS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

const createFilterSchema = ({ schema, description }: { schema: TSchema; description: string }) =>
  Type.Unsafe<string>({ ...schema, description: `Filter of proposals: ${description}` })

type Arguments = { readonly [Name in ParameterName | PathParameterName]?: TSchema }

const ARGUMENTS: Arguments = {
  proposalId: Type.String({
    pattern: '^[0-9]+$',
    maxLength: 200,
    description: 'Digits only, as in list_proposals',
    examples: ['937'],
  }),
  operatorAddress: Type.String({
    maxLength: 128,
    description:
      'An operator address of at most 128 characters, e.g. cosmosvaloper1… or 0x…: pool.operatorAddress in list_proposal_votes',
  }),
  page: Type.Unsafe<number>({
    ...PARAMETERS.page.value,
    description: 'Page number; pages start at 0',
  }),
  round: Type.Unsafe<number>({
    ...PARAMETERS.round.value,
    description: `Voting round, ${PARAMETERS.round.description}; omit it for the current round`,
  }),
  cursor: Type.String({
    ...PARAMETERS.cursor.schema,
    description:
      'The unchanged page.nextCursor of an earlier result with the same filters; not together with page',
  }),
  sort: Type.Unsafe<string>({
    ...PARAMETERS.sort.value,
    description: `Order of the records: ${PARAMETERS.sort.description}`,
  }),
  status: createFilterSchema(PARAMETERS.status),
  proposer: createFilterSchema(PARAMETERS.proposer),
  messageType: createFilterSchema(PARAMETERS.messageType),
  q: createFilterSchema(PARAMETERS.q),
}

const PROOF_ARGUMENTS: Arguments = {
  round: Type.Unsafe<number>({
    ...PROOF_PARAMETERS.round.value,
    description: `Voting round, ${PROOF_PARAMETERS.round.description}; omit it for the latest proof`,
  }),
}

/** The path parameters of the operation, which are required, and its query parameters. */
const createInputSchema = ({ operation, ownArguments = {} }: Definition): TObject => {
  const find = (name: keyof Arguments): TSchema => {
    const schema = ownArguments[name] ?? ARGUMENTS[name]
    if (!schema) throw new Error(`the parameter ${name} has no argument`)
    return schema
  }
  const entries = [
    ...findPathNames(operation.path).map((name) => [name, find(name)]),
    ...operation.queryParameters.map((name) => [name, Type.Optional(find(name))]),
  ]
  return Type.Object(Object.fromEntries(entries), { additionalProperties: false })
}

const PAGING =
  'Send page.nextCursor as `cursor` until it is null. `page` selects a page up to page.totalPages - 1; a page after the last one is empty. A page of more than 64 KiB ends early, and only the cursor continues it. A shortened item has truncated: true, and wholeAt is the URL of all of it.'
const FRESHNESS =
  'asOf is the height for which the result is valid. It is about one second old for an open vote. For a closed vote it is the height that closed the vote.'
const AMOUNTS = `Amounts are decimal strings in the chain's base unit. ${NULL_MEANS}`

/** In the order of `tools/list`. */
const DEFINITIONS: readonly Definition[] = [
  {
    name: 'list_proposals',
    title: 'List proposals',
    description: `Lists governance proposals without their messages, newest first, 20 per page. Filters: status, proposer, messageType, q. ${PAGING} ${FRESHNESS} ${AMOUNTS}`,
    operation: proposals,
  },
  {
    name: 'get_proposal',
    title: 'Get a proposal',
    description: `Returns a proposal with its text, messages, parameter changes and tally. \`votes\` has the votes of the first 100 pools; list_proposal_votes has all votes. ${FRESHNESS} ${AMOUNTS}`,
    operation: proposal,
  },
  {
    name: 'list_proposal_votes',
    title: 'List the votes on a proposal per pool',
    description: `Lists one record per pool: its vote, its voting power, and the votes of its delegators. vote is null if only delegators voted. Pages have 100 records in the order of first appearance and never shift. With sort=power, the largest voting power is first. ${PAGING} ${FRESHNESS} ${AMOUNTS}`,
    operation: proposalVotes,
  },
  {
    name: 'list_proposal_deposits',
    title: 'List the deposits on a proposal',
    description: `Lists deposits with depositor, amount, time and transaction, 100 per page. The deposit of the submission is first. depositor is null if it is not known; depositorReason has the reason. depositRequirement in get_proposal has the minimum and the missing amount. ${PAGING} ${FRESHNESS} ${AMOUNTS}`,
    operation: proposalDeposits,
  },
  {
    name: 'get_proposal_proof',
    title: 'Get the proof of the state of a proposal',
    description: `Returns the stored proposal (value, base64 protobuf), its ICS-23 proof (proofOps) to app_hash of the header, and the commit that signs the header. A client that trusts one header of the chain can verify status and final tally without trust in this service or its nodes. validators.link and links.lightBlocks have the other data for the verification. A proof is available two heights after the submission and after the end of each round. A missing part is null, and reason has the cause. ${FRESHNESS}`,
    operation: proposalProof,
    ownArguments: PROOF_ARGUMENTS,
  },
  {
    name: 'list_pool_votes',
    title: 'List the votes of a pool',
    description: `Lists the votes of a pool (a validator with the stake delegated to it), newest proposal first, 100 per page. Each record has proposalId, title, status and round. A proposal without a vote of the pool or its delegators is not in the list. ${PAGING} ${FRESHNESS} ${AMOUNTS}`,
    operation: poolVotes,
  },
  {
    name: 'get_service_status',
    title: 'Get the service status',
    description:
      'Returns the chain, the indexed height and the delay behind the chain. status is `ok` within 10 seconds and 5 heights, `catching_up` while further behind and advancing, otherwise `degraded`. This tool also works while other data is unavailable.',
    operation: health,
  },
]

export const TOOLS: readonly Tool[] = DEFINITIONS.map((definition) => {
  const { name, title, description, operation } = definition
  return {
    name,
    title,
    description,
    inputSchema: createInputSchema(definition),
    outputSchema: operation.answer,
    annotations: READS_ONLY,
    operation,
    path: toPathTemplate(operation.path),
  }
})
