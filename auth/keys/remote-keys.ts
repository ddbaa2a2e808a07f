// Reads the public keys that auth publishes, for a process that only checks tokens.
// If auth is unreachable, the last keys stay valid.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { JWK } from './jose.ts'
import { type KeyGeneration, readKeyRecord } from './key-record.ts'

const check = Compile(
  Type.Object({
    keys: Type.Array(
      Type.Object(
        { kty: Type.String(), kid: Type.String(), alg: Type.String() },
        { additionalProperties: true },
      ),
      { maxItems: 100 },
    ),
  }),
)

export type RemoteKeysOptions = {
  url: string
  fetchJson: (url: string) => Promise<unknown>
  clock: Clock
  logger: Logger
}

const readGenerations = async (value: unknown, nowMs: number): Promise<KeyGeneration[]> => {
  if (!check.Check(value)) throw new Error('the response is not a key set of auth')
  const ofAlgorithm = (alg: string) => value.keys.filter((key) => key.alg === alg) as JWK[]
  const partners = ofAlgorithm('RS256')
  const now = new Date(nowMs).toISOString()
  return Promise.all(
    ofAlgorithm('ES256').map((es256, at) => {
      // Auth lists only keys that are active or will be: each is accepted from now on.
      const record = { format: 1, createdAt: now, signsFrom: now, es256, rs256: partners[at] }
      return readKeyRecord(record)
    }),
  )
}

/** The source of `createKeyRing`. Never throws: empty if the keys cannot be read. */
export const createRemoteKeys = ({ url, fetchJson, clock, logger }: RemoteKeysOptions) => {
  let hasLogged = false
  return async (): Promise<KeyGeneration[]> => {
    try {
      const generations = await readGenerations(await fetchJson(url), clock.now())
      hasLogged = false
      return generations
    } catch (error) {
      // Every two seconds while auth is unreachable.
      const reason = (error as Error).message
      if (!hasLogged) logger.warn({ url, reason }, 'failed to read the public keys of auth')
      hasLogged = true
      return []
    }
  }
}
