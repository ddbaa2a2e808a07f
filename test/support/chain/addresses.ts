// Creates valid bech32 addresses from short names.
import { createHash } from 'node:crypto'
import { toBech32 } from '@cosmjs/encoding'

const toAddressBytes = (name: string) =>
  new Uint8Array(createHash('sha256').update(name).digest().subarray(0, 20))

/** Chains in memory name the same few accounts millions of times. */
const known = new Map<string, string>()

const toAddress = (prefix: string, name: string): string => {
  const key = `${prefix} ${name}`
  const address = known.get(key) ?? toBech32(prefix, toAddressBytes(name))
  known.set(key, address)
  return address
}

export const account = (name: string): string => toAddress('cosmos', name)
export const operator = (name: string): string => toAddress('cosmosvaloper', name)
