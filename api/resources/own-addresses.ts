// Replaces the addresses in the arguments of a request by their form on this chain: hex by bech32, an operator by its account.
// An address of another chain is refused, because its record would be empty without a reason.
import { decodeAddress, encodeAddress } from '../../ingest/contract/address.ts'
import { ApiProblem, type ProblemOptions } from '../problem.ts'
import type { AddressPrefixes } from '../read/queries/address-prefixes.ts'
import { createAddressError, MAX_ADDRESS_LENGTH, toBech32Form } from './address.ts'
import type { RawArguments } from './operation.ts'
import type { AddressRole } from './parameter.ts'
import { getParameter, invalidParameters, PARAMETERS, type ParameterName } from './parameters.ts'
import { getPathParameter, PATH_PARAMETERS, type PathParameterName } from './path-parameters.ts'

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

/** Throws `ApiProblem`. A text that is no address in bech32 is left to the parser, which knows the rules of its parameter. */
const toOwnForm = (argument: Argument, prefixes: AddressPrefixes): string => {
  const { name, role, text, isPath } = argument
  const bech32 = toBech32Form(text, role, prefixes)
  if (bech32 !== undefined) return bech32
  const decoded = text.length > MAX_ADDRESS_LENGTH ? undefined : decodeAddress(text)
  const { [role]: expected, account, operator } = prefixes
  if (decoded === undefined) {
    if (isPath) throw createAddressError(text, name, expected)
    return text
  }
  // With one prefix for both, the prefix of accounts is not known.
  if (expected === null || decoded.prefix === expected || account === operator) return text
  if (role === 'account' && decoded.prefix === (operator ?? `${account}valoper`)) {
    return encodeAddress(account, decoded.bytes)
  }
  if (role === 'operator' && decoded.prefix === account) {
    if (isPath) throw accountForPool(argument, expected)
    return encodeAddress(expected, decoded.bytes)
  }
  throw foreign(argument, expected)
}

const replaceIn = <Values extends Readonly<Record<string, Value>>>(
  values: Values,
  prefixes: AddressPrefixes,
  isPath: boolean,
): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const role = findRole(name)
      if (role === undefined || typeof value !== 'string') return [name, value]
      return [name, toOwnForm({ name, role, text: value, isPath }, prefixes)]
    }),
  ) as Values

const isAddress = ([name, value]: [string, Value]): boolean =>
  typeof value === 'string' && value !== '' && findRole(name) !== undefined

/** Reads the prefixes only for a request with an address. Throws `ApiProblem`. */
export const toOwnAddresses = async (
  { params, query }: RawArguments,
  readPrefixes: () => Promise<AddressPrefixes | null>,
): Promise<RawArguments> => {
  const given = [...Object.entries(params), ...Object.entries(query)]
  if (!given.some(isAddress)) return { params, query }
  const prefixes = await readPrefixes()
  if (prefixes === null) return { params, query }
  return { params: replaceIn(params, prefixes, true), query: replaceIn(query, prefixes, false) }
}
