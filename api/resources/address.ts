// Validates addresses with their checksum, so that a typing error is an error and not an empty result. Pure.
import { decodeAddress, encodeAddress, isHexAddress } from '../../ingest/contract/address.ts'
import type { ApiProblem } from '../read/problems.ts'
import type { AddressPrefixes } from '../read/queries/addresses.ts'
import { type AddressRole, invalidParameters } from './parameters.ts'

const MAX_ADDRESS_LENGTH = 128

/**
 * In small letters: capital letters are the same address. In hex they can be a checksum, which stays. Undefined if it is
 * invalid.
 */
export function toCanonical(raw: string): string | undefined {
  if (isHexAddress(raw)) return raw
  return raw.length <= MAX_ADDRESS_LENGTH && decodeAddress(raw) ? raw.toLowerCase() : undefined
}

/** The bech32 form; undefined if `hex` is no address in hex, or if the chain has no such prefix. */
export function toBech32Form(
  hex: string,
  role: AddressRole,
  prefixes: AddressPrefixes | null,
): string | undefined {
  const prefix = prefixes?.[role]
  if (!isHexAddress(hex) || prefix === null || prefix === undefined) return undefined
  return encodeAddress(prefix, Buffer.from(hex.slice(2), 'hex'))
}

/** Without a prefix there is no example. */
const describeExpected = (prefix: string | null | undefined): string => {
  const example = prefix === null || prefix === undefined ? '' : `, e.g. ${prefix}1…`
  return `must be a bech32 address with a valid checksum${example}, or 0x with 40 or 64 hex digits`
}

export function createAddressError(parameter: string, prefix?: string | null): ApiProblem {
  return invalidParameters([{ parameter, detail: describeExpected(prefix) }])
}

/** The canonical form. Throws `invalid-parameter` for an invalid address. */
export function parseAddress(raw: string, parameter: string): string {
  const address = toCanonical(raw)
  if (address !== undefined) return address
  throw createAddressError(parameter)
}

type LookedUp = { path: string } | { address: string; problem: string | null }

const isOperator = (prefix: string, prefixes: AddressPrefixes | null): boolean =>
  prefix !== prefixes?.account && (prefix === prefixes?.operator || prefix.endsWith('valoper'))

/** The page of an address that a user enters. Copied addresses can have spaces, and scanned ones capital letters. */
export function lookUpAddress(given: string, prefixes: AddressPrefixes | null): LookedUp {
  const trimmed = given.trim()
  if (trimmed === '') return { address: trimmed, problem: null }
  const address = toBech32Form(trimmed, 'account', prefixes) ?? toCanonical(trimmed)
  if (address === undefined) {
    return { address: trimmed, problem: describeExpected(prefixes?.account) }
  }
  const isPool = isOperator(address.slice(0, address.lastIndexOf('1')), prefixes)
  return { path: `/${isPool ? 'pools' : 'voters'}/${encodeURIComponent(address)}` }
}
