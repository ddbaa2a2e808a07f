// `POST /agent/identity`: an agent registers, anonymously or with an assertion of an identity provider. An anonymous registration
// writes nothing.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Route } from '../../infra/base/http/routes.ts'
import { readJson } from '../bodies.ts'
import { type AuthContext, computeHash, instant, newId, takeQuota } from '../context.ts'
import { ID_JAG_TYPE, PATHS, SCOPE } from '../contract/service.ts'
import type { IdJag } from '../issuers/id-jag.ts'
import { AuthError } from '../oauth-error.ts'
import { accessFields, type RegistrationType } from '../tokens/tokens.ts'
import { createEndpoint } from './route.ts'

const Text = Type.String({ maxLength: 10_000 })
const Registration = Type.Object({
  type: Text,
  assertion_type: Type.Optional(Text),
  assertion: Type.Optional(Text),
})
const check = Compile(Registration)
const EXPECTED = 'a JSON object with a type: anonymous, or identity_assertion with an assertion'

const USABLE = `Use type anonymous, or identity_assertion with assertion_type ${ID_JAG_TYPE}.`

const NO_EMAIL = new AuthError(
  'verified_email_not_enabled',
  `This deployment sends no e-mail, so verified e-mail cannot complete. ${USABLE}`,
)

const answerFor = async (
  { tokens, service, clock }: AuthContext,
  { registrationId, type }: { registrationId: string; type: RegistrationType },
) => {
  const { issuer, resources, urls } = service()
  // All tokens use the time of the registration.
  const iat = Math.floor(clock.now() / 1_000)
  const [assertion, claim, access] = await Promise.all([
    tokens.issueAssertion({ registrationId, type, iat }),
    tokens.issueClaim({ registrationId, type, iat }),
    tokens.issueAccess({
      subject: registrationId,
      clientId: registrationId,
      claim: undefined,
      registeredAt: type === 'anonymous' ? iat : undefined,
      audience: resources[0] ?? issuer,
    }),
  ])
  const scopes = [SCOPE]
  const flat = {
    registration_id: registrationId,
    // OAuth libraries send a client_id with every request.
    client_id: registrationId,
    registration_type: type,
    identity_assertion: assertion.token,
    assertion_expires: assertion.expires,
    pre_claim_scopes: scopes,
    post_claim_scopes: scopes,
    claim_url: urls.claim,
    claim_token: claim.token,
    claim_token_expires: claim.expires,
    ...accessFields(access),
  }
  // The names in newer versions of auth.md.
  return {
    ...flat,
    id: registrationId,
    type,
    identity: { assertion: assertion.token, expires_at: assertion.expires },
    claim: { token: claim.token, expires_at: claim.expires, url: urls.claim },
    scopes: type === 'anonymous' ? { pre_claim: scopes, post_claim: scopes } : scopes,
  }
}

/** Two instances may receive the same assertion at once: the first record in the log is the registration. */
const registerOnce = async ({ facts }: AuthContext, jag: IdJag): Promise<string> => {
  const jtiHash = computeHash(jag.issuer, jag.jti)
  const registrationId = newId('reg_')
  const replayed = new AuthError(
    'replay_detected',
    'This assertion was already used. Request a new one.',
  )
  if (facts.state.registrationOf(jtiHash)) throw replayed
  const event = await facts.record({
    type: 'rollcall.agent.registered.v1',
    subject: `agents/${registrationId}`,
    data: {
      registrationId,
      jtiHash,
      issuer: jag.issuer,
      agentHash: computeHash(jag.issuer, jag.subject, jag.clientId),
      assertionExpires: instant(jag.expiresMs),
    },
  })
  if (facts.state.registrationOf(jtiHash)?.eventId !== event.id) throw replayed
  return registrationId
}

const registerAsserted = async (context: AuthContext, body: Static<typeof Registration>) => {
  const { assertion_type: assertionType, assertion } = body
  if (assertionType === 'verified_email') throw NO_EMAIL
  if (assertionType !== ID_JAG_TYPE || !assertion) {
    const expected = `assertion_type ${ID_JAG_TYPE} and the assertion`
    throw new AuthError('invalid_request', `An identity_assertion needs ${expected}.`)
  }
  const jag = await context.idJag.verify(assertion, 'register')
  return registerOnce(context, jag)
}

const register = async (context: AuthContext, body: Static<typeof Registration>) => {
  switch (body.type) {
    case 'anonymous':
      context.metrics.done('registered_anonymous')
      return answerFor(context, { registrationId: newId('reg_'), type: 'anonymous' })
    case 'identity_assertion': {
      const registrationId = await registerAsserted(context, body)
      context.metrics.done('registered_identity_assertion')
      return answerFor(context, { registrationId, type: 'identity_assertion' })
    }
    case 'verified_email':
      throw NO_EMAIL
    case 'service_auth': {
      const description = `This deployment sends no e-mail, so service_auth cannot complete. ${USABLE}`
      throw new AuthError('service_auth_not_enabled', description)
    }
    default:
      throw new AuthError('invalid_request', `This type is unknown. ${USABLE}`)
  }
}

export const createIdentityRoute = (context: AuthContext): Route =>
  createEndpoint(PATHS.identity, async (request) => {
    takeQuota(context.limits.register, request)
    return register(context, readJson(request, check, EXPECTED))
  })
