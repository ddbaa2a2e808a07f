// Verifies the credentials of a request. A request with invalid credentials is refused, not treated as anonymous.
import { ApiProblem } from '../problem.ts'

export type Principal = { subject: string; scopes: readonly string[] }
type Refused = {
  ok: false
  reason: string
  /** The token may be valid, but it cannot be verified now. */
  isUnavailable?: boolean
  /** URL of the resource metadata (RFC 9728, 5.1). */
  resourceMetadata?: string
}
type Verified = { ok: true; principal: Principal } | Refused
/** Takes the whole `Authorization` header. `resource` is 0 for the read API and 1 for the MCP server. */
export type VerifyBearer = (authorization: string, resource?: 0 | 1) => Promise<Verified>

/** For deployments that issue no tokens. */
export const refuseEveryBearer: VerifyBearer = async () => ({
  ok: false,
  reason: 'This deployment issues no tokens. Reading needs no token: omit Authorization.',
})

/** Throws `invalid-token` with the challenge of RFC 6750, or `tokens-uncheckable`. */
export const requireValidBearer = async (
  authorization: string,
  verify: VerifyBearer,
  resource: 0 | 1 = 0,
): Promise<Principal> => {
  const verified = await verify(authorization, resource)
  if (verified.ok) return verified.principal
  const { reason, resourceMetadata } = verified
  if (verified.isUnavailable) throw new ApiProblem('tokens-uncheckable', reason)
  const description = reason.replace(/["\\]/g, "'")
  const metadata = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`
  throw new ApiProblem('invalid-token', reason, {
    headers: {
      'www-authenticate': `Bearer realm="rollcall", error="invalid_token", error_description="${description}"${metadata}`,
    },
  })
}
