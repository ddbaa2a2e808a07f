// What happens to a request that carries credentials: verified, or refused; never silently anonymous.
import { ApiProblem } from '../problem.ts'

export type Principal = { subject: string; scopes: readonly string[] }
type Verified = { ok: true; principal: Principal } | { ok: false; reason: string }
/** Given the whole `Authorization` header. */
export type VerifyBearer = (authorization: string) => Promise<Verified>

/** No token was ever issued, so none can be valid. */
export const refuseEveryBearer: VerifyBearer = async () => ({
  ok: false,
  reason: 'This deployment issues no tokens. Reading needs none: leave Authorization out.',
})

/** Throws `invalid-token` with the challenge of RFC 6750. */
export const requireValidBearer = async (
  authorization: string,
  verify: VerifyBearer,
): Promise<Principal> => {
  const verified = await verify(authorization)
  if (verified.ok) return verified.principal
  const { reason } = verified
  const description = reason.replace(/["\\]/g, "'")
  throw new ApiProblem('invalid-token', reason, {
    headers: {
      'www-authenticate': `Bearer realm="rollcall", error="invalid_token", error_description="${description}"`,
    },
  })
}
