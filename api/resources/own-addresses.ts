// Replaces the addresses in the arguments of a request by the text that this chain has for the same bytes.
// An address of another chain that the log does not have is refused, because its record would be empty without a reason.
import { addressKey, decodeAddress, encodeAddress } from '../../ingest/contract/address.ts'
import { ApiProblem, type ProblemOptions } from '../read/problems.ts'
import { type AddressPrefixes, addressPrefixes, knownAddress } from '../read/queries/addresses.ts'
import type { Reader } from '../read/reader.ts'
import { createAddressError, toBech32Form, toCanonical } from './address.ts'
import type { RawArguments } from './operation.ts'
import {
  type AddressRole,
  getParameter,
  invalidParameters,
  PARAMETERS,
  type ParameterName,
} from './parameters.ts'
import { getPathParameter, PATH_PARAMETERS, type PathParameterName } from './path-parameters.ts'

/** What the chain has. Both throw `ApiProblem`. */
export type OwnAddresses = {
  /** Null before the first address. */
  prefixes(): Promise<AddressPrefixes | null>
  /** The text of the log for the bytes with this key; null if there is none. */
  find(role: AddressRole, key: string): Promise<string | null>
}

/** The reads of a client use the slots of its address. */
export function createOwnAddresses(reader: Pick<Reader, 'get'>, client: string): OwnAddresses {
  return {
    prefixes: async () => (await reader.get(addressPrefixes, client)).body,
    find: async (role, key) => (await reader.get(knownAddress(role, key), client)).body,
  }
}

type Value = RawArguments['query'][string]
type Argument = { name: string; role: AddressRole; text: string; isPath: boolean }

/** Undefined for a parameter that is no address, and for a name that is no parameter. */
const findRole = (name: string): AddressRole | undefined => {
  if (Object.hasOwn(PATH_PARAMETERS, name)) return getPathParameter(name as PathParameterName).role
  if (Object.hasOwn(PARAMETERS, name)) return getParameter(name as ParameterName).role
  return undefined
}

const NAMES: Readonly<Record<AddressRole, string>> = { account: 'an account', operator: 'a pool' }

/** The lengths of an account, and of a contract or group. */
const ACCOUNT_BYTES = [20, 32]
/** Consensus addresses and public keys have other bytes than the account. */
const OTHER_BYTES = /(?:valcons|pub)$/

/** The address with the same bytes; undefined if the bytes are those of no account. */
const respell = (text: string, prefix: string): string | undefined => {
  const { prefix: given, bytes } = decodeAddress(text) ?? { prefix: '', bytes: new Uint8Array() }
  const isAccount = ACCOUNT_BYTES.includes(bytes.length) && !OTHER_BYTES.test(given)
  return isAccount ? encodeAddress(prefix, bytes) : undefined
}

const withInstead = (parameter: string, value: string | undefined): ProblemOptions =>
  value === undefined ? {} : { instead: { parameter, value } }

const foreign = ({ name, role, text, isPath }: Argument, prefix: string): ApiProblem => {
  const value = respell(text, prefix)
  const rule = `The address of ${NAMES[role]} of this chain has the prefix ${prefix}.`
  const same = value === undefined ? '' : ` With the same bytes it is ${value}.`
  if (isPath) {
    const detail = `${text} is an address of another kind or of another chain. ${rule}${same}`
    return new ApiProblem('foreign-address', detail, withInstead(name, value))
  }
  const detail = `must be an address of this chain. ${rule}${same}`
  return invalidParameters([{ parameter: name, detail }], withInstead(name, value))
}

/** Not every account is the operator of a pool, so it is named and not read. */
const accountForPool = ({ name, text }: Argument, operatorPrefix: string): ApiProblem => {
  const value = respell(text, operatorPrefix)
  const pool =
    value === undefined ? '' : ` If it operates a pool, the operator address is ${value}.`
  const detail = `${text} is the address of an account.${pool}`
  return new ApiProblem('pool-not-found', detail, withInstead(name, value))
}

/** Of an address that the log does not have. Throws `ApiProblem` for one of another chain. */
const toUnknownForm = (argument: Argument, prefixes: AddressPrefixes | null): string => {
  const { role, text, isPath } = argument
  const decoded = decodeAddress(text)
  if (decoded === undefined) return toBech32Form(text, role, prefixes) ?? text.toLowerCase()
  if (prefixes === null) return text
  const { [role]: expected, account, operator } = prefixes
  // With one prefix for both, the prefix of accounts is not known.
  if (expected === null || account === operator) return text
  if (role === 'account' && decoded.prefix === (operator ?? `${account}valoper`)) {
    return encodeAddress(account, decoded.bytes)
  }
  if (role === 'operator' && decoded.prefix === account) {
    if (isPath) throw accountForPool(argument, expected)
    return encodeAddress(expected, decoded.bytes)
  }
  throw foreign(argument, expected)
}

/** Throws `ApiProblem`. In a query, a text that is no address is left to the parser, which knows the rules of its parameter. */
const toOwnForm = async (argument: Argument, own: OwnAddresses): Promise<string> => {
  const { name, role, text, isPath } = argument
  const prefixes = await own.prefixes()
  const expected = prefixes?.[role]
  const canonical = toCanonical(text)
  if (canonical === undefined) {
    if (isPath) throw createAddressError(name, expected)
    return text
  }
  // The rows of an account are found by its bytes: only another prefix needs the text of the log.
  if (expected && decodeAddress(text)?.prefix === expected) return text
  return (await own.find(role, addressKey(canonical))) ?? toUnknownForm(argument, prefixes)
}

const replaceIn = async <Values extends Readonly<Record<string, Value>>>(
  values: Values,
  isPath: boolean,
  own: OwnAddresses,
): Promise<Values> => {
  const replaced = Object.entries(values).map(async ([name, value]) => {
    const role = findRole(name)
    if (role === undefined || typeof value !== 'string' || value === '') return [name, value]
    return [name, await toOwnForm({ name, role, text: value, isPath }, own)]
  })
  return Object.fromEntries(await Promise.all(replaced)) as Values
}

/** Throws `ApiProblem`. */
export async function toOwnAddresses(
  { params, query }: RawArguments,
  own: OwnAddresses,
): Promise<RawArguments> {
  return { params: await replaceIn(params, true, own), query: await replaceIn(query, false, own) }
}
