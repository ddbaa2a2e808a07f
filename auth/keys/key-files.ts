// Stored keys: one file for each generation in a directory that only its owner can read, or one text from the environment.
// A file that other users can read is refused, not repaired: its content may have leaked.
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AppError, isSystemError } from '../../infra/base/runtime/errors.ts'
import {
  createFileAtomically,
  makeDirectory,
  writeFileAtomically,
} from '../../infra/base/runtime/files.ts'
import {
  type CryptoKey,
  computeThumbprint,
  generateJwk,
  importKey,
  importSealKey,
  type JWK,
} from './jose.ts'

const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
const Jwk = Type.Object({ kty: Type.String(), kid: Type.String() }, { additionalProperties: true })

/** An ES256 key that signs, an RS256 key because OpenID requires one, and a secret that seals. */
const KeyRecordSchema = Type.Object({
  format: Type.Literal(1),
  createdAt: Instant,
  signsFrom: Instant,
  es256: Jwk,
  rs256: Jwk,
  /** 256 bits, base64url. */
  seal: Type.String({ pattern: '^[0-9A-Za-z_-]{43}$' }),
})
export type KeyRecord = Omit<Static<typeof KeyRecordSchema>, 'es256' | 'rs256'> & {
  es256: JWK
  rs256: JWK
}

/** One generation, ready for use. */
export type KeyGeneration = {
  kid: string
  createdMs: number
  /** It signs from this time until a later generation does. */
  signsFromMs: number
  sign: CryptoKey
  seal: CryptoKey
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

const decodeSecret = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))

/** Throws an Error that names the problem and never shows a value. */
export const readKeyRecord = async (value: unknown): Promise<KeyGeneration> => {
  if (!check.Check(value)) throw new Error('it is not a key of format 1')
  const record = value as KeyRecord
  const { es256, rs256 } = record
  const isPrivate = es256.kty === 'EC' && es256.crv === 'P-256' && es256.d !== undefined
  if (!isPrivate) throw new Error('es256 is not a private P-256 key')
  if (rs256.kty !== 'RSA') throw new Error('rs256 is not an RSA key')
  if ((await computeThumbprint(es256)) !== es256.kid) throw new Error('kid is not the thumbprint')
  return {
    kid: es256.kid as string,
    createdMs: Date.parse(record.createdAt),
    signsFromMs: Date.parse(record.signsFrom),
    sign: await importKey(es256, 'ES256'),
    seal: await importSealKey(decodeSecret(record.seal)),
    record,
  }
}

const OTHERS = 0o077

const refuse = (message: string): AppError =>
  new AppError('KEYS_UNUSABLE', message, { expose: true })

/** Returns when the content, the mode or the owner last changed. */
const requireOwnerOnly = (path: string, mode: string): number => {
  const { mode: found, ctimeMs } = statSync(path)
  if ((found & OTHERS) === 0) return ctimeMs
  const rights = (found & 0o777).toString(8)
  const message = `${path} has signing keys and the mode ${rights}; run: chmod ${mode} ${path}`
  throw new AppError('KEYS_EXPOSED', message, { expose: true })
}

const filesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => /^[\w-]+\.json$/.test(name))
        .sort()
    : []

const readFile = async (file: string): Promise<KeyGeneration> => {
  try {
    return await readKeyRecord(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    // A syntax error would quote the file.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    throw refuse(`${file} has no usable key: ${reason}`)
  }
}

type KeyTimes = { nowMs: number; signsFromMs: number }

const makeKey = async (directory: string, times: KeyTimes) => {
  makeDirectory(directory)
  requireOwnerOnly(directory, '700')
  const record = await createKeyRecord(times)
  return { record, generation: await readKeyRecord(record) }
}

const toJsonText = (record: KeyRecord): string => `${JSON.stringify(record, null, 2)}\n`

/** Adds a generation; its file name sorts by the start of signing. */
export const addKey = async (directory: string, times: KeyTimes): Promise<KeyGeneration> => {
  const { record, generation } = await makeKey(directory, times)
  const stamp = record.signsFrom.replace(/\D/g, '').slice(0, 14)
  writeFileAtomically(
    join(directory, `${stamp}-${generation.kid.slice(0, 12)}.json`),
    toJsonText(record),
  )
  return generation
}

/** The name of the first key, whichever process creates it; it sorts before all names with a time. */
const FIRST_KEY_FILE = '0-first.json'

/** Creates the first key of a directory. Undefined if another process has created it first. */
export const addFirstKey = async (
  directory: string,
  nowMs: number,
): Promise<KeyGeneration | undefined> => {
  const { record, generation } = await makeKey(directory, { nowMs, signsFromMs: nowMs })
  const isFirst = createFileAtomically(join(directory, FIRST_KEY_FILE), toJsonText(record))
  return isFirst ? generation : undefined
}

/** Reads a directory; a file that has not changed is read once, and its mode is checked each time. */
export const createKeyDirectory = (directory: string) => {
  const known = new Map<string, { changedMs: number; generation: KeyGeneration }>()
  const read = async (name: string): Promise<KeyGeneration> => {
    const file = join(directory, name)
    const changedMs = requireOwnerOnly(file, '600')
    const found = known.get(name)
    if (found?.changedMs === changedMs) return found.generation
    const generation = await readFile(file)
    known.set(name, { changedMs, generation })
    return generation
  }
  return {
    load: async (): Promise<KeyGeneration[]> => {
      try {
        if (existsSync(directory)) requireOwnerOnly(directory, '700')
        return await Promise.all(filesIn(directory).map(read))
      } catch (error) {
        throw isSystemError(error) ? refuse(`cannot read the keys: ${error.message}`) : error
      }
    },
  }
}

/** Reads a JSON array of key records. Throws `KEYS_UNUSABLE`, which shows nothing of the text. */
export const readKeysText = async (name: string, text: string): Promise<KeyGeneration[]> => {
  let records: unknown
  try {
    records = JSON.parse(text)
  } catch {
    throw refuse(`${name} is not JSON`)
  }
  if (!Array.isArray(records) || records.length === 0) {
    throw refuse(`${name} is not a list of keys`)
  }
  return Promise.all(
    records.map((record: KeyRecord, at) =>
      readKeyRecord(record).catch((error: Error) => {
        throw refuse(`${name}: key ${at + 1}: ${error.message}`)
      }),
    ),
  )
}
