// The tools: name, description, arguments, and the operation of the read API that answers.
// They are independent of the protocol, so that web pages can offer the same tools.
import { type TObject, type TSchema, Type } from 'typebox'
import { proposalDeposits } from '../resources/deposits.ts'
import { health } from '../resources/health.ts'
import type { Operation } from '../resources/operation.ts'
import {
  PARAMETERS,
  type ParameterName,
  POOL_PARAMETERS,
  PROOF_PARAMETERS,
} from '../resources/parameters.ts'
import {
  findPathNames,
  type PathParameterName,
  toPathTemplate,
} from '../resources/path-parameters.ts'
import { poolVotes } from '../resources/pool-votes.ts'
import { pools } from '../resources/pools.ts'
import { proposal } from '../resources/proposal.ts'
import { proposalProof } from '../resources/proposal-proof.ts'
import { proposals } from '../resources/proposals.ts'
import { voterVotes } from '../resources/voter-votes.ts'
import { proposalVotes } from '../resources/votes.ts'
import type { MCP_TOOLS } from './identity.ts'
import {
  type Reading,
  readDeposits,
  readPools,
  readPoolVotes,
  readProof,
  readProposal,
  readProposals,
  readStatus,
  readVoterVotes,
  readVotes,
} from './readings.ts'
import { toShallow } from './shallow-schema.ts'
import type { McpOperation, Readable } from './sources.ts'

export type ToolName = (typeof MCP_TOOLS)[number]

type Definition = {
  name: ToolName
  title: string
  description: string
  operation: McpOperation
  /** Throws for a body of another operation. */
  describe: (body: object) => Reading
  /** Arguments with another meaning than in other tools. */
  ownArguments?: Arguments
  /** Rows of a list that is a part of the result. By default as many as fit. */
  usualRows?: number
}

export type Tool = Omit<Definition, 'ownArguments'> & {
  inputSchema: TObject
  /** The path in the read API: arguments in braces are part of it, all others of the query. */
  path: string
  outputSchema: TObject
  annotations: typeof READS_ONLY
}

/** The world is closed, because tools read only the tables of this service. */
const READS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

type Arguments = { readonly [Name in ParameterName | PathParameterName | 'limit']?: TSchema }

/** The read API checks each text, and its error says what is expected. */
const createText = (description: string, maxLength?: number): TSchema =>
  Type.String({ description, ...(maxLength === undefined ? {} : { maxLength }) })

const ARGUMENTS: Arguments = {
  proposalId: Type.String({
    pattern: '^[0-9]+$',
    maxLength: 200,
    description: 'Digits only, e.g. 937',
  }),
  operatorAddress: createText(
    'The name, operator address or account of a pool, at most 128 characters',
    128,
  ),
  address: createText(
    'The account address of a voter, or the name of a pool, at most 128 characters',
    128,
  ),
  page: Type.Unsafe<number>({
    ...PARAMETERS.page.value,
    description: 'Page of the read API, from 0; limit does not change it',
  }),
  round: Type.Unsafe<number>({
    ...PARAMETERS.round.value,
    description: 'Voting round; by default the current one',
  }),
  cursor: createText('page.nextCursor of the previous result, with the same filters, without page'),
  sort: Type.Unsafe<string>({
    ...PARAMETERS.sort.value,
    description: 'power: largest voting power first; rank: order of first appearance',
  }),
  status: Type.Unsafe<string[]>({ ...PARAMETERS.status.value, description: 'Any of these' }),
  proposer: createText('An account address'),
  messageType: createText('A type or a package, e.g. /cosmos.gov.v1.MsgUpdateParams'),
  q: createText(
    'Words that all occur in title or text, best matches first; a number; the address of a proposer',
    200,
  ),
}

const PROOF_ARGUMENTS: Arguments = {
  round: Type.Unsafe<number>({
    ...PROOF_PARAMETERS.round.value,
    description: '0 for the submission, n for the end of round n; by default the latest proof',
  }),
}

const POOL_ARGUMENTS: Arguments = {
  q: createText('A part of the name, or the start of an address', 200),
  sort: Type.Unsafe<string>({
    ...POOL_PARAMETERS.sort.value,
    description: 'power; participation: largest share of votes first; missed: most first',
  }),
}

