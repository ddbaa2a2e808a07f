// Counts each request against a quota of its address. Requests with a valid token have a larger quota.
// This quota is also per address, because tokens are free and an address can have any number of them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimiter } from '../../infra/base/http/limits/rate-limit.ts'
import { findAmbiguity } from '../../infra/base/http/server.ts'
import { ApiProblem, tokenNotInHeader } from '../problem.ts'
import { requireValidBearer, type VerifyBearer } from './bearer.ts'
import { requestHeaders } from './headers.ts'
import { MAX_TARGET_BYTES } from './target.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The credentials of a route: a token of the read API by default. `own` routes check credentials themselves. */
    credentials?: 'mcp' | 'own'
  }
  interface FastifyRequest {
    /** The limiter that counted the request. */
    limiter: RateLimiter | null
  }
}

/** Later bytes on this connection may belong to the ambiguous request. */
const CLOSING = { connection: 'close' } as const

export type RateLimitHookOptions = {
  /** For requests without a valid token. */
  limiter: RateLimiter
  withToken: RateLimiter
  /** Counts invalid tokens. Above its quota tokens are not verified, because the check of a signature is slow. */
  refused: RateLimiter
  verifyBearer: VerifyBearer
}

/** Counts the request, or one more message of it. Returns the problem of a request above the quota. */
export const countRequest = (
  request: FastifyRequest,
  limiter: RateLimiter,
): ApiProblem | undefined => {
  const quota = limiter.take(request.ip)
  request.quota = quota
  request.limiter = limiter
  if (!quota.isExceeded) return undefined
  const headers = { 'retry-after': String(quota.resetSeconds) }
  const detail = `The quota is used up. It is renewed in ${quota.resetSeconds} s.`
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

/** The problem of a request that no route may receive, if any. */
const findRefusal = (request: FastifyRequest): ApiProblem | undefined => {
  if (request.url.length > MAX_TARGET_BYTES) {
    return new ApiProblem('uri-too-long', `The URL has more than ${MAX_TARGET_BYTES} bytes.`)
  }
  const ambiguity = findAmbiguity(request.raw)
  if (ambiguity !== undefined) {
    return new ApiProblem('bad-request', ambiguity, { headers: CLOSING })
  }
  const isOwn = request.routeOptions?.config?.credentials === 'own'
  const isMisplaced = !isOwn && 'access_token' in (request.query as object)
  return isMisplaced ? tokenNotInHeader() : undefined
}

/** The `onRequest` hook. It is asynchronous only for requests with a token. */
export const createRateLimitHook =
  (options: RateLimitHookOptions) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { authorization } = request.headers
    // By the route and not by the path, because a path can have many encodings.
    const isOwn = request.routeOptions?.config?.credentials === 'own'
    const end = (problem?: Error): void => {
      // Before a refusal, so that its response has these headers too.
      reply.headers(requestHeaders(request))
      done(problem ?? findRefusal(request))
    }
    if (authorization === undefined || isOwn) end(countRequest(request, options.limiter))
    else admitBearer(request, authorization, options).then(() => end(), end)
  }
