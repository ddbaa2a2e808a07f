// Answers requests for cached JSON before the router, if the URL is canonical and the body is compressed already. Under load, most requests end here.
// The router handles all other requests.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RateLimiter } from '../../infra/base/http/limits/rate-limit.ts'
import { findAmbiguity } from '../../infra/base/http/server.ts'
import { acceptsJson } from './list-forms.ts'
import type { Responder } from './responder.ts'
import { prepareFinished } from './send.ts'

export type FastPathOptions = {
  responder: Responder
  limiter: RateLimiter
  nextRequestId: () => string
  onHit: () => void
}

/** Returns true if it has answered the request. */
export const createFastPath =
  ({ responder, limiter, nextRequestId, onHit }: FastPathOptions) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || headers.authorization !== undefined) return false
    if (!acceptsJson(headers.accept) || findAmbiguity(request) !== undefined) return false
    const found = responder.findJson(url)
    const prepared = found && prepareFinished(found, headers)
    if (!prepared) return false
    const quota = limiter.take(request.socket.remoteAddress ?? '')
    // The router sends the problem response.
    if (quota.isExceeded) return false
    const { status, fields, bytes } = prepared
    response.writeHead(status, [
      ...fields,
      'ratelimit',
      quota.limit,
      'ratelimit-policy',
      quota.policy,
      'x-request-id',
      nextRequestId(),
    ])
    response.end(bytes)
    onHit()
    found.count(status)
    return true
  }
