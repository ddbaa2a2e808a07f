// The quota of a request: counts it for its address, and says in header fields what is left.
import type { FastifyRequest } from 'fastify'
import { type HttpError, rateLimited } from '../errors.ts'
import type { Headers } from '../headers.ts'
import type { Quota, RateLimiter } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null only for a request that was not counted. */
    quota: Quota | null
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

/** The RateLimit fields follow draft-ietf-httpapi-ratelimit-headers-10. */
export const createRequestHeaders = ({ id, quota }: FastifyRequest): Headers => ({
  ...(quota && { ratelimit: quota.limit, 'ratelimit-policy': quota.policy }),
  'x-request-id': id,
})
