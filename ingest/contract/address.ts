// Addresses are bytes: one key for every text of an account, and one canonical form for small and capital letters. Pure.
import { bech32, bech32m } from '@scure/base'

/** Contracts and groups have 32 bytes: longer than the 90 characters that BIP 173 allows. */
const LENGTH_LIMIT = 256

/** The bytes of an account, or of a contract or group. Ethereum wallets show addresses so. */
const HEX = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i

/** The order of texts by their code units, such as of addresses of one kind. */
export function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

export type DecodedAddress = { prefix: string; bytes: Uint8Array }

/** `0x` with the bytes of an account in hex, in small or in capital letters. */
export function isHexAddress(text: string): boolean {
  return HEX.test(text)
}

/** The five-bit values of a witness version and of a program of 20 or 32 bytes (BIP 141). */
const SEGWIT_LENGTH = 33
const TAPROOT_LENGTH = 53

/**
 * Accounts can be Bitcoin addresses (sideprotocol/cosmos-sdk, types/bech32). One of version 1 (taproot) has the bytes of its
 * program. One of version 0 has the five-bit values themselves.
 */
function toBytes(words: number[], isBech32m: boolean): Uint8Array | undefined {
  const { length, 0: version } = words
  const isTaproot = isBech32m && length === TAPROOT_LENGTH && version === 1
  if (length === SEGWIT_LENGTH && version === 0) return Uint8Array.from(words)
  return bech32.fromWordsUnsafe(isTaproot ? words.slice(1) : words) ?? undefined
}

/** Decides without the checksum: the library throws for any other text, which is slow. */
const MAY_BE_ADDRESS = /^[!-~]+1[02-9ac-hj-np-z]{6,}$/i
const MAY_BE_TAPROOT = /1p[02-9ac-hj-np-z]{58}$/i

/** An address in bech32 or bech32m, in small or in capital letters; undefined for any other text. */
export function decodeAddress(text: string): DecodedAddress | undefined {
  if (!MAY_BE_ADDRESS.test(text)) return undefined
  for (const codec of MAY_BE_TAPROOT.test(text) ? [bech32m, bech32] : [bech32, bech32m]) {
    const decoded = codec.decodeUnsafe(text, LENGTH_LIMIT)
    const bytes = decoded && toBytes(decoded.words, codec === bech32m)
    if (bytes) return { prefix: decoded.prefix, bytes }
  }
  return undefined
}

/** In bech32, in small letters. */
export function encodeAddress(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), LENGTH_LIMIT)
}

/** In small letters, as chains write addresses. A text that is no address stays as it is. */
export function canonicalAddress(text: string): string {
  return /[A-Z]/.test(text) && decodeAddress(text) ? text.toLowerCase() : text
}

/** A prefix may have digits and any punctuation, but no capital letter; data and checksum follow the last 1. */
const ADDRESS = /^[!-@[-~]+1([02-9ac-hj-np-z]{32,})[02-9ac-hj-np-z]{6}$/

/** Whether a text looks like a canonical address. The checksum is not verified: enough to find known addresses. */
export function isAddressLike(text: string): boolean {
  return text.length >= 39 && text.length <= LENGTH_LIMIT && ADDRESS.test(text)
}

/** Of the bytes: the data part of their addresses in bech32, which no prefix changes. */
const toKey = (bytes: Uint8Array): string => encodeAddress('a', bytes).slice('a1'.length, -6)

const readBytes = (text: string): Uint8Array | undefined =>
  isHexAddress(text) ? Buffer.from(text.slice(2), 'hex') : decodeAddress(text)?.bytes

/**
 * The identity of an account: equal for all texts of the same bytes, whatever their prefix, letters or encoding. An account and
 * its operator have the same bytes. Any other text is its own key.
 */
export function addressKey(text: string): string {
  // Nearly all addresses have whole bytes in bech32: their data is the key. The chain has verified the checksum.
  const data = ADDRESS.exec(text)?.[1]
  const isWitness = data?.length === SEGWIT_LENGTH || data?.length === TAPROOT_LENGTH
  if (data !== undefined && !isWitness) return data
  const bytes = readBytes(text)
  return bytes === undefined ? text : toKey(bytes)
}
