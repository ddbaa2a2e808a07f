// Files that clients expect at a fixed path: `/.well-known/security.txt` (RFC 9116) and `/favicon.ico`.
import type { FastifyInstance } from 'fastify'
import { API_PATHS } from '../../../auth/contract/service.ts'
import { ICON } from '../../../infra/base/html/asset.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { ApiProblem } from '../../problem.ts'
import { commonHeaders } from '../headers.ts'

const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year. The file is written for each request, so it never expires. */
const VALID_DAYS = 180

/** `contact` is a URI. */
export const writeSecurityTxt = (contact: string, nowMs: number): string => {
  const expires = Math.ceil(nowMs / DAY_MS + VALID_DAYS) * DAY_MS
  return `Contact: ${contact}\nExpires: ${new Date(expires).toISOString()}\nPreferred-Languages: en\n`
}

export type WellKnownOptions = { securityContact: string | undefined; clock: Clock }

export const addWellKnown = (
  app: FastifyInstance,
  { securityContact, clock }: WellKnownOptions,
): void => {
  app.get(API_PATHS.securityTxt, (request, reply) => {
    if (securityContact === undefined) {
      throw new ApiProblem(
        'route-not-found',
        'The operator of this service has set no contact for security reports (SECURITY_CONTACT).',
      )
    }
    reply.headers({ ...commonHeaders(request), 'cache-control': 'public, max-age=3600' })
    reply.header('content-type', 'text/plain; charset=utf-8')
    return reply.send(writeSecurityTxt(securityContact, clock.now()))
  })
  // Browsers request it for pages without an icon of their own, such as JSON.
  app.get('/favicon.ico', (request, reply) =>
    reply
      .headers({ ...commonHeaders(request), 'cache-control': 'public, max-age=86400' })
      .header('content-type', ICON.mediaType)
      .send(ICON.bytes),
  )
}
