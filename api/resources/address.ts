// Validates bech32 addresses with their checksum, so that a typing error is an error and not an empty result. Pure.
import { fromBech32 } from '@cosmjs/encoding'
import { invalidParameters } from './parameters.ts'

/** Contracts and groups have 32 bytes: longer than the 90 characters that BIP 173 allows. */
const MAX_LENGTH = 128

const isAddress = (raw: string): boolean => {
  // Upper case is a second form of the same address: only lower case is accepted.
  if (raw.length > MAX_LENGTH || !/^[a-z0-9]+$/.test(raw)) return false
  try {
    fromBech32(raw, MAX_LENGTH)
    return true
  } catch {
    return false
  }
}

const describeExpected = (example: string): string =>
  `must be a bech32 address in lower case with a valid checksum, e.g. ${example}`

/** Throws `invalid-parameter` for an invalid address. */
export const parseAddress = (raw: string, parameter: string, example: string): string => {
  if (isAddress(raw)) return raw
  throw invalidParameters([{ parameter, detail: describeExpected(example) }])
}

type Found = { path: string } | { address: string; problem: string | null }

/** The page of an address that a user enters. Copied addresses can have spaces, and scanned ones capital letters. */
export const lookUpAddress = (given: string): Found => {
  const trimmed = given.trim()
  const address = /^[A-Z0-9]+$/.test(trimmed) ? trimmed.toLowerCase() : trimmed
  if (address === '') return { address, problem: null }
  if (!isAddress(address)) return { address: trimmed, problem: describeExpected('cosmos1…') }
  const isPool = /^[a-z0-9]*valoper1[a-z0-9]+$/.test(address)
  return { path: `/${isPool ? 'pools' : 'voters'}/${address}` }
}
