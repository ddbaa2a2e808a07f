// Checks the bearer token of a request: our signature, this resource, neither expired nor revoked.
// Each token is verified once; whether it was revoked is checked every time.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { AgentFacts } from '../agents/agent-facts.ts'
import type { AuthMetrics } from '../auth-metrics.ts'
import { resourceMetadataUrl, SCOPE, type ServiceDescription } from '../contract/service.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { type AccessToken, type Tokens, toMs } from './tokens.ts'

export type Bearer =
  | { ok: true; principal: { subject: string; scopes: readonly string[] } }
  | { ok: false; isUnavailable: boolean; reason: string; resourceMetadata: string }

export type BearerOptions = {
  ring: Pick<KeyRing, 'keySet'>
  tokens: Tokens
  facts: AgentFacts
  metrics: AuthMetrics
  clock: Clock
  service: () => ServiceDescription
}

/** RFC 6750, 2.1; the scheme in any case. */
const HEADER = /^bearer +([\w.~+/-]+=*)$/i
const MAX_REMEMBERED = 10_000

export function createBearerVerifier(options: BearerOptions) {
  const { tokens, facts, metrics, clock, service, ring } = options
  const verified = new LRUCache<string, AccessToken>({ max: MAX_REMEMBERED })
  let keys = ring.keySet()

  /** Undefined if the token is not of this issuer, or for none of the resources. */
  const verifyOnce = async (
    token: string,
    resources: string[],
  ): Promise<AccessToken | undefined> => {
    const accepted = ring.keySet()
    if (accepted !== keys) verified.clear()
    keys = accepted
    const key = `${resources.join(' ')} ${token}`
    const known = verified.get(key)
    if (known) return known
    const checked = await tokens.verifyAccess(token, resources)
    if (checked.ok) verified.set(key, checked.payload)
    return checked.ok ? checked.payload : undefined
  }

  const isOver = (token: AccessToken): string | undefined => {
    const { jti, sub, claim, exp, registered_at: registeredAt } = token
    const { state } = facts
    if (exp * 1_000 <= clock.now()) return 'The token has expired. Request a new one.'
    if (
      state.isTokenRevoked(jti, exp * 1_000) ||
      state.isRegistrationRevoked(sub, toMs(registeredAt))
    ) {
      return 'The token was revoked. Request a new one.'
    }
    const claimed = state.claimOf(sub)
    if (!claimed || claimed.attemptId === claim) return undefined
    return 'The agent was claimed after this token was issued. Request a new one.'
  }

  /** `authorization` is the whole header; `at` selects a resource, by default the first. */
  return async (authorization: string, at = 0): Promise<Bearer> => {
    const resource = service().resources[at] ?? service().issuer
    const refuse = (reason: string, isUnavailable = false): Bearer => {
      metrics.bearer(isUnavailable ? 'unavailable' : 'invalid')
      const resourceMetadata = resourceMetadataUrl(service(), resource)
      return { ok: false, isUnavailable, reason, resourceMetadata }
    }
    const token = HEADER.exec(authorization)?.[1]
    if (token === undefined) return refuse('The Authorization header must be: Bearer <token>.')
    // A token for the whole service is valid for every part of it.
    const access = await verifyOnce(token, [...new Set([resource, service().issuer])])
    if (!access && !keys) return refuse('The token keys are unavailable now.', true)
    if (!access) return refuse('The token is not valid here, or has expired.')
    if (!facts.isFresh()) return refuse('The revocations are unavailable now.', true)
    const over = isOver(access)
    if (over !== undefined) return refuse(over)
    metrics.bearer('valid')
    return { ok: true, principal: { subject: access.sub, scopes: [SCOPE] } }
  }
}

export type BearerVerifier = ReturnType<typeof createBearerVerifier>
