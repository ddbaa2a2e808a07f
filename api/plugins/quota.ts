// Which quota a request counts against: a small one per address, and a larger one, per address too, while it carries a token
// that holds. By the address and not by whom the token names: a token costs nothing, and one address may have any number.
import type { FastifyRequest } from 'fastify'
import type { RateLimiter } from '../../infra/runtime/rate-limit.ts'
import { ApiProblem } from '../problem.ts'
import { requireValidBearer, type VerifyBearer } from './bearer.ts'

export type GateOptions = {
  /** Without a token, or with one that does not hold. */
  limiter: RateLimiter
  withToken: RateLimiter
  /** Tokens that did not hold: beyond its quota they are not even looked at, for that takes a signature's time. */
  refused: RateLimiter
  verifyBearer: VerifyBearer
}

/** The problem of a request that is one too many. */
const count = (request: FastifyRequest, limiter: RateLimiter): ApiProblem | undefined => {
  const quota = limiter.take(request.ip)
  request.quota = quota
  if (!quota.isExceeded) return undefined
  const headers = { 'retry-after': String(quota.resetSeconds) }
  const detail = `The quota is used up; it is renewed in ${quota.resetSeconds} s.`
  return new ApiProblem('rate-limited', detail, { headers })
}

const admitBearer = async (
  request: FastifyRequest,
  authorization: string,
  { limiter, withToken, refused, verifyBearer }: GateOptions,
): Promise<void> => {
  const unlooked = refused.isSpent(request.ip) ? count(request, limiter) : undefined
  if (unlooked) throw unlooked
  try {
    await requireValidBearer(authorization, verifyBearer)
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'invalid-token') refused.take(request.ip)
    throw count(request, limiter) ?? error
  }
  const exceeded = count(request, withToken)
  if (exceeded) throw exceeded
}

/** A hook for the beginning of every request. */
export const createGate =
  (options: GateOptions) =>
  (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const { authorization } = request.headers
    if (authorization === undefined || !request.url.startsWith('/api/')) {
      done(count(request, options.limiter))
      return
    }
    admitBearer(request, authorization, options).then(() => done(), done)
  }
