// `POST /oauth2/token`: selects the grant.
import type { Route } from '../../infra/base/http/routes.ts'
import { needParameter, readForm, refuseClientSecrets } from '../bodies.ts'
import type { AuthContext } from '../context.ts'
import { GRANT, PATHS } from '../contract/service.ts'
import { createClaimGrant, exchangeAssertion, grantAnonymously } from '../grants/agents.ts'
import { redeemCode, refreshLogin } from '../grants/login.ts'
import { AuthError } from '../oauth-error.ts'
import { createEndpoint } from './route.ts'

export const createTokenRoute = (context: AuthContext): Route => {
  const claim = createClaimGrant(context)
  return createEndpoint(PATHS.token, async (request) => {
    const form = readForm(request)
    refuseClientSecrets(request, form)
    switch (needParameter(form, 'grant_type')) {
      case GRANT.jwtBearer:
        return exchangeAssertion(context, form)
      case GRANT.clientCredentials:
        return grantAnonymously(context, form, request)
      case GRANT.authorizationCode:
        return redeemCode(context, form, request)
      case GRANT.refreshToken:
        return refreshLogin(context, form, request)
      case GRANT.claim:
        return claim(form)
      default:
        throw new AuthError(
          'unsupported_grant_type',
          'This grant_type is not supported. The metadata of the service lists the supported ones.',
        )
    }
  })
}
