// Path parameters with their validation: canonical ids and hashes, and addresses with a verified checksum.
import { notFound } from '../read/queries/known-proposal.ts'
import { readAddress } from './address.ts'
import { invalidParameters, readProposalId } from './parameters.ts'

type PathParameter = {
  /** Throws `ApiProblem`. */
  read: (raw: string) => string
  /** For documents. */
  description: string
  schema: { type: 'string'; pattern: string }
  example: string
}

const createAddressParameter = (name: string, prefix: string, example: string): PathParameter => ({
  read: (raw) => readAddress(raw, name, prefix),
  description: `A bech32 address in lower case with a valid checksum, e.g. ${prefix}`,
  schema: { type: 'string', pattern: '^[a-z0-9]{8,128}$' },
  example,
})

export const PATH_PARAMETERS = {
  proposalId: {
    read: (raw) => {
      const read = readProposalId(raw)
      if (read.kind === 'unknown') throw notFound(raw)
      return read.id
    },
    description: 'Digits only; an id with leading zeros redirects to the canonical URL',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '2',
  },
  message: {
    read: (raw) => {
      if (/^(?:0|[1-9][0-9]{0,8})$/.test(raw)) return raw
      const detail = 'must be the index of a message, from 0, without leading zeros'
      throw invalidParameters([{ parameter: 'message', detail }])
    },
    description: 'The index of the message in the proposal, from 0',
    schema: { type: 'string', pattern: '^(?:0|[1-9][0-9]{0,8})$' },
    example: '0',
  },
  operatorAddress: createAddressParameter(
    'operatorAddress',
    'cosmosvaloper1…',
    'wasmvaloper1r8usmzc2jvs87s8xd06sdy437z3r53ej48rs7l',
  ),
  height: {
    read: (raw) => {
      if (/^[1-9][0-9]{0,9}$/.test(raw)) return raw
      const detail = 'must be a block height of 1 to 10 digits without leading zeros'
      throw invalidParameters([{ parameter: 'height', detail }])
    },
    description: 'A block height without leading zeros',
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,9}$' },
    example: '400',
  },
  hash: {
    read: (raw) => {
      if (/^[0-9A-Fa-f]{64}$/.test(raw)) return raw.toUpperCase()
      const detail = 'must be the hash of a validator set: 64 hex digits'
      throw invalidParameters([{ parameter: 'hash', detail }])
    },
    description:
      'The `validators_hash` of a header in hex; a hash with small letters redirects to the canonical URL',
    schema: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
    example: '44F38B9976798534F82CB6761A06CFCA4B78F98494082730C99E07A3E9BE6A50',
  },
  address: createAddressParameter(
    'address',
    'cosmos1…',
    'wasm1cf4hu9382fxll9yyh05dpmqjcf6yyaavszh5x0',
  ),
} as const satisfies Record<string, PathParameter>

export type PathParameterName = keyof typeof PATH_PARAMETERS

/** Throws `ApiProblem` for the first invalid parameter. */
export const readPath = <Name extends PathParameterName>(
  raw: Readonly<Record<string, string>>,
  names: readonly Name[],
): Record<Name, string> => {
  const values = names.map((name) => [name, PATH_PARAMETERS[name].read(raw[name] ?? '')])
  return Object.fromEntries(values) as Record<Name, string>
}
