// Verifies that a wallet signed a text (ADR-036). The signed document is built from the text, never taken from a client.
// Settings define the key type of each chain; the key type in the request is ignored.
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { WalletAlgorithm, WalletChain } from '../config.ts'

/** Amino JSON: sorted keys, no spaces, `&`, `<` and `>` escaped. */
export const adr36SignBytes = (signer: string, text: string): Uint8Array => {
  const data = Buffer.from(text, 'utf8').toString('base64')
  const document = {
    account_number: '0',
    chain_id: '',
    fee: { amount: [], gas: '0' },
    memo: '',
    msgs: [{ type: 'sign/MsgSignData', value: { data, signer } }],
    sequence: '0',
  }
  // The signer is an address and needs no escaping; escaped for safety.
  const escaped = JSON.stringify(document).replace(
    /[&<>]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  )
  return new TextEncoder().encode(escaped)
}

type Rules = { digest(bytes: Uint8Array): Uint8Array; addressOf(publicKey: Uint8Array): Uint8Array }

const RULES: Readonly<Record<WalletAlgorithm, Rules>> = {
  secp256k1: { digest: sha256, addressOf: (publicKey) => ripemd160(sha256(publicKey)) },
  'eth-secp256k1': {
    digest: keccak_256,
    addressOf: (publicKey) => {
      const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false)
      return keccak_256(uncompressed.subarray(1)).subarray(-20)
    },
  },
}

/** The canonical address, or undefined if it is not an address of this chain. */
export const normalAddress = (address: string, { prefix }: WalletChain): string | undefined => {
  try {
    const { prefix: found, data } = fromBech32(address)
    return found === prefix && data.length === 20 ? toBech32(prefix, data) : undefined
  } catch {
    return undefined
  }
}

const BASE64 = /^[0-9A-Za-z+/]+={0,2}$/

const decodeBytes = (base64: string, length: number): Uint8Array | undefined => {
  const bytes = BASE64.test(base64) ? Uint8Array.from(Buffer.from(base64, 'base64')) : undefined
  return bytes?.length === length ? bytes : undefined
}

export type WalletProof = {
  chain: WalletChain
  /** Canonical. */
  address: string
  text: string
  /** Compressed, base64. */
  publicKey: string
  /** `r || s`, base64. */
  signature: string
}

export type ProofResult =
  | { ok: true }
  | { ok: false; code: 'address_mismatch' | 'invalid_signature'; reason: string }

const refuse = (code: 'address_mismatch' | 'invalid_signature', reason: string): ProofResult => ({
  ok: false,
  code,
  reason,
})

/** Never throws. */
export const checkWalletProof = (proof: WalletProof): ProofResult => {
  const { chain, address, text } = proof
  const rules = RULES[chain.algorithm]
  const publicKey = decodeBytes(proof.publicKey, 33)
  const signature = decodeBytes(proof.signature, 64)
  if (!publicKey || !signature) {
    return refuse(
      'invalid_signature',
      'The key must be 33 bytes and the signature 64 bytes, in base64.',
    )
  }
  try {
    if (toBech32(chain.prefix, rules.addressOf(publicKey)) !== address) {
      return refuse('address_mismatch', 'The key does not belong to the address.')
    }
    const digest = rules.digest(adr36SignBytes(address, text))
    // Every signature has a second form with a high s, which is not accepted.
    const options = { prehash: false, lowS: true } as const
    return secp256k1.verify(signature, digest, publicKey, options)
      ? { ok: true }
      : refuse('invalid_signature', 'The signature does not match this text and key.')
  } catch {
    return refuse('invalid_signature', 'The key is not a point of the curve.')
  }
}
