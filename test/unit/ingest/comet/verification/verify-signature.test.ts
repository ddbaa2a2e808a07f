// Tests that exactly the signatures that CometBFT accepts are accepted.
import { createPublicKey, verify } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'
import { verifySignature } from '../../../../../ingest/comet/verification/validator-sets.ts'

const secret = new Uint8Array(32).fill(7)
const key = ed25519.getPublicKey(secret)
const bytes = new TextEncoder().encode('a vote for a block')
const signature = ed25519.sign(bytes, secret)

const flipped = (from: Uint8Array, at: number): Uint8Array =>
  from.map((byte, n) => (n === at ? byte ^ 1 : byte))

describe('the signature of a validator', () => {
  it('is accepted for its own bytes and key, repeatedly', () => {
    expect(verifySignature(signature, bytes, key)).toBe(true)
    expect(verifySignature(signature, bytes, key)).toBe(true)
  })

  it('is refused after one flipped bit in the signature, the bytes or the key', () => {
    expect(verifySignature(flipped(signature, 0), bytes, key)).toBe(false)
    expect(verifySignature(flipped(signature, 40), bytes, key)).toBe(false)
    expect(verifySignature(signature, flipped(bytes, 3), key)).toBe(false)
    expect(verifySignature(signature, bytes, flipped(key, 5))).toBe(false)
  })

  it('is accepted if ZIP-215 accepts an encoding that OpenSSL refuses', () => {
    const identity = new Uint8Array(32).with(0, 1)
    // The same point with its y written as p + 1.
    const nonCanonical = new Uint8Array(64).fill(0xff, 0, 32).with(0, 0xee).with(31, 0x7f)
    const x = Buffer.from(identity).toString('base64url')
    const asKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    expect(verify(null, bytes, asKey, nonCanonical)).toBe(false)
    expect(verifySignature(nonCanonical, bytes, identity)).toBe(true)
  })
})
