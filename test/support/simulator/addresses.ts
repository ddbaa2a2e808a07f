// Addresses of accounts and pools from short names. An address is a name too, of the account and of its pool.
import { createHash } from 'node:crypto'
import { fromBech32, toBech32 } from '@cosmjs/encoding'

const hashName = (name: string) =>
  new Uint8Array(createHash('sha256').update(name).digest().subarray(0, 20))

/** A chain names the same few accounts millions of times. */
const known = new Map<string, string>()
const knownBytes = new Map<string, Uint8Array>()

const decode = (text: string): { prefix: string; data: Uint8Array } | undefined => {
  try {
    return fromBech32(text)
  } catch {
    return undefined
  }
}

const OPERATOR_SUFFIX = 'valoper'

/** `suffix`: of the prefix of the kind of address. */
const toAddress = (name: string, suffix: '' | typeof OPERATOR_SUFFIX): string => {
  const key = `${suffix} ${name}`
  const found = known.get(key)
  if (found !== undefined) return found
  const { prefix, data } = decode(name) ?? { prefix: 'cosmos', data: hashName(name) }
  const address = toBech32(prefix.replace(/valoper$/, '') + suffix, data)
  known.set(key, address)
  return address
}

export const account = (name: string): string => toAddress(name, '')
export const operator = (name: string): string => toAddress(name, OPERATOR_SUFFIX)

/** As stores have it; a text that is no address stands for itself. */
export const toAddressBytes = (address: string): Uint8Array => {
  const bytes =
    knownBytes.get(address) ?? decode(address)?.data ?? new Uint8Array(Buffer.from(address))
  knownBytes.set(address, bytes)
  return bytes
}
