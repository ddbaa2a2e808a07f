// Validates addresses in bech32 with their checksum, so that a typing error is an error and not an empty result. Pure.
import { decodeAddress, encodeAddress } from '../../ingest/contract/address.ts'
import type { ApiProblem } from '../problem.ts'
import type { AddressPrefixes } from '../read/queries/address-prefixes.ts'
import type { AddressRole } from './parameter.ts'
import { invalidParameters } from './parameters.ts'

export const MAX_ADDRESS_LENGTH = 128

/** The bytes of an account, or of a contract or group. Ethereum wallets show addresses so. */
const HEX = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i

export const isHexAddress = (text: string): boolean => HEX.test(text)

/** The bech32 form; undefined if `hex` is no address in hex, or if the chain has no such prefix. */
export const toBech32Form = (
  hex: string,
  role: AddressRole,
  prefixes: AddressPrefixes | null,
): string | undefined => {
  const prefix = prefixes?.[role]
  if (!isHexAddress(hex) || prefix === null || prefix === undefined) return undefined
  return encodeAddress(prefix, Buffer.from(hex.slice(2), 'hex'))
}

/** Whether a text is the address in hex of these bytes, whatever the prefix. */
export const isHexFormOf = (text: string, address: string): boolean => {
  if (!isHexAddress(text)) return false
  const bytes = decodeAddress(address)?.bytes
  return bytes !== undefined && Buffer.from(text.slice(2), 'hex').equals(bytes)
}

/** In small letters: capital letters are the same address. Undefined if it is invalid. */
export const toCanonical = (raw: string): string | undefined => {
  const decoded = raw.length > MAX_ADDRESS_LENGTH ? undefined : decodeAddress(raw)
  return decoded && encodeAddress(decoded.prefix, decoded.bytes)
}

/** Without a prefix there is no example. An address in hex has been replaced before, if the prefix is known. */
const describeExpected = (raw: string, prefix: string | null | undefined): string => {
  const example = prefix === null || prefix === undefined ? '' : `, e.g. ${prefix}1…`
  return isHexAddress(raw)
    ? `must be bech32${example}: the prefix of its bech32 form is not known on this chain`
    : `must be a bech32 address with a valid checksum${example}, or 0x with 40 or 64 hex digits`
}

export const createAddressError = (
  raw: string,
  parameter: string,
  prefix?: string | null,
): ApiProblem => invalidParameters([{ parameter, detail: describeExpected(raw, prefix) }])

/** The canonical form. Throws `invalid-parameter` for an invalid address. */
export const parseAddress = (raw: string, parameter: string): string => {
  const address = toCanonical(raw)
  if (address !== undefined) return address
  throw createAddressError(raw, parameter)
}

type Found = { path: string } | { address: string; problem: string | null }

const isOperator = (prefix: string, prefixes: AddressPrefixes | null): boolean =>
  prefix !== prefixes?.account && (prefix === prefixes?.operator || prefix.endsWith('valoper'))

/** The page of an address that a user enters. Copied addresses can have spaces, and scanned ones capital letters. */
export const lookUpAddress = (given: string, prefixes: AddressPrefixes | null): Found => {
  const trimmed = given.trim()
  if (trimmed === '') return { address: trimmed, problem: null }
  const address = toBech32Form(trimmed, 'account', prefixes) ?? toCanonical(trimmed)
  if (address === undefined) {
    return { address: trimmed, problem: describeExpected(trimmed, prefixes?.account) }
  }
  const isPool = isOperator(address.slice(0, address.lastIndexOf('1')), prefixes)
  return { path: `/${isPool ? 'pools' : 'voters'}/${encodeURIComponent(address)}` }
}
