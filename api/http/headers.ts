// Headers that all responses share.
import type { FastifyRequest } from 'fastify'
import type { Quota } from '../../infra/base/http/limits/rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null only for a request that was not routed. */
    quota: Quota | null
  }
}

const EXPOSED =
  'Content-Disposition, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Rollcall-As-Of-Height, Rollcall-As-Of-Time, Rollcall-Chain-Id, Rollcall-Demo, Rollcall-Next-Cursor, Rollcall-Total-Items, WWW-Authenticate, X-Request-Id'

/** Public data: any origin may read it. */
export const SHARED_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  vary: 'Accept, Accept-Encoding, Authorization',
  'x-content-type-options': 'nosniff',
} as const

/** RateLimit headers follow draft-ietf-httpapi-ratelimit-headers-10. */
export const requestHeaders = ({ id, quota }: FastifyRequest): Record<string, string> =>
  quota
    ? { ratelimit: quota.limit, 'ratelimit-policy': quota.policy, 'x-request-id': id }
    : { 'x-request-id': id }

export const commonHeaders = (request: FastifyRequest): Record<string, string> => ({
  ...SHARED_HEADERS,
  ...requestHeaders(request),
})

/** MCP clients in a browser send the revision of their protocol also to the metadata of the service. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, If-None-Match, Last-Event-ID, MCP-Protocol-Version',
  'access-control-max-age': '86400',
} as const
