// What may be sent with each operation, as OpenAPI has it: the checks are those of `parameters.ts`. Pure.
import { type TSchema, Type } from 'typebox'
import { MAX_PAGE, PARAMETERS, type ParameterName } from '../../request/parameters.ts'
import { PROPOSAL_STATUSES } from '../../schemas/proposal.ts'
import type { ParameterObject } from './types.ts'

/** Where the value is more than the text it is sent as. */
const VALUES: Partial<Record<ParameterName, { schema: TSchema; example: unknown }>> = {
  page: { schema: Type.Integer({ minimum: 0, maximum: MAX_PAGE, default: 0 }), example: 0 },
  round: { schema: Type.Integer({ minimum: 1 }), example: 1 },
  status: {
    schema: Type.Array(Type.String({ enum: [...PROPOSAL_STATUSES] }), { minItems: 1 }),
    example: ['passed', 'rejected'],
  },
}

const EXAMPLES: Partial<Record<ParameterName, unknown>> = {
  proposer: 'wasm1zang3mwv6j4g5d5avy6mhdryw8upytzt0gdmn5',
  q: 'quorum',
}

/** Names of fields stay as they are. */
const sentence = (text: string): string =>
  /^[a-z]+\./.test(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const query = (name: ParameterName): ParameterObject => {
  const { schema, description } = PARAMETERS[name]
  const value = VALUES[name]
  const { description: _, ...text } = schema as TSchema & { description?: string }
  const example = value?.example ?? EXAMPLES[name]
  return {
    name,
    in: 'query',
    required: false,
    description: sentence(description),
    ...(name === 'status' ? { style: 'form', explode: false } : {}),
    schema: { ...(value?.schema ?? text) },
    ...(example === undefined ? {} : { example }),
  }
}

const address = (name: string, prefix: string, example: string): ParameterObject => ({
  name,
  in: 'path',
  required: true,
  description: `A bech32 address in lower case, e.g. ${prefix}: its checksum is checked`,
  schema: { type: 'string', pattern: '^[a-z0-9]{8,128}$' },
  example,
})

const PATHS_AND_HEADERS = {
  proposalId: {
    name: 'proposalId',
    in: 'path',
    required: true,
    description: 'Digits only; with leading zeros it is the same proposal, and redirects',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '2',
  },
  operatorAddress: address(
    'operatorAddress',
    'cosmosvaloper1…',
    'wasmvaloper1r8usmzc2jvs87s8xd06sdy437z3r53ej48rs7l',
  ),
  address: address('address', 'cosmos1…', 'wasm1cf4hu9382fxll9yyh05dpmqjcf6yyaavszh5x0'),
  onlyProposalId: {
    name: 'proposalId',
    in: 'query',
    required: false,
    description: 'Only what changes of this proposal',
    schema: { type: 'string', pattern: '^[0-9]{1,20}$' },
    example: '2',
  },
  lastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The `id` of the last event that was received: the stream goes on after it',
    schema: { type: 'string', maxLength: 200 },
  },
} as const satisfies Record<string, ParameterObject>

export type AnyParameter = ParameterName | keyof typeof PATHS_AND_HEADERS

const isOther = (name: AnyParameter): name is keyof typeof PATHS_AND_HEADERS =>
  Object.hasOwn(PATHS_AND_HEADERS, name)

export const parameterObject = (name: AnyParameter): ParameterObject =>
  isOther(name) ? PATHS_AND_HEADERS[name] : query(name)
