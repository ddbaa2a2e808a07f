// The jwt-bearer grant (RFC 7523): an assertion of our own for an access token, or an ID-JAG of a trusted issuer.
// The two paths share no code: neither kind of assertion is ever accepted as the other.
import type { Form } from '../../infra/base/http/bodies.ts'
import { needParameter } from '../bodies.ts'
import { type AuthContext, computeHash, requireFresh } from '../context.ts'
import { peek, type Refusal } from '../keys/jose.ts'
import { AuthError } from '../oauth-error.ts'
import { getRegisteredAt, toMs } from '../tokens/tokens.ts'
import { accessFields, checkScope, resolveAudience } from './token-response.ts'

const refuse = (description: string): never => {
  throw new AuthError('invalid_grant', description)
}

const REFUSAL_TEXTS: Partial<Record<Refusal, string>> = {
  expired: 'The assertion has expired. Register again.',
  type: 'The assertion must be an identity assertion of this service.',
  audience: 'The audience of the assertion must be this service.',
}

const exchangeOwn = async (context: AuthContext, form: Form, assertion: string) => {
  const { tokens, facts, service } = context
  const verified = await tokens.verifyAssertion(assertion)
  if (!verified.ok) return refuse(REFUSAL_TEXTS[verified.reason] ?? 'The assertion is not valid.')
  const { sub, jti } = verified.payload
  const registeredAt = getRegisteredAt(verified.payload)
  const clientId = form('client_id')
  if (clientId !== undefined && clientId !== sub)
    refuse(`The assertion belongs to another client. Send client_id=${sub} or none.`)
  requireFresh(context)
  const claim = facts.state.claimOf(sub)?.attemptId
  if (facts.state.isRegistrationRevoked(sub, toMs(registeredAt))) {
    const hasSameClaim = claim !== undefined && claim === verified.payload.claim
    if (hasSameClaim && facts.state.revokingToken(sub) !== jti) {
      throw new AuthError('unauthorized_client', 'The registration was revoked. Register again.')
    }
    refuse('The assertion was revoked. Register again.')
  }
  if (claim !== undefined && claim !== verified.payload.claim) {
    refuse('The agent was claimed. Use the assertion from the response to the claim grant.')
  }
  const audience = resolveAudience(form, service())
  return tokens.issueAccess({ subject: sub, clientId: sub, audience, claim, registeredAt })
}

/** Error codes of registration → error codes of the token endpoint. */
const asGrantError = (error: unknown): unknown => {
  if (!(error instanceof AuthError)) return error
  switch (error.code) {
    case 'temporarily_unavailable':
    case 'invalid_scope':
    case 'invalid_target':
      return error
    case 'login_required':
      return new AuthError('insufficient_user_authentication', error.message, {
        members: error.members,
      })
    default:
      return new AuthError('invalid_grant', error.message)
  }
}

const exchangeForeign = async (
  { idJag, tokens, service }: AuthContext,
  form: Form,
  jwt: string,
) => {
  const jag = await idJag.verify(jwt, 'exchange').catch((error: unknown) => {
    throw asGrantError(error)
  })
  const clientId = form('client_id')
  if (clientId !== undefined && clientId !== jag.clientId) {
    refuse('The assertion belongs to another client. Send its claim client_id or none.')
  }
  const requested = resolveAudience(form, service())
  // The service builds the subject, so that foreign user names never collide with registrations.
  const subject = `idjag:${computeHash(jag.issuer, jag.subject, jag.clientId)}`
  const audience = form('resource') === undefined ? (jag.resource ?? requested) : requested
  return tokens.issueAccess({ subject, clientId: jag.clientId, audience, claim: undefined })
}

export const exchangeAssertion = async (context: AuthContext, form: Form) => {
  const assertion = needParameter(form, 'assertion')
  checkScope(form)
  const peeked = peek(assertion)
  if (!peeked) return refuse('The assertion must be a signed JWT.')
  const isOwn = peeked.issuer === context.service().issuer
  const access = await (isOwn ? exchangeOwn : exchangeForeign)(context, form, assertion)
  context.metrics.done('token_jwt_bearer')
  return accessFields(access)
}
