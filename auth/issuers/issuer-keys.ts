// Caches the published keys of trusted issuers. A token with an unknown key triggers a new request,
// at most once per interval.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { TrustedIssuer } from '../config.ts'
import type { Jwks } from '../keys/jose.ts'
import { type FetchJson, fetchIssuerKeys } from './fetch-issuer-keys.ts'

const KEEP_MS = 600_000
/** How long the last keys stay valid while the issuer does not answer. */
const KEEP_UNREACHABLE_MS = 86_400_000
const COOL_DOWN_MS = 30_000

type CachedKeys = {
  jwks: Jwks | undefined
  fetchedMs: number
  requestedMs: number
  /** Whether the latest request failed for a reason that only an operator can remove. */
  isMisconfigured: boolean
  pending?: Promise<void>
}

/** Without keys: when they are requested again, and whether that can help. */
export type ReadKeys =
  | { ok: true; jwks: Jwks }
  | { ok: false; isMisconfigured: boolean; retryAfterSeconds: number }

export type IssuerKeys = {
  readKeys(issuer: TrustedIssuer, kid: string | undefined): Promise<ReadKeys>
}

export type IssuerKeysOptions = { fetchJson: FetchJson; clock: Clock; logger: Logger }

export const createIssuerKeys = ({ fetchJson, clock, logger }: IssuerKeysOptions): IssuerKeys => {
  /** One per trusted issuer, so it is bounded. */
  const known = new Map<string, CachedKeys>()

  const fetchKeys = async (trusted: TrustedIssuer, cached: CachedKeys): Promise<void> => {
    const fetched = await fetchIssuerKeys(trusted, fetchJson)
    cached.isMisconfigured = !fetched.ok && fetched.isPermanent
    if (fetched.ok) {
      cached.jwks = fetched.jwks
      cached.fetchedMs = clock.now()
      return
    }
    const { issuer } = trusted
    const { reason, isPermanent } = fetched
    if (isPermanent) {
      const remedy = `set TRUSTED_ISSUERS=${issuer}|<URL of its keys>`
      logger.warn({ issuer, reason, remedy }, 'found no keys of a trusted issuer')
    } else {
      logger.warn({ issuer, reason }, 'failed to fetch the keys of an issuer')
    }
  }

  const getCached = (issuer: string): CachedKeys => {
    const never = -Number.MAX_SAFE_INTEGER
    const cached = known.get(issuer) ?? {
      jwks: undefined,
      fetchedMs: never,
      requestedMs: never,
      isMisconfigured: false,
    }
    known.set(issuer, cached)
    return cached
  }

  return {
    readKeys: async (trusted, kid) => {
      const cached = getCached(trusted.issuer)
      const nowMs = clock.now()
      const isMissed = !cached.jwks?.keys.some((key) => kid === undefined || key.kid === kid)
      const isOld = nowMs - cached.fetchedMs > KEEP_MS
      if ((isMissed || isOld) && nowMs - cached.requestedMs >= COOL_DOWN_MS) {
        cached.requestedMs = nowMs
        cached.pending = fetchKeys(trusted, cached)
      }
      // Concurrent callers share one request.
      if (isMissed || isOld) await cached.pending
      const { jwks, fetchedMs, requestedMs, isMisconfigured } = cached
      if (jwks && clock.now() - fetchedMs <= KEEP_UNREACHABLE_MS) return { ok: true, jwks }
      const untilNextMs = requestedMs + COOL_DOWN_MS - clock.now()
      const retryAfterSeconds = Math.max(1, Math.ceil(untilNextMs / 1_000))
      return { ok: false, isMisconfigured, retryAfterSeconds }
    },
  }
}
