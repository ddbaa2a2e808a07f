// Files that clients expect at a fixed path: `/.well-known/security.txt` (RFC 9116) and `/favicon.ico`.
import { API_PATHS } from '../../../auth/contract/service.ts'
import { ICON } from '../../../infra/base/html/asset.ts'
import type { Handler, Route } from '../../../infra/base/http/routes.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { ApiProblem } from '../../problem.ts'

const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year. The file is written for each request, so it never expires. */
const VALID_DAYS = 180

/** `contact` is a URI. */
export const writeSecurityTxt = (contact: string, nowMs: number): string => {
  const expires = Math.ceil(nowMs / DAY_MS + VALID_DAYS) * DAY_MS
  return `Contact: ${contact}\nExpires: ${new Date(expires).toISOString()}\nPreferred-Languages: en\n`
}

export type WellKnownOptions = { securityContact: string | undefined; clock: Clock }

// Browsers request it for pages without an icon of their own, such as JSON.
const sendIcon: Handler = (_request, reply) =>
  reply
    .header('cache-control', 'public, max-age=86400')
    .header('content-type', ICON.mediaType)
    .send(ICON.bytes)

export const createWellKnownRoutes = ({ securityContact, clock }: WellKnownOptions): Route[] => {
  const sendSecurityTxt: Handler = (_request, reply) => {
    if (securityContact === undefined) {
      throw new ApiProblem(
        'route-not-found',
        'The operator of this service has set no contact for security reports (SECURITY_CONTACT).',
      )
    }
    return reply
      .header('cache-control', 'public, max-age=3600')
      .header('content-type', 'text/plain; charset=utf-8')
      .send(writeSecurityTxt(securityContact, clock.now()))
  }
  return [
    { path: API_PATHS.securityTxt, handlers: { GET: sendSecurityTxt } },
    { path: '/favicon.ico', handlers: { GET: sendIcon } },
  ]
}
