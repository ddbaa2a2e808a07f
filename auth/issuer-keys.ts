// Caches the published keys of trusted issuers. A token with an unknown key triggers a new request,
// at most once per interval.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../infra/runtime/clock.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { TrustedIssuer } from './config.ts'
import type { Jwks } from './jose.ts'

const check = Compile(
  Type.Object({
    keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true }), {
      maxItems: 100,
    }),
  }),
)

const KEEP_MS = 600_000
/** How long the last keys stay valid while the issuer does not answer. */
const KEEP_UNREACHABLE_MS = 86_400_000
const COOL_DOWN_MS = 30_000

type CachedKeys = {
  jwks: Jwks | undefined
  fetchedMs: number
  requestedMs: number
  pending?: Promise<void>
}

export type IssuerKeys = {
  /** Undefined if the keys of the issuer are not available. */
  readKeys(issuer: TrustedIssuer, kid: string | undefined): Promise<Jwks | undefined>
}

export type IssuerKeysOptions = {
  fetchJson: (url: string) => Promise<unknown>
  clock: Clock
  logger: Logger
}

export const createIssuerKeys = ({ fetchJson, clock, logger }: IssuerKeysOptions): IssuerKeys => {
  /** One per trusted issuer, so it is bounded. */
  const known = new Map<string, CachedKeys>()

  const fetchKeys = async (
    { issuer, jwksUrl }: TrustedIssuer,
    cached: CachedKeys,
  ): Promise<void> => {
    try {
      const value = await fetchJson(jwksUrl)
      if (!check.Check(value)) throw new Error('the response is not a JWK set')
      cached.jwks = value as Jwks
      cached.fetchedMs = clock.now()
    } catch (error) {
      logger.warn(
        { issuer, reason: (error as Error).message },
        'failed to fetch the keys of an issuer',
      )
    }
  }

  return {
    readKeys: async (trusted, kid) => {
      const never = -Number.MAX_SAFE_INTEGER
      const cached = known.get(trusted.issuer) ?? {
        jwks: undefined,
        fetchedMs: never,
        requestedMs: never,
      }
      known.set(trusted.issuer, cached)
      const nowMs = clock.now()
      const isMissed = !cached.jwks?.keys.some((key) => kid === undefined || key.kid === kid)
      const isOld = nowMs - cached.fetchedMs > KEEP_MS
      if ((isMissed || isOld) && nowMs - cached.requestedMs >= COOL_DOWN_MS) {
        cached.requestedMs = nowMs
        cached.pending = fetchKeys(trusted, cached)
      }
      // Concurrent callers share one request.
      if (isMissed || isOld) await cached.pending
      return clock.now() - cached.fetchedMs > KEEP_UNREACHABLE_MS ? undefined : cached.jwks
    },
  }
}
