// `POST /oauth2/revoke` (RFC 7009): 200 also for invalid tokens. Responds once the log has the revocation.
// An access token is revoked alone. An identity assertion or a claim token, even an expired one, revokes its registration,
// and a refresh token its login.
import type { Request, Route } from '../../infra/base/http/routes.ts'
import { needParameter, readForm, refuseClientSecrets } from '../bodies.ts'
import { type AuthContext, instant, takeQuota } from '../context.ts'
import type { AgentEventOf } from '../contract/agent-events.ts'
import { PATHS } from '../contract/service.ts'
import { getRegisteredAt, type Registered, toMs } from '../tokens/tokens.ts'
import { createEndpoint } from './route.ts'

type Revoked = AgentEventOf<'rollcall.token.revoked.v1'>['data']

type Ending = Registered & { sub: string; exp?: number }

const endOfRegistration = (
  by: NonNullable<Revoked['by']>,
  ending: Ending,
  tokenId = ending.sub,
): Revoked => {
  const { sub, exp = 0 } = ending
  const registeredMs = toMs(getRegisteredAt(ending))
  const registered = registeredMs === undefined ? {} : { registeredAt: instant(registeredMs) }
  const expires = instant(exp * 1_000)
  return { kind: 'identity_assertion', tokenId, subject: sub, expires, by, ...registered }
}

/** Undefined if no token ends a registration or a login. */
const findEnd = async ({ facts, tokens }: AuthContext, token: string) => {
  const assertion = await tokens.verifyAssertion(token, 'registration')
  if (assertion.ok) {
    return endOfRegistration('identity_assertion', assertion.payload, assertion.payload.jti)
  }
  const claim = await tokens.openClaim(token, 'registration')
  if (claim.ok) return endOfRegistration('claim_token', claim.payload)
  const refresh = await tokens.openLogin('refresh', token)
  if (!refresh.ok || !facts.state.loginOf(refresh.payload.sub)) return undefined
  return endOfRegistration('refresh_token', refresh.payload)
}

/** Undefined for a foreign token, one that has expired with all tokens of its registration, and one that the log has revoked. */
const findRevocation = async (
  context: AuthContext,
  token: string,
): Promise<Revoked | undefined> => {
  const { written } = context.facts
  const access = await context.tokens.verifyAccess(token, undefined)
  if (access.ok) {
    const { jti, sub, exp, registered_at: registeredAt } = access.payload
    const expiresMs = exp * 1_000
    const isDone =
      written.isTokenRevoked(jti, expiresMs) ||
      written.isRegistrationRevoked(sub, toMs(registeredAt))
    const expires = instant(expiresMs)
    return isDone ? undefined : { kind: 'access_token', tokenId: jti, subject: sub, expires }
  }
  const end = await findEnd(context, token)
  const registeredMs = end?.registeredAt === undefined ? undefined : Date.parse(end.registeredAt)
  return end && !written.isRegistrationRevoked(end.subject, registeredMs) ? end : undefined
}

const revoke = async (context: AuthContext, token: string, request: Request): Promise<void> => {
  const data = await findRevocation(context, token)
  if (!data) return
  takeQuota(context.limits.revoke, request)
  const isOfToken = data.by === undefined || data.by === 'identity_assertion'
  const subject = isOfToken ? `tokens/${data.tokenId}` : `agents/${data.subject}`
  await context.facts.record({ type: 'rollcall.token.revoked.v1', subject, data })
  context.metrics.done('revoked')
}

export function createRevokeRoute(context: AuthContext): Route {
  return createEndpoint(PATHS.revoke, async (request) => {
    const form = readForm(request)
    refuseClientSecrets(request, form)
    await revoke(context, needParameter(form, 'token'), request)
    return undefined
  })
}
