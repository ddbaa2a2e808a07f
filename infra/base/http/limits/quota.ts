// Counts each request of an address, and says when its quota is used up.
import type { FastifyRequest } from 'fastify'
import { type HttpError, rateLimited } from '../errors.ts'
import type { RateLimiter } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The limiter that counted the request. */
    limiter: RateLimiter | null
  }
}

/** Counts the request, or one more message of it. Returns the error of a request above the quota. */
export const countRequest = (
  request: FastifyRequest,
  limiter: RateLimiter,
): HttpError | undefined => {
  const quota = limiter.take(request.ip)
  request.quota = quota
  request.limiter = limiter
  return quota.isExceeded ? rateLimited(quota.resetSeconds) : undefined
}
