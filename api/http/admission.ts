// Verifies the credentials of each request, and counts it with what it cost against a quota of its address. Invalid credentials are
// refused, not treated as anonymous. Requests with a valid token have a larger quota, which is also per address: tokens are free.

import type { Answering } from '../../infra/base/http/answering.ts'
import {
  countRequest,
  createRateLimiter,
  type RateLimiter,
} from '../../infra/base/http/limits/rate-limit.ts'
import { createTurns, type Turns } from '../../infra/base/http/limits/turns.ts'
import type { Request } from '../../infra/base/http/routes.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { ApiProblem, tokenNotInHeader } from '../read/problems.ts'

export type Principal = { subject: string; scopes: readonly string[] }
type Refused = {
  ok: false
  reason: string
  /** The token may be valid, but it cannot be verified now. */
  isUnavailable?: boolean
  /** URL of the resource metadata (RFC 9728, 5.1). */
  resourceMetadata?: string
}
type Verified = { ok: true; principal: Principal } | Refused
/** Takes the whole `Authorization` header. `resource` is 0 for the read API and 1 for the MCP server. */
export type VerifyBearer = (authorization: string, resource?: 0 | 1) => Promise<Verified>

/** For deployments that issue no tokens. */
export const refuseEveryBearer: VerifyBearer = async () => ({
  ok: false,
  reason: 'This deployment issues no tokens. Reading needs no token: omit Authorization.',
})

/** Throws `invalid-token` with the challenge of RFC 6750, or `tokens-uncheckable`. */
export const requireValidBearer = async (
  authorization: string,
  verify: VerifyBearer,
  resource: 0 | 1 = 0,
): Promise<Principal> => {
  const verified = await verify(authorization, resource)
  if (verified.ok) return verified.principal
  const { reason, resourceMetadata } = verified
  if (verified.isUnavailable) throw new ApiProblem('tokens-uncheckable', reason)
  const description = reason.replace(/["\\]/g, "'")
  const metadata = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`
  throw new ApiProblem('invalid-token', reason, {
    headers: {
      'www-authenticate': `Bearer realm="rollcall", error="invalid_token", error_description="${description}"${metadata}`,
    },
  })
}

export type Quotas = {
  /** For requests without a valid token. */
  limiter: RateLimiter
  withToken: RateLimiter
  /** Counts invalid tokens. Above its quota tokens are not verified, because the check of a signature is slow. */
  refused: RateLimiter
  turns: Turns
  /** For the time of a read of the store. */
  chargeRead(address: string, ms: number): void
}

/** The store reads for several requests at once, in threads of its own. */
const READ_WEIGHT = 0.1

/** What an address costs counts for both of its quotas. */
export function createQuotas(
  {
    rateLimitPerMinute: perMinute,
    rateLimitWithTokenPerMinute: perMinuteWithToken,
  }: { rateLimitPerMinute: number; rateLimitWithTokenPerMinute: number },
  clock: Clock,
): Quotas {
  const now = () => clock.now()
  const limiter = createRateLimiter(perMinute, now)
  const withToken = createRateLimiter(perMinuteWithToken, now, { name: 'token' })
  const charge = (address: string, ms: number): void => {
    limiter.charge(address, ms)
    withToken.charge(address, ms)
  }
  return {
    limiter,
    withToken,
    refused: createRateLimiter(perMinute, now),
    turns: createTurns({ onWork: charge }),
    chargeRead: (address, ms) => charge(address, READ_WEIGHT * ms),
  }
}

export type AdmissionOptions = Pick<Quotas, 'limiter' | 'withToken' | 'refused'> & {
  verifyBearer: VerifyBearer
}

const checkQuery = ({ query }: Request): ApiProblem | undefined =>
  'access_token' in query ? tokenNotInHeader() : undefined

const admitBearer = async (
  request: Request,
  authorization: string,
  { limiter, withToken, refused, verifyBearer }: AdmissionOptions,
): Promise<Error | undefined> => {
  const exceededUnverified = refused.isSpent(request.ip)
    ? countRequest(request, limiter)
    : undefined
  if (exceededUnverified) return exceededUnverified
  const resource = request.route?.credentials === 'mcp' ? 1 : 0
  try {
    await requireValidBearer(authorization, verifyBearer, resource)
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'invalid-token') refused.take(request.ip)
    throw countRequest(request, limiter) ?? error
  }
  return countRequest(request, withToken) ?? checkQuery(request)
}

/** Asynchronous only for requests with a token. */
export const createAdmission =
  (options: AdmissionOptions): Answering['admit'] =>
  (request) => {
    const { authorization } = request.headers
    // By the route and not by the path, because a path can have many encodings.
    const isOwn = request.route?.credentials === 'own'
    if (authorization !== undefined && !isOwn) return admitBearer(request, authorization, options)
    return countRequest(request, options.limiter) ?? (isOwn ? undefined : checkQuery(request))
  }
