// Parameters in paths: ids of proposals in their one spelling, addresses with their checksum verified.
import { notFound } from '../read/queries/known-proposal.ts'
import { readAddress } from './address.ts'
import { invalidParameters, readProposalId } from './parameters.ts'

type PathParameter = {
  /** Throws `ApiProblem`. */
  read: (raw: string) => string
  /** As documents have it. */
  description: string
  schema: { type: 'string'; pattern: string }
  example: string
}

const createAddressParameter = (name: string, prefix: string, example: string): PathParameter => ({
  read: (raw) => readAddress(raw, name, prefix),
  description: `A bech32 address in lower case, e.g. ${prefix}: its checksum is checked`,
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
    description: 'Digits only; with leading zeros it is the same proposal, and redirects',
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
      const detail = 'must be the height of a block: 1 to 10 digits, without leading zeros'
      throw invalidParameters([{ parameter: 'height', detail }])
    },
    description: 'The height of a block, without leading zeros',
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,9}$' },
    example: '400',
  },
  hash: {
    read: (raw) => {
      if (/^[0-9A-Fa-f]{64}$/.test(raw)) return raw.toUpperCase()
      const detail = 'must be the hash of a validator set: 64 digits of hex'
      throw invalidParameters([{ parameter: 'hash', detail }])
    },
    description: 'The `validators_hash` of a header, in hex; with small letters it redirects',
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

/** Throws `ApiProblem` for the first that is not valid. */
export const readPath = <Name extends PathParameterName>(
  raw: Readonly<Record<string, string>>,
  names: readonly Name[],
): Record<Name, string> => {
  const values = names.map((name) => [name, PATH_PARAMETERS[name].read(raw[name] ?? '')])
  return Object.fromEntries(values) as Record<Name, string>
}
