// `POST /oauth2/revoke` (RFC 7009): 200 for whatever is not valid any more, or never was. Answers once the log has it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readForm, refuseClientSecrets } from '../bodies.ts'
import { type AuthContext, instant, takeQuota } from '../context.ts'
import { PATHS } from '../contract/service.ts'
import { AuthError, NO_STORE } from '../oauth-error.ts'
import { isClaimToken } from '../tokens.ts'
import { addRoute } from './route.ts'

type Kind = 'access_token' | 'identity_assertion'

const findToken = async ({ tokens }: AuthContext, token: string) => {
  const access = await tokens.verifyAccess(token, undefined)
  if (access.ok) return { kind: 'access_token' as Kind, claims: access.claims }
  if (access.why !== 'type') return undefined
  const assertion = await tokens.verifyAssertion(token)
  return assertion.ok ? { kind: 'identity_assertion' as Kind, claims: assertion.claims } : undefined
}

const revoke = async (context: AuthContext, token: string, request: FastifyRequest) => {
  const { facts, limits, metrics } = context
  const found = await findToken(context, token)
  if (!found || facts.state.isTokenRevoked(found.claims.jti)) return
  takeQuota(limits.write, request)
  const { jti, sub, exp } = found.claims
  await facts.record({
    type: 'rollcall.token.revoked.v1',
    subject: `tokens/${jti}`,
    data: { kind: found.kind, tokenId: jti, subject: sub, expires: instant(exp * 1_000) },
  })
  metrics.done('revoked')
}

export const addRevokeRoute = (app: FastifyInstance, context: AuthContext): void =>
  addRoute(app, {
    ...{ path: PATHS.revoke, method: 'POST', isShared: true },
    handler: async (request, reply) => {
      const form = readForm(request)
      refuseClientSecrets(request, form)
      const token = form('token')
      if (token === undefined) {
        throw new AuthError('invalid_request', 'The parameter token is missing.')
      }
      if (isClaimToken(token)) {
        const description = 'Claim tokens end by themselves: revoke the identity assertion.'
        throw new AuthError('unsupported_token_type', description)
      }
      await revoke(context, token, request)
      return reply.code(200).headers(NO_STORE).send()
    },
  })
