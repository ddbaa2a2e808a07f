// The grants of agents: an assertion for an access token (RFC 7523), a token without a registration, and polling until a human
// has claimed the agent (RFC 8628, 3.5).
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Form } from '../../infra/base/http/bodies.ts'
import type { Claim } from '../agents/agent-state.ts'
import { checkScope, needParameter, resolveAudience } from '../bodies.ts'
import { type AuthContext, computeHash, newId, requireFresh, takeQuota } from '../context.ts'
import { peek, type Refusal } from '../keys/jose.ts'
import { AuthError } from '../oauth-error.ts'
import { accessFields, type ClaimToken, getRegisteredAt, toMs } from '../tokens/tokens.ts'

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

/** An assertion of our own, or an ID-JAG of a trusted issuer. Neither kind is ever accepted as the other. */
export async function exchangeAssertion(context: AuthContext, form: Form) {
  const assertion = needParameter(form, 'assertion')
  checkScope(form)
  const peeked = peek(assertion)
  if (!peeked) return refuse('The assertion must be a signed JWT.')
  const isOwn = peeked.issuer === context.service().issuer
  const access = await (isOwn ? exchangeOwn : exchangeForeign)(context, form, assertion)
  context.metrics.done('token_jwt_bearer')
  return accessFields(access)
}

const CLIENT_ID = /^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/
/** Prefixes of ids that the service issues: a client may not choose one. */
const OURS = /^(?:reg_|anon:|idjag:)/

/**
 * client_credentials without a secret: a limited deviation from RFC 6749, 4.4. The token reads public data, is short-lived,
 * names no person, and cannot be claimed.
 */
export async function grantAnonymously(context: AuthContext, form: Form, request: FastifyRequest) {
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

/** The polling interval that agents get; a second poll within it is answered with `slow_down`. */
export const POLL_SECONDS = 5
/** Timers are not exact, and requests may arrive out of order. */
const SLACK_MS = 500
const MAX_POLLERS = 50_000

const pending = (): AuthError =>
  new AuthError('authorization_pending', 'Not claimed yet. Poll again after the interval.')

/** A claim is redeemed once: the claim token is invalid afterwards. */
export function createClaimGrant(context: AuthContext) {
  const { tokens, facts, clock, service, metrics } = context
  const polledMs = new LRUCache<string, number>({ max: MAX_POLLERS })

  const isTooFast = (claimToken: string): boolean => {
    const key = computeHash(claimToken)
    const nowMs = clock.now()
    const lastMs = polledMs.get(key)
    polledMs.set(key, nowMs)
    return lastMs !== undefined && nowMs - lastMs < POLL_SECONDS * 1_000 - SLACK_MS
  }

  const createStateError = (registrationId: string): AuthError => {
    const attempt = facts.state.latestAttempt(registrationId)
    if (attempt?.state === 'denied')
      return new AuthError('access_denied', 'The human denied the claim.')
    if (attempt && attempt.expiresMs <= clock.now()) {
      return new AuthError('expired_token', 'The claim attempt has expired. Start another claim.')
    }
    return pending()
  }

  /** The first redemption in the log counts, whichever instance handles the request. */
  const redeem = async ({ registrationId, attemptId }: Claim): Promise<void> => {
    const used = new AuthError('invalid_grant', 'The claim token was used. Register again.')
    if (facts.state.claimOf(registrationId)?.redeemedBy !== undefined) throw used
    const event = await facts.record({
      type: 'rollcall.claim.redeemed.v1',
      subject: `agents/${registrationId}`,
      data: { registrationId, attemptId },
    })
    if (facts.state.claimOf(registrationId)?.redeemedBy !== event.id) throw used
  }

  const openClaim = async (claimToken: string): Promise<ClaimToken> => {
    const opened = await tokens.openClaim(claimToken)
    if (!opened.ok) throw new AuthError('expired_token', 'The claim token is not valid.')
    requireFresh(context)
    const { sub } = opened.payload
    if (facts.state.isRegistrationRevoked(sub, toMs(getRegisteredAt(opened.payload)))) {
      throw new AuthError('expired_token', 'The registration was revoked. Register again.')
    }
    return opened.payload
  }

  return async (form: Form) => {
    const claimToken = needParameter(form, 'claim_token')
    checkScope(form)
    const audience = resolveAudience(form, service())
    const { sub: registrationId, registration_type: type } = await openClaim(claimToken)
    const claim = facts.state.claimOf(registrationId)
    if (!claim) {
      const state = createStateError(registrationId)
      if (state.code !== 'authorization_pending' || !isTooFast(claimToken)) throw state
      throw new AuthError('slow_down', `Polled too soon. Wait more than ${POLL_SECONDS} s.`)
    }
    await redeem(claim)
    const iat = Math.floor(clock.now() / 1_000)
    const [access, assertion] = await Promise.all([
      tokens.issueAccess({
        subject: registrationId,
        clientId: registrationId,
        audience,
        claim: claim.attemptId,
      }),
      tokens.issueAssertion({ registrationId, type, iat }, claim),
    ])
    metrics.done('token_claim')
    return {
      ...accessFields(access),
      registration_id: registrationId,
      status: 'claimed',
      identity_assertion: assertion.token,
      assertion_expires: assertion.expires,
    }
  }
}
