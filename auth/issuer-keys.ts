// The published keys of trusted issuers: cached for a while, requested again when a token names a key that is not among them,
// but at most once per interval, however many such tokens arrive.
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

type Kept = { jwks: Jwks | undefined; fetchedMs: number; askedMs: number; asking?: Promise<void> }

export type IssuerKeys = {
  /** Undefined if the keys of the issuer are not available. */
  keysOf(issuer: TrustedIssuer, kid: string | undefined): Promise<Jwks | undefined>
}

export type IssuerKeysOptions = {
  fetchJson: (url: string) => Promise<unknown>
  clock: Clock
  log: Logger
}

export const createIssuerKeys = ({ fetchJson, clock, log }: IssuerKeysOptions): IssuerKeys => {
  /** One for each issuer on the trust list, so it is bounded. */
  const known = new Map<string, Kept>()

  const ask = async ({ issuer, jwksUrl }: TrustedIssuer, kept: Kept): Promise<void> => {
    try {
      const value = await fetchJson(jwksUrl)
      if (!check.Check(value)) throw new Error('it is no JWK set')
      kept.jwks = value as Jwks
      kept.fetchedMs = clock.now()
    } catch (error) {
      log.warn(
        { issuer, reason: (error as Error).message },
        'failed to fetch the keys of an issuer',
      )
    }
  }

  return {
    keysOf: async (trusted, kid) => {
      const never = -Number.MAX_SAFE_INTEGER
      const kept = known.get(trusted.issuer) ?? {
        jwks: undefined,
        fetchedMs: never,
        askedMs: never,
      }
      known.set(trusted.issuer, kept)
      const nowMs = clock.now()
      const isMissed = !kept.jwks?.keys.some((key) => kid === undefined || key.kid === kid)
      const isOld = nowMs - kept.fetchedMs > KEEP_MS
      if ((isMissed || isOld) && nowMs - kept.askedMs >= COOL_DOWN_MS) {
        kept.askedMs = nowMs
        kept.asking = ask(trusted, kept)
      }
      // Concurrent callers share one request.
      if (isMissed || isOld) await kept.asking
      return clock.now() - kept.fetchedMs > KEEP_UNREACHABLE_MS ? undefined : kept.jwks
    },
  }
}
