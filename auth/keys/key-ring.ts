// The key ring: which generation of keys signs, and which are still accepted. Private keys never leave this process.
// A generation is published long before it signs and accepted long after, so that clients always have the key of a token.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { every } from '../../infra/base/runtime/retry.ts'
import { type CryptoKey, createKeySet, type KeySet, publicJwk } from './jose.ts'
import type { KeyGeneration } from './key-files.ts'
import type { KeySetCache } from './key-sets.ts'

export type KeyState = 'next' | 'signing' | 'overlap' | 'retired'

const bySigning = (one: KeyGeneration, other: KeyGeneration): number =>
  one.signsFromMs - other.signsFromMs || (one.kid < other.kid ? -1 : 1)

/** Each generation with its state, the oldest first. Pure: the same files give the same states everywhere. */
export const keyStates = (
  generations: readonly KeyGeneration[],
  nowMs: number,
  overlapMs: number,
): { generation: KeyGeneration; state: KeyState }[] => {
  const sorted = generations.toSorted(bySigning)
  const begun = sorted.filter(({ signsFromMs }) => signsFromMs <= nowMs).length
  // No key is active yet: the first one signs.
  const signing = Math.max(begun - 1, 0)
  return sorted.map((generation, at) => {
    if (at > signing) return { generation, state: 'next' }
    if (at === signing) return { generation, state: 'signing' }
    const endedMs = sorted[at + 1]?.signsFromMs ?? nowMs
    return { generation, state: endedMs + overlapMs > nowMs ? 'overlap' : 'retired' }
  })
}

export type KeyRing = {
  /** Throws `KEYS_UNUSABLE` if this process has no private key. */
  signing(): { kid: string; sign: CryptoKey; seal: CryptoKey }
  sealKey(kid: string | undefined): CryptoKey | undefined
  /** The accepted public keys, the same object until they change. Undefined while none is known: no token can be verified. */
  keySet(): KeySet | undefined
  /** Reads the keys again; if they cannot be read, the ring stays as it is. Exposed keys are dropped. */
  refresh(): Promise<void>
  /** Calls `refresh` periodically. Rejects only with a defect, which fails the process. */
  follow(signal: AbortSignal): Promise<void>
}

export type KeyRingOptions = {
  load: () => Promise<readonly KeyGeneration[]>
  clock: Clock
  logger: Logger
  /** Time for which a key is accepted after it last signed: the longest lifetime of anything it signed. */
  overlapMs: number
}

const REFRESH_MS = 2_000

const unusable = (): AppError =>
  new AppError('KEYS_UNUSABLE', 'this process has no private key to sign with', { expose: true })

/** Throws if the first read fails. */
export const createKeyRing = async (options: KeyRingOptions): Promise<KeyRing> => {
  const { load, clock, logger, overlapMs } = options
  let generations = await load()
  const states = () => keyStates(generations, clock.now(), overlapMs)
  const trusted = (): KeyGeneration[] =>
    states().flatMap(({ generation, state }) => (state === 'retired' ? [] : [generation]))
  let published: { kids: string; keys: KeySet | undefined } = { kids: '', keys: undefined }
  const keySet = (): KeySet | undefined => {
    const now = trusted()
    const kids = now.map(({ kid }) => kid).join()
    if (kids !== published.kids) {
      const jwks = now.flatMap(({ record }) => [publicJwk(record.es256), publicJwk(record.rs256)])
      published = { kids, keys: now.length === 0 ? undefined : createKeySet({ keys: jwks }) }
    }
    return published.keys
  }
  const refresh = async (): Promise<void> => {
    try {
      const read = await load()
      if (read.length > 0) generations = read
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // The content may have leaked: no key of it signs or is accepted any more.
      if (error.code === 'KEYS_EXPOSED') generations = []
      logger.error({ error }, 'failed to read the signing keys again')
    }
  }
  return {
    signing: () => {
      const generation = states().find(({ state }) => state === 'signing')?.generation
      if (!generation) throw unusable()
      const { kid, sign, seal } = generation
      return { kid, sign, seal }
    },
    sealKey: (kid) => trusted().find((each) => each.kid === kid)?.seal,
    keySet,
    refresh,
    follow: (signal) => every(REFRESH_MS, { signal, clock }, refresh),
  }
}

/** The ring of a process that only checks tokens, with the keys that auth publishes. */
export async function createRemoteRing(cache: KeySetCache, clock: Clock): Promise<KeyRing> {
  await cache.refresh()
  return {
    signing: () => {
      throw unusable()
    },
    sealKey: () => undefined,
    keySet: cache.current,
    refresh: cache.refresh,
    follow: (signal) => every(REFRESH_MS, { signal, clock }, cache.refresh),
  }
}
