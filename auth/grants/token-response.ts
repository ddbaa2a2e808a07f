// The response of the token endpoint (RFC 6749, 5.1): one scope for one resource of this service.
import type { Form } from '../../infra/base/http/bodies.ts'
import { SCOPE, type ServiceDescription } from '../contract/service.ts'
import { AuthError } from '../oauth-error.ts'
import type { IssuedAccess } from '../tokens/tokens.ts'

export const accessFields = ({ token, expiresInSeconds }: IssuedAccess) => ({
  access_token: token,
  token_type: 'Bearer',
  expires_in: expiresInSeconds,
  scope: SCOPE,
})

/** The only scope, if absent. */
export const checkScope = (form: Form): void => {
  const scope = form('scope')
  if (scope === undefined || scope === SCOPE) return
  throw new AuthError('invalid_scope', `The scope must be ${SCOPE}.`)
}

/** RFC 8707: the audience of the token. A trailing slash makes no difference. */
export const resolveAudience = (form: Form, { resources }: ServiceDescription): string => {
  const [fallback] = resources
  const requested = form('resource')
  if (requested === undefined) return fallback
  const found = resources.find((each) => each === requested.replace(/\/$/, ''))
  if (found !== undefined) return found
  throw new AuthError(
    'invalid_target',
    'The resource must be a URL that the protected resource metadata lists.',
  )
}
