// `POST /oauth2/token`: selects the grant.
import type { FastifyInstance } from 'fastify'
import { readForm, refuseClientSecrets } from '../bodies.ts'
import type { AuthContext } from '../context.ts'
import { GRANT, PATHS } from '../contract/service.ts'
import { createClaimGrant } from '../grants/claim.ts'
import { grantAnonymously } from '../grants/client-credentials.ts'
import { exchangeAssertion } from '../grants/jwt-bearer.ts'
import { AuthError, NO_STORE } from '../oauth-error.ts'
import { addRoute } from './route.ts'

export const addTokenRoute = (app: FastifyInstance, context: AuthContext): void => {
  const claim = createClaimGrant(context)
  addRoute(app, {
    path: PATHS.token,
    method: 'POST',
    isShared: true,
    handler: async (request, reply) => {
      const form = readForm(request)
      const grantType = form('grant_type')
      refuseClientSecrets(request, form)
      const answer = async (): Promise<object> => {
        switch (grantType) {
          case undefined:
            throw new AuthError('invalid_request', 'The parameter grant_type is missing.')
          case GRANT.jwtBearer:
            return exchangeAssertion(context, form)
          case GRANT.clientCredentials:
            return grantAnonymously(context, form, request)
          case GRANT.claim:
            return claim(form)
          default:
            throw new AuthError(
              'unsupported_grant_type',
              'This grant_type is not supported. The metadata of the service lists the supported ones.',
            )
        }
      }
      return reply.headers(NO_STORE).send(await answer())
    },
  })
}
