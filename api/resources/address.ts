// Validates bech32 addresses with their checksum, so that a typing error is an error and not an empty result. Pure.
import { decodeAddress, encodeAddress } from '../../ingest/contract/address.ts'
import { invalidParameters } from './parameters.ts'

const MAX_LENGTH = 128

/** In small letters: capital letters are the same address. Undefined if it is invalid. */
const toCanonical = (raw: string): string | undefined => {
  const decoded = raw.length > MAX_LENGTH ? undefined : decodeAddress(raw)
  return decoded && encodeAddress(decoded.prefix, decoded.bytes)
}

const describeExpected = (example: string): string =>
  `must be a bech32 address with a valid checksum, e.g. ${example}`

/** The canonical form. Throws `invalid-parameter` for an invalid address. */
export const parseAddress = (raw: string, parameter: string, example: string): string => {
  const address = toCanonical(raw)
  if (address !== undefined) return address
  throw invalidParameters([{ parameter, detail: describeExpected(example) }])
}

type Found = { path: string } | { address: string; problem: string | null }

/** The page of an address that a user enters. Copied addresses can have spaces, and scanned ones capital letters. */
export const lookUpAddress = (given: string): Found => {
  const trimmed = given.trim()
  if (trimmed === '') return { address: trimmed, problem: null }
  const address = toCanonical(trimmed)
  if (address === undefined) return { address: trimmed, problem: describeExpected('cosmos1…') }
  const isPool = address.slice(0, address.lastIndexOf('1')).endsWith('valoper')
  return { path: `/${isPool ? 'pools' : 'voters'}/${encodeURIComponent(address)}` }
}
