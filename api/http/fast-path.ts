// Answers requests for cached JSON before the router, if the URL is known and the body is compressed already. Under load, most requests end
// here, so nothing is built for a request but the fields that differ from the last one. The router handles all other requests.

import { findAmbiguity } from '../../infra/base/http/errors.ts'
import type { RateLimiter } from '../../infra/base/http/limits/rate-limit.ts'
import { hasAlready } from '../../infra/base/http/response.ts'
import type { FirstListener, FirstOptions } from '../../infra/base/http/server.ts'
import { acceptsJson } from './list-forms.ts'
import type { Responder } from './responder.ts'

export type FastPathOptions = FirstOptions & {
  responder: Responder
  limiter: RateLimiter
  onHit: () => void
  onAnswer: (operation: string, status: number) => void
}

export function createFastPath(options: FastPathOptions): FirstListener {
  const { responder, limiter, nextRequestId, getAddress, onHit, onAnswer } = options
  return (request, response) => {
    const { method, url = '', headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
    if (!acceptsJson(headers.accept) || findAmbiguity(request) !== undefined) return false
    const found = responder.findJson(url)
    if (!found) return false
    const ready = found.ready(headers['accept-encoding'])
    if (!ready) return false
    const quota = limiter.take(getAddress(request))
    // The router sends the problem response.
    if (quota.isExceeded) return false
    const isKnown = hasAlready(headers['if-none-match'], ready.etag)
    const status = isKnown ? 304 : 200
    const fields = (isKnown ? ready.known : ready.found).slice()
    fields.push('ratelimit', quota.limit, 'ratelimit-policy', quota.policy)
    fields.push('x-request-id', nextRequestId())
    response.writeHead(status, fields)
    response.end(isKnown ? undefined : ready.bytes)
    onHit()
    onAnswer(found.operation, status)
    return true
  }
}
