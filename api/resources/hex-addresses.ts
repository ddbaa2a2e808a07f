// Replaces addresses in hex by their bech32 form in the arguments of a request: both are the same bytes.
import type { AddressPrefixes } from '../read/queries/address-prefixes.ts'
import { type AddressRole, isHexAddress, toBech32Form } from './address.ts'
import type { RawArguments } from './operation.ts'
import type { ParameterName } from './parameters.ts'
import type { PathParameterName } from './path-parameters.ts'

type Value = RawArguments['query'][string]

const ROLES: { readonly [Name in ParameterName | PathParameterName]?: AddressRole } = {
  address: 'account',
  proposer: 'account',
  operatorAddress: 'operator',
}

const findRole = (name: string): AddressRole | undefined =>
  Object.hasOwn(ROLES, name) ? ROLES[name as keyof typeof ROLES] : undefined

const isInHex = ([name, value]: [string, Value]): boolean =>
  typeof value === 'string' && isHexAddress(value) && findRole(name) !== undefined

const replaceIn = <Values extends Readonly<Record<string, Value>>>(
  values: Values,
  prefixes: AddressPrefixes | null,
): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const role = findRole(name)
      if (role === undefined || typeof value !== 'string') return [name, value]
      return [name, toBech32Form(value, role, prefixes) ?? value]
    }),
  ) as Values

/** Reads the prefixes only for a request with an address in hex. */
export const withoutHexAddresses = async (
  { params, query }: RawArguments,
  readPrefixes: () => Promise<AddressPrefixes | null>,
): Promise<RawArguments> => {
  const given = [...Object.entries(params), ...Object.entries(query)]
  if (!given.some(isInHex)) return { params, query }
  const prefixes = await readPrefixes()
  return { params: replaceIn(params, prefixes), query: replaceIn(query, prefixes) }
}
