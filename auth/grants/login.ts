// The grants of a login: its code, then refresh tokens that replace each other. The log decides which use of each is the first;
// a second use ends the login, because one of both was stolen (OAuth 2.1, 4.1.3 and 4.3.1).
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Form } from '../../infra/base/http/bodies.ts'
import { checkScope, needParameter, resolveAudience } from '../bodies.ts'
import { type AuthContext, computeHash, instant, requireFresh, takeQuota } from '../context.ts'
import { AuthError } from '../oauth-error.ts'
import { accessFields } from '../tokens/tokens.ts'

export const CODE_SECONDS = 60

const refuse = (description: string): never => {
  throw new AuthError('invalid_grant', description)
}

type Use = { loginId: string; step: number; clientId: string; resource: string }

/** Two instances may receive the same token at once: the first record in the log is its use. */
const useOnce = async ({ facts, config, clock }: AuthContext, { loginId, step }: Use) => {
  const isKnown = step === 0 || facts.state.loginOf(loginId) !== undefined
  if (!isKnown || facts.state.isRegistrationRevoked(loginId, undefined)) {
    return refuse('The login has ended. Log in again.')
  }
  const expires = instant(clock.now() + config.refreshTokenSeconds * 1_000)
  const event = await facts.record({
    type: 'rollcall.login.advanced.v1',
    subject: `logins/${loginId}`,
    data: { loginId, step, expires },
  })
  const use = facts.state.loginOf(loginId)
  if (use?.eventId !== event.id || use.isEnded) {
    refuse('It was used before, so the login has ended. Log in again.')
  }
}

const issue = async (context: AuthContext, form: Form, use: Use) => {
  const { tokens, config, service } = context
  const { loginId, clientId, resource } = use
  checkScope(form)
  if (form('resource') !== undefined && resolveAudience(form, service()) !== resource) {
    throw new AuthError('invalid_target', 'The login is for another resource.')
  }
  requireFresh(context)
  await useOnce(context, use)
  const next = { sub: loginId, client: computeHash(clientId), resource, step: use.step + 1 }
  const [access, refresh] = await Promise.all([
    tokens.issueAccess({ subject: loginId, clientId, audience: resource, claim: undefined }),
    tokens.issueLogin('refresh', next, config.refreshTokenSeconds),
  ])
  return { ...accessFields(access), refresh_token: refresh }
}

/** The client that a code or a refresh token was issued to. */
const checkClient = async ({ clients }: AuthContext, form: Form): Promise<string> => {
  const clientId = needParameter(form, 'client_id')
  await clients.check(clientId)
  return clientId
}

const OTHER_CLIENT = 'It was issued to another client.'

export const redeemCode = async (context: AuthContext, form: Form, request: FastifyRequest) => {
  const code = needParameter(form, 'code')
  const verifier = needParameter(form, 'code_verifier')
  const clientId = await checkClient(context, form)
  const opened = await context.tokens.openLogin('code', code)
  if (!opened.ok) return refuse('The code is not valid, or has expired. Log in again.')
  const { sub: loginId, client, redirect, challenge, resource } = opened.payload
  if (client !== computeHash(clientId)) refuse(OTHER_CLIENT)
  const redirectUri = form('redirect_uri')
  // OAuth 2.1 leaves it out.
  if (redirectUri !== undefined && redirect !== computeHash(redirectUri)) {
    refuse('The redirect_uri must be that of the authorization request.')
  }
  const computed = createHash('sha256').update(verifier).digest('base64url')
  if (computed !== challenge) refuse('The code_verifier does not match the code_challenge.')
  takeQuota(context.limits.redeem, request)
  const answer = await issue(context, form, { loginId, step: 0, clientId, resource })
  context.metrics.done('token_authorization_code')
  return answer
}

export const refreshLogin = async (context: AuthContext, form: Form, request: FastifyRequest) => {
  const token = needParameter(form, 'refresh_token')
  const clientId = await checkClient(context, form)
  const opened = await context.tokens.openLogin('refresh', token)
  if (!opened.ok) return refuse('The refresh token is not valid, or has expired. Log in again.')
  const { sub: loginId, client, step, resource } = opened.payload
  if (client !== computeHash(clientId)) refuse(OTHER_CLIENT)
  takeQuota(context.limits.redeem, request)
  const answer = await issue(context, form, { loginId, step, clientId, resource })
  context.metrics.done('token_refresh')
  return answer
}
