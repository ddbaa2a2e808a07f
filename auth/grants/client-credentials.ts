// client_credentials without a secret: a limited deviation from RFC 6749, 4.4. The token reads public data, is
// short-lived, names no person, and cannot be claimed.
import type { FastifyRequest } from 'fastify'
import type { Form } from '../../infra/base/http/bodies.ts'
import { type AuthContext, newId, takeQuota } from '../context.ts'
import { AuthError } from '../oauth-error.ts'
import { accessFields, checkScope, resolveAudience } from './token-response.ts'

const CLIENT_ID = /^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/
/** Prefixes of ids that the service issues: a client may not choose one. */
const OURS = /^(?:reg_|anon:|idjag:)/

export const grantAnonymously = async (
  context: AuthContext,
  form: Form,
  request: FastifyRequest,
) => {
  checkScope(form)
  const audience = resolveAudience(form, context.service())
  const given = form('client_id')
  if (given !== undefined && (!CLIENT_ID.test(given) || OURS.test(given))) {
    throw new AuthError(
      'invalid_client',
      'A client_id has 1 to 200 printable ASCII characters without space, quote or backslash, and no prefix reg_, anon: or idjag:.',
    )
  }
  takeQuota(context.limits.clientCredentials, request)
  const clientId = given ?? newId('anon:')
  const access = await context.tokens.issueAccess({
    clientId,
    audience,
    claim: undefined,
    subject: given === undefined ? clientId : `client:${given}`,
  })
  context.metrics.done('token_client_credentials')
  return accessFields(access)
}
