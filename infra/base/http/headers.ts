// Header fields that every service sends: about caches, and for web pages of other origins (CORS).
import type { IncomingHttpHeaders } from 'node:http'

export type Headers = Readonly<Record<string, string>>

export const NO_STORE = { 'cache-control': 'no-store' } as const
export const NO_SNIFF = { 'x-content-type-options': 'nosniff' } as const

/** Which web pages may read the responses of a route. */
export type CorsPolicy = {
  /** Of every response. */
  createHeaders(headers: IncomingHttpHeaders): Headers
  /** More for the response to OPTIONS. `allow` lists the methods of the path. */
  createPreflight(allow: string): Headers
}

/** Names of header fields of requests, besides those that all services share. */
export type CorsNames = { allowed?: readonly string[] }

/** MCP clients in a browser send the revision of their protocol also to the metadata of the service. */
const ALLOWED = ['Accept', 'Authorization', 'Content-Type', 'MCP-Protocol-Version']

/** `findOrigin` returns the origin that may read a response, `*` for all. No response allows credentials, so `*` exposes every field. */
const createPolicy = (
  findOrigin: (headers: IncomingHttpHeaders) => string | undefined,
  { allowed = [] }: CorsNames,
): CorsPolicy => ({
  createHeaders: (headers): Headers => {
    const origin = findOrigin(headers)
    if (origin === undefined) return {}
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' }
  },
  createPreflight: (allow) => ({
    'access-control-allow-methods': allow,
    'access-control-allow-headers': [...ALLOWED, ...allowed].sort().join(', '),
    'access-control-max-age': '86400',
  }),
})

/** For public data. */
export const allowEveryOrigin = (names: CorsNames): CorsPolicy => createPolicy(() => '*', names)

export const allowOrigins = (
  isAllowed: (headers: IncomingHttpHeaders) => boolean,
  names: CorsNames,
): CorsPolicy => createPolicy((headers) => (isAllowed(headers) ? headers.origin : undefined), names)

export const OWN_PAGES_ONLY: CorsPolicy = {
  createHeaders: () => ({}),
  createPreflight: () => ({}),
}
