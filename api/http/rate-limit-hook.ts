// Which quota a request counts against: a small one per address, and a larger one, per address too, while it carries a token
// that holds. By the address and not by whom the token names: a token costs nothing, and one address may have any number.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findAmbiguity } from '../../infra/runtime/http-service.ts'
import type { RateLimiter } from '../../infra/runtime/rate-limit.ts'
import { ApiProblem, tokenNotInHeader } from '../problem.ts'
import { requireValidBearer, type VerifyBearer } from './bearer.ts'
import { requestHeaders } from './headers.ts'
import { MAX_TARGET_BYTES } from './target.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What credentials a route takes: a token of the read API where absent. `own`: it sees to them itself. */
    credentials?: 'mcp' | 'own'
  }
  interface FastifyRequest {
    /** The quota that it was counted against. */
    limiter: RateLimiter | null
  }
}

/** What follows on such a connection may be part of the same confusion. */
const CLOSING = { connection: 'close' } as const

export type RateLimitHookOptions = {
  /** Without a token, or with one that does not hold. */
  limiter: RateLimiter
  withToken: RateLimiter
  /** Tokens that did not hold: beyond its quota they are not even looked at, for that takes a signature's time. */
  refused: RateLimiter
  verifyBearer: VerifyBearer
}

/** The problem of a request that is one too many. */
const countRequest = (request: FastifyRequest, limiter: RateLimiter): ApiProblem | undefined => {
  const quota = limiter.take(request.ip)
  request.quota = quota
  request.limiter = limiter
  if (!quota.isExceeded) return undefined
  const headers = { 'retry-after': String(quota.resetSeconds) }
  const detail = `The quota is used up; it is renewed in ${quota.resetSeconds} s.`
  return new ApiProblem('rate-limited', detail, { headers })
}

const admitBearer = async (
  request: FastifyRequest,
  authorization: string,
  { limiter, withToken, refused, verifyBearer }: RateLimitHookOptions,
): Promise<void> => {
  const exceededUnverified = refused.isSpent(request.ip)
    ? countRequest(request, limiter)
    : undefined
  if (exceededUnverified) throw exceededUnverified
  const resource = request.routeOptions?.config?.credentials === 'mcp' ? 1 : 0
  try {
    await requireValidBearer(authorization, verifyBearer, resource)
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'invalid-token') refused.take(request.ip)
    throw countRequest(request, limiter) ?? error
  }
  const exceeded = countRequest(request, withToken)
  if (exceeded) throw exceeded
}

/** What no route is to see, whichever it is. */
const findRefusal = (request: FastifyRequest): ApiProblem | undefined => {
  if (request.url.length > MAX_TARGET_BYTES) {
    return new ApiProblem('uri-too-long', `The address has more than ${MAX_TARGET_BYTES} bytes.`)
  }
  const ambiguity = findAmbiguity(request.raw)
  if (ambiguity !== undefined) {
    return new ApiProblem('bad-request', ambiguity, { headers: CLOSING })
  }
  const isOwn = request.routeOptions?.config?.credentials === 'own'
  const isMisplaced = !isOwn && 'access_token' in (request.query as object)
  return isMisplaced ? tokenNotInHeader() : undefined
}

/** A hook for the beginning of every request. Only one that carries a token has to wait. */
export const createRateLimitHook =
  (options: RateLimitHookOptions) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { authorization } = request.headers
    // By the route that was found, and not by the path: that can be spelled in many ways.
    const isOwn = request.routeOptions?.config?.credentials === 'own'
    const end = (problem?: Error): void => {
      // Also for those who are refused here, before whoever answers them could say it.
      reply.headers(requestHeaders(request))
      done(problem ?? findRefusal(request))
    }
    if (authorization === undefined || isOwn) end(countRequest(request, options.limiter))
    else admitBearer(request, authorization, options).then(() => end(), end)
  }
