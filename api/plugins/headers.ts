// Header fields that every answer has, whatever it answers.
import type { FastifyRequest } from 'fastify'
import type { Quota } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null only where the request could not even be routed. */
    quota: Quota | null
  }
}

const EXPOSED =
  'ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'

/** Public data: any origin may read it. The RateLimit fields are those of draft 10. */
export const commonHeaders = ({ id, quota }: FastifyRequest): Record<string, string> => {
  const headers: Record<string, string> = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
    vary: 'Accept, Accept-Encoding, Authorization',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  }
  if (quota) {
    headers['ratelimit'] = quota.limit
    headers['ratelimit-policy'] = quota.policy
  }
  return headers
}

export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Accept, Authorization, If-None-Match',
  'access-control-max-age': '86400',
} as const
