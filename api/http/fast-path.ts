// Answers requests for cached JSON before the router, if the URL is canonical and the body is compressed already. Under load, most requests end here.
// The router handles all other requests.
import type { RateLimiter } from '../../infra/base/http/limits/rate-limit.ts'
import { findAmbiguity } from '../../infra/base/http/limits/refusals.ts'
import type { FirstListener } from '../../infra/base/http/server.ts'
import { READ_CORS, READ_HEADERS } from './headers.ts'
import { acceptsJson } from './list-forms.ts'
import type { Responder } from './responder.ts'
import { prepareFinished } from './send.ts'

export type FastPathOptions = {
  responder: Responder
  limiter: RateLimiter
  nextRequestId: () => string
  onHit: () => void
  onAnswer: (operation: string, status: number) => void
}

const READ_FIELDS = Object.entries({ ...READ_CORS.createHeaders({}), ...READ_HEADERS }).flat()

export const createFastPath =
  ({ responder, limiter, nextRequestId, onHit, onAnswer }: FastPathOptions): FirstListener =>
  (request, response) => {
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
      ...READ_FIELDS,
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
    onAnswer(found.operation, status)
    return true
  }
