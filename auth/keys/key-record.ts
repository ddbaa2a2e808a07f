// One generation of keys as text: an ES256 key that signs, an RS256 key because OpenID requires one, and a secret that seals.
import { randomBytes } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  type CryptoKey,
  computeThumbprint,
  generateJwk,
  importKey,
  importSealKey,
  type JWK,
  publicJwk,
} from './jose.ts'

const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
const Jwk = Type.Object({ kty: Type.String(), kid: Type.String() }, { additionalProperties: true })

const KeyRecordSchema = Type.Object({
  format: Type.Literal(1),
  createdAt: Instant,
  signsFrom: Instant,
  es256: Jwk,
  rs256: Jwk,
  /** 256 bits, base64url. Absent, like the private parts, in a process that only verifies. */
  seal: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z_-]{43}$' })),
})
export type KeyRecord = Omit<Static<typeof KeyRecordSchema>, 'es256' | 'rs256'> & {
  es256: JWK
  rs256: JWK
}

/** One generation, ready for use. Without `sign` and `seal` it can only verify. */
export type KeyGeneration = {
  kid: string
  createdMs: number
  /** It signs from this time until a later generation does. */
  signsFromMs: number
  verify: CryptoKey
  sign: CryptoKey | undefined
  seal: CryptoKey | undefined
  record: KeyRecord
}

const check = Compile(KeyRecordSchema)

export const createKeyRecord = async (times: {
  nowMs: number
  signsFromMs: number
}): Promise<KeyRecord> => ({
  format: 1,
  createdAt: new Date(times.nowMs).toISOString(),
  signsFrom: new Date(times.signsFromMs).toISOString(),
  es256: await generateJwk('ES256'),
  rs256: await generateJwk('RS256'),
  seal: randomBytes(32).toString('base64url'),
})

/** For a process that only verifies. */
export const publicRecord = ({ seal: _, ...record }: KeyRecord): KeyRecord => ({
  ...record,
  es256: publicJwk(record.es256),
  rs256: publicJwk(record.rs256),
})

const decodeSecret = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))

/** Throws an Error that names the problem and never shows a value. */
export const readKeyRecord = async (value: unknown): Promise<KeyGeneration> => {
  if (!check.Check(value)) throw new Error('it is not a key of format 1')
  const record = value as KeyRecord
  const { es256, rs256 } = record
  if (es256.kty !== 'EC' || es256.crv !== 'P-256') throw new Error('es256 is not a P-256 key')
  if (rs256.kty !== 'RSA') throw new Error('rs256 is not an RSA key')
  if ((await computeThumbprint(es256)) !== es256.kid) throw new Error('kid is not the thumbprint')
  return {
    kid: es256.kid as string,
    createdMs: Date.parse(record.createdAt),
    signsFromMs: Date.parse(record.signsFrom),
    verify: await importKey(publicJwk(es256), 'ES256'),
    sign: es256.d === undefined ? undefined : await importKey(es256, 'ES256'),
    seal: record.seal === undefined ? undefined : await importSealKey(decodeSecret(record.seal)),
    record,
  }
}
