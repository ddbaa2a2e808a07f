// `POST /oauth2/revoke` (RFC 7009): 200 also for invalid tokens. Responds once the log has the revocation.
// An access token is revoked alone. An identity assertion or a claim token, even an expired one, revokes its registration,
// and a refresh token its login.
import type { Request, Route } from '../../infra/base/http/routes.ts'
import { revokeRegistration, revokeToken } from '../agents/revocation.ts'
import { needParameter, readForm, refuseClientSecrets } from '../bodies.ts'
import { type AuthContext, takeQuota } from '../context.ts'
import { PATHS } from '../contract/service.ts'
import { getRegisteredAt, toMs } from '../tokens/tokens.ts'
import { createEndpoint } from './route.ts'

type Ending = { isDone: boolean; run: () => Promise<void> }

const endingByAssertion = async (context: AuthContext, token: string) => {
  const verified = await context.tokens.verifyAssertion(token, 'registration')
  if (!verified.ok) return undefined
  const { sub, jti, exp } = verified.claims
  const registration = { id: sub, registeredMs: toMs(getRegisteredAt(verified.claims)) }
  return { registration, tokenId: jti, expiresMs: exp * 1_000, by: 'identity_assertion' as const }
}

const endingByClaimToken = async (context: AuthContext, token: string) => {
  const opened = await context.tokens.openClaim(token, 'registration')
  if (!opened.ok) return undefined
  const { sub, exp } = opened.claims
  const registration = { id: sub, registeredMs: toMs(getRegisteredAt(opened.claims)) }
  return { registration, tokenId: sub, expiresMs: exp * 1_000, by: 'claim_token' as const }
}

const endingByRefreshToken = async ({ tokens, facts }: AuthContext, token: string) => {
  const opened = await tokens.openLogin('refresh', token)
  if (!opened.ok || !facts.state.loginOf(opened.claims.sub)) return undefined
  const { sub, exp = 0 } = opened.claims
  const registration = { id: sub, registeredMs: undefined }
  return { registration, tokenId: sub, expiresMs: exp * 1_000, by: 'refresh_token' as const }
}

/** Undefined for a foreign token, or one that has expired with all tokens of its registration. */
const findEnding = async (context: AuthContext, token: string): Promise<Ending | undefined> => {
  const { facts, tokens } = context
  const access = await tokens.verifyAccess(token, undefined)
  if (access.ok) {
    const { jti, sub, exp, registered_at: registeredAt } = access.claims
    const expiresMs = exp * 1_000
    const isDone =
      facts.written.isTokenRevoked(jti, expiresMs) ||
      facts.written.isRegistrationRevoked(sub, toMs(registeredAt))
    const run = () => revokeToken(context, { tokenId: jti, subject: sub, expiresMs })
    return { isDone, run }
  }
  const found =
    (await endingByAssertion(context, token)) ??
    (await endingByClaimToken(context, token)) ??
    (await endingByRefreshToken(context, token))
  if (!found) return undefined
  const { id, registeredMs } = found.registration
  const isDone = facts.written.isRegistrationRevoked(id, registeredMs)
  return { isDone, run: () => revokeRegistration(context, found) }
}

const revoke = async (context: AuthContext, token: string, request: Request) => {
  const ending = await findEnding(context, token)
  if (!ending || ending.isDone) return
  takeQuota(context.limits.revoke, request)
  await ending.run()
  context.metrics.done('revoked')
}

export const createRevokeRoute = (context: AuthContext): Route =>
  createEndpoint(PATHS.revoke, async (request) => {
    const form = readForm(request)
    refuseClientSecrets(request, form)
    await revoke(context, needParameter(form, 'token'), request)
    return undefined
  })
