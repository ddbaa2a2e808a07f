// The one cache of JWK sets that others publish: trusted issuers, and auth for a process that only checks tokens.
// The cache of `jose` forgets its keys while their issuer is away, and asks it again for every token.
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { KeySet } from './jose.ts'

/** `isPermanent`: a setting or the issuer must change before the keys can be fetched. */
export type NoKeys = { ok: false; reason: string; isPermanent: boolean }
export type FetchedKeys = { ok: true; url: string; keys: KeySet } | NoKeys

/** Without keys: when they are requested again, and whether only an operator can help. */
export type FoundKeys =
  | { ok: true; keys: KeySet }
  | { ok: false; isMisconfigured: boolean; retryAfterSeconds: number }

const KEEP_MS = 600_000
/** How long the last keys stay valid while the issuer does not answer. No token of this service lives longer. */
const KEEP_UNREACHABLE_MS = 86_400_000
const COOL_DOWN_MS = 30_000

export type KeySetCacheOptions = {
  /** Never throws. */
  fetchKeys: () => Promise<FetchedKeys>
  clock: Clock
  /** A failure, unless the one before had the same reason. */
  onFailure: (failure: NoKeys) => void
}

export function createKeySetCache({ fetchKeys, clock, onFailure }: KeySetCacheOptions) {
  let fetched: { keys: KeySet; atMs: number } | undefined
  let failure: NoKeys | undefined
  let requestedMs = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    const result = await fetchKeys()
    if (!result.ok) {
      if (result.reason !== failure?.reason) onFailure(result)
      failure = result
      return
    }
    failure = undefined
    const isSame = isDeepStrictEqual(fetched?.keys.jwks, result.keys.jwks)
    fetched = { keys: fetched && isSame ? fetched.keys : result.keys, atMs: clock.now() }
  }
  const isWithin = (ms: number): boolean =>
    fetched !== undefined && clock.now() - fetched.atMs <= ms
  /** The same object until the keys change. */
  const current = (): KeySet | undefined =>
    isWithin(KEEP_UNREACHABLE_MS) ? fetched?.keys : undefined
  const has = (kid: string | undefined): boolean =>
    fetched?.keys.jwks.keys.some((key) => kid === undefined || key.kid === kid) ?? false
  return {
    refresh,
    current,
    /** An unknown key, or old ones, are requested, at most once per interval. Concurrent callers share one request. */
    find: async (kid: string | undefined): Promise<FoundKeys> => {
      if (!has(kid) || !isWithin(KEEP_MS)) {
        const nowMs = clock.now()
        if (nowMs - requestedMs >= COOL_DOWN_MS) {
          requestedMs = nowMs
          pending = refresh()
        }
        await pending
      }
      const keys = current()
      if (keys) return { ok: true, keys }
      const leftMs = requestedMs + COOL_DOWN_MS - clock.now()
      const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1_000))
      return { ok: false, isMisconfigured: failure?.isPermanent ?? false, retryAfterSeconds }
    },
  }
}

export type KeySetCache = ReturnType<typeof createKeySetCache>
