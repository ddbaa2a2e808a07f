// The only importer of `jose`: creates, verifies and reads all JOSE signatures, seals and keys.
// A failure is a value with a reason, never an exception of the library.
import {
  CompactEncrypt,
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtDecrypt,
  jwtVerify,
} from 'jose'

export type { CryptoKey, JWK }
export type Payload = JWTPayload

export type Refusal =
  | 'malformed'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'type'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'claims'
export type Verified<T = Payload> = { ok: true; payload: T } | { ok: false; reason: Refusal }

const BY_CLAIM: Readonly<Record<string, Refusal>> = {
  typ: 'type',
  iss: 'issuer',
  aud: 'audience',
}

const BY_ERROR: readonly (readonly [new (...args: never[]) => Error, Refusal])[] = [
  [errors.JWTExpired, 'expired'],
  [errors.JWSSignatureVerificationFailed, 'signature'],
  [errors.JWEDecryptionFailed, 'signature'],
  [errors.JOSEAlgNotAllowed, 'algorithm'],
  [errors.JWKSNoMatchingKey, 'key'],
  [errors.JWKSMultipleMatchingKeys, 'key'],
]

const toRefusal = (error: unknown): Refusal => {
  if (error instanceof errors.JWTClaimValidationFailed) return BY_CLAIM[error.claim] ?? 'claims'
  return BY_ERROR.find(([type]) => error instanceof type)?.[1] ?? 'malformed'
}

export type SignOptions = { type: string; kid: string; key: CryptoKey }

/** The payload as given: the builder of the library copies and checks them, which costs a tenth of a signature. */
const encode = (payload: Payload): Uint8Array => new TextEncoder().encode(JSON.stringify(payload))

/** ES256. */
export const signToken = (payload: Payload, { type, kid, key }: SignOptions): Promise<string> =>
  new CompactSign(encode(payload)).setProtectedHeader({ alg: 'ES256', typ: type, kid }).sign(key)

export type Jwks = { keys: JWK[] }

/** Keys that verify signatures. Each is imported once. */
export type KeySet = { jwks: Jwks; getKey: JWTVerifyGetKey }

/** Throws if it is not a JWK set. */
export function createKeySet(value: unknown): KeySet {
  const jwks = value as Jwks
  return { jwks, getKey: createLocalJWKSet(jwks) }
}

/** Of other issuers. Only asymmetric ones: a public key must never serve as a shared secret. */
export const FOREIGN_ALGORITHMS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

export type VerifyOptions = {
  type: string
  issuer: string
  /** One of them must match; not checked if absent. */
  audience?: string[]
  nowMs: number
  toleranceSeconds?: number
  /** Those of this service by default. */
  algorithms?: string[]
}

export async function verifyToken(
  token: string,
  { getKey }: KeySet,
  options: VerifyOptions,
): Promise<Verified> {
  try {
    const { payload } = await jwtVerify(token, getKey, {
      algorithms: options.algorithms ?? ['ES256'],
      typ: options.type,
      issuer: options.issuer,
      ...(options.audience ? { audience: options.audience } : {}),
      clockTolerance: options.toleranceSeconds ?? 0,
      currentDate: new Date(options.nowMs),
      requiredClaims: ['exp', 'iat', 'sub', 'jti'],
    })
    return { ok: true, payload }
  } catch (error) {
    return { ok: false, reason: toRefusal(error) }
  }
}

export type Peeked = { issuer: unknown; kid: string | undefined }

/** The unverified claims: only for finding the key that verifies the token. */
export const peek = (token: string): Peeked | undefined => {
  try {
    return { issuer: decodeJwt(token).iss, kid: decodeProtectedHeader(token).kid }
  } catch {
    return undefined
  }
}

/** Encrypts with A256GCM and authenticates `purpose`. */
export const sealToken = (
  payload: Payload,
  { purpose, kid, key }: { purpose: string; kid: string; key: CryptoKey },
): Promise<string> =>
  new CompactEncrypt(encode(payload))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: purpose, kid })
    .encrypt(key)

type OpenOptions = { purpose: string; issuer: string; nowMs: number; toleranceSeconds: number }

export const openSealed = async (
  token: string,
  keyOf: (kid: string | undefined) => CryptoKey | undefined,
  { purpose, issuer, nowMs, toleranceSeconds }: OpenOptions,
): Promise<Verified> => {
  try {
    const { payload } = await jwtDecrypt(
      token,
      ({ kid }) => {
        const key = keyOf(kid)
        if (!key) throw new errors.JWKSNoMatchingKey()
        return key
      },
      {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        typ: purpose,
        issuer,
        clockTolerance: toleranceSeconds,
        currentDate: new Date(nowMs),
        requiredClaims: ['exp', 'iat', 'sub'],
      },
    )
    return { ok: true, payload }
  } catch (error) {
    return { ok: false, reason: toRefusal(error) }
  }
}

/** A new private key as a JWK; `kid` is its thumbprint (RFC 7638). */
export const generateJwk = async (algorithm: 'ES256' | 'RS256'): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, alg: algorithm, use: 'sig', kid: await calculateJwkThumbprint(jwk) }
}

const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'use', 'alg'] as const

/** Only the listed public members of a key. */
export const publicJwk = (jwk: JWK): JWK =>
  Object.fromEntries(PUBLIC_MEMBERS.flatMap((name) => (jwk[name] ? [[name, jwk[name]]] : [])))

/** For seals. Imported once: given as bytes, it would be imported again for each seal. */
export const importSealKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** Throws if the JWK is not a key of this algorithm. */
export const importKey = async (jwk: JWK, algorithm: 'ES256' | 'RS256'): Promise<CryptoKey> => {
  const key = await importJWK(jwk, algorithm)
  if (key instanceof Uint8Array) throw new TypeError('a symmetric key')
  return key
}

export const computeThumbprint = (jwk: JWK): Promise<string> => calculateJwkThumbprint(jwk)
