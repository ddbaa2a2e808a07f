// Verifies Ed25519 signatures as CometBFT does (ZIP-215), at the speed of OpenSSL.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type VerifySignature, verifyEd25519 } from '../../../infra/base/proof/commit.ts'

/** Cached as long as the validator set with these bytes. */
const keys = new WeakMap<Uint8Array, KeyObject>()

const getPublicKey = (bytes: Uint8Array): KeyObject => {
  const known = keys.get(bytes)
  if (known) return known
  const x = Buffer.from(bytes).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  keys.set(bytes, key)
  return key
}

const isValidForOpenSsl: VerifySignature = (signature, bytes, key) => {
  try {
    return verify(null, bytes, getPublicKey(key), signature)
  } catch {
    return false
  }
}

/** OpenSSL is stricter than ZIP-215, so a signature that it refuses is checked again. */
export const verifySignature: VerifySignature = (signature, bytes, key) =>
  isValidForOpenSsl(signature, bytes, key) || verifyEd25519(signature, bytes, key)
