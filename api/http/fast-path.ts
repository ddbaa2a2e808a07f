// In front of the router: JSON that is in memory, under the one spelling of its address, straight onto the socket. Most requests of
// a busy service end here; every other one takes the ordinary way, which decides and says everything else.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { findAmbiguity } from '../../infra/runtime/http-service.ts'
import type { RateLimiter } from '../../infra/runtime/rate-limit.ts'
import { acceptsJson } from './list-forms.ts'
import type { Responder } from './responder.ts'
import { prepareFinished } from './send.ts'

export type FastPathOptions = {
  responder: Responder
  limiter: RateLimiter
  nextRequestId: () => string
  onHit: () => void
}

/** True where the request is answered. */
export const createFastPath =
  ({ responder, limiter, nextRequestId, onHit }: FastPathOptions) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || headers.authorization !== undefined) return false
    if (!acceptsJson(headers.accept) || findAmbiguity(request) !== undefined) return false
    const found = responder.findJson(url)
    if (!found) return false
    const quota = limiter.take(request.socket.remoteAddress ?? '')
    // The ordinary way refuses it, and says why.
    if (quota.isExceeded) return false
    const { status, fields, bytes } = prepareFinished(found, headers)
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
