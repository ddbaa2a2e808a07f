// Tests that exactly the signatures that CometBFT accepts are accepted.
import { createPublicKey, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { verifySignature } from '../../../../../ingest/comet/verification/validator-sets.ts'

it('accepts an encoding that ZIP-215 accepts and OpenSSL refuses', () => {
  const bytes = new TextEncoder().encode('a vote for a block')
  const identity = new Uint8Array(32).with(0, 1)
  // The same point with its y written as p + 1.
  const nonCanonical = new Uint8Array(64).fill(0xff, 0, 32).with(0, 0xee).with(31, 0x7f)
  const x = Buffer.from(identity).toString('base64url')
  const asKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  expect(verify(null, bytes, asKey, nonCanonical)).toBe(false)
  expect(verifySignature(nonCanonical, bytes, identity)).toBe(true)
  expect(verifySignature(nonCanonical.with(40, 1), bytes, identity)).toBe(false)
})