const createLimit = (maximum: number): TSchema =>
  Type.Integer({
    minimum: 1,
    maximum,
    description: `An integer from 1 to ${maximum}: the maximum number of rows`,
  })

/** The path parameters of the operation, which are required, its query parameters, and the limit of a list. */
const createInputSchema = ({ operation, ownArguments = {} }: Definition): TObject => {
  const find = (name: keyof Arguments): TSchema => {
    const schema = ownArguments[name] ?? ARGUMENTS[name]
    if (!schema) throw new Error(`the parameter ${name} has no argument`)
    return schema
  }
  const entries = [
    ...findPathNames(operation.path).map((name) => [name, find(name)]),
    ...operation.queryParameters.map((name) => [name, Type.Optional(find(name))]),
    ...('pageSize' in operation && operation.pageSize !== undefined
      ? [['limit', Type.Optional(createLimit(operation.pageSize))]]
      : []),
  ]
  return Type.Object(Object.fromEntries(entries), { additionalProperties: false })
}

const define = <Body extends object>(
  definition: Omit<Definition, 'describe' | 'operation'> & {
    operation: Operation & Partial<Readable<Body>>
    describe: (body: Body) => Reading
  },
): Definition => definition as unknown as Definition

/** In a proposal. `list_proposal_votes` has all votes. */
const FIRST_VOTES = 10

/** In the order of `tools/list`. Facts that many tools share are in the instructions of the server. */
const DEFINITIONS: readonly Definition[] = [
  define({
    name: 'list_proposals',
    title: 'List proposals',
    description:
      'Lists governance proposals with status and tally, newest first. A proposal must match all filters.',
    operation: proposals,
    describe: readProposals,
  }),
  define({
    name: 'get_proposal',
    title: 'Get a proposal',
    description:
      'Returns a proposal: text, messages with explanations, parameter changes, tally, and the first votes.',
    operation: proposal,
    describe: readProposal,
    usualRows: FIRST_VOTES,
  }),
  define({
    name: 'list_proposal_votes',
    title: 'List the votes on a proposal per pool',
    description:
      'Lists one row per pool: its own vote (null if only delegators voted), its voting power, and the votes of its delegators. The rows add up to the tally.',
    operation: proposalVotes,
    describe: readVotes,
  }),
  define({
    name: 'list_proposal_deposits',
    title: 'List the deposits on a proposal',
    description:
      'Lists deposits, that of the submission first. depositRequirement in get_proposal has the minimum and the missing amount.',
    operation: proposalDeposits,
    describe: readDeposits,
  }),
  define({
    name: 'get_proposal_proof',
    title: 'Get the proof of the state of a proposal',
    description:
      'Returns the stored proposal with its Merkle proof and the signed header. A program can verify status and final tally with it, without trust in this service. A proof exists two heights after the submission and after each round.',
    operation: proposalProof,
    ownArguments: PROOF_ARGUMENTS,
    describe: readProof,
  }),
  define({
    name: 'list_pool_votes',
    title: 'List the votes of a pool',
    description:
      'Lists how a pool voted, newest proposal first, and counts those that it voted on and missed. A missed vote has missed: true.',
    operation: poolVotes,
    describe: readPoolVotes,
  }),
  define({
    name: 'list_pools',
    title: 'List pools by power',
    description:
      'Lists pools by bonded tokens, largest first, with their share of the power and the numbers of proposals voted on and missed.',
    operation: pools,
    ownArguments: POOL_ARGUMENTS,
    describe: readPools,
  }),
  define({
    name: 'list_voter_votes',
    title: 'List the votes of a voter',
    description:
      'Lists how an account voted, newest proposal first, with its voting power. An account without votes has an empty list.',
    operation: voterVotes,
    describe: readVoterVotes,
  }),
  define({
    name: 'get_service_status',
    title: 'Get the service status',
    description:
      'Returns the chain, the indexed height and the delay behind the chain. status is `ok` within 10 seconds and 5 heights, `catching_up` while it advances, else `degraded`.',
    operation: health,
    describe: readStatus,
  }),
]

export const TOOLS: readonly Tool[] = DEFINITIONS.map((definition) => ({
  ...definition,
  inputSchema: createInputSchema(definition),
  outputSchema: toShallow(definition.operation.answer as TObject),
  annotations: READS_ONLY,
  path: toPathTemplate(definition.operation.path),
}))
