// What happens to a request that carries credentials: verified, or refused; never silently anonymous.
import { ApiProblem } from '../problem.ts'

export type Principal = { subject: string; scopes: readonly string[] }
type Refused = {
  ok: false
  reason: string
  /** The token may be valid, but that cannot be told now. */
  isUnavailable?: boolean
  /** Where a client learns how to get a token (RFC 9728, 5.1). */
  resourceMetadata?: string
}
type Verified = { ok: true; principal: Principal } | Refused
/** Given the whole `Authorization` header; `resource` picks what is asked for: 0 the read API, 1 the MCP server. */
export type VerifyBearer = (authorization: string, resource?: 0 | 1) => Promise<Verified>

/** No token was ever issued, so none can be valid. */
export const refuseEveryBearer: VerifyBearer = async () => ({
  ok: false,
  reason: 'This deployment issues no tokens. Reading needs none: leave Authorization out.',
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
