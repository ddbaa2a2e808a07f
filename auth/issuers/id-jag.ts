// Verifies identity assertions of trusted issuers (draft-ietf-oauth-identity-assertion-authz-grant-03).
// It never accepts an assertion of this service: those have separate code.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { type AuthConfig, MAX_ID_JAG_LIFE_SECONDS } from '../config.ts'
import { SCOPE, type ServiceDescription } from '../contract/service.ts'
import { FOREIGN_ALGORITHMS, type KeySet, peek, type Refusal, verifyToken } from '../keys/jose.ts'
import type { FoundKeys } from '../keys/key-sets.ts'
import { AuthError, type AuthErrorCode } from '../oauth-error.ts'
import { MAX_TOKEN_LENGTH } from '../tokens/tokens.ts'
import type { IssuerKeys } from './issuer-keys.ts'

const TYPE = 'oauth-id-jag+jwt'

/** Without half a surrogate pair, which has no encoding. */
const Name = Type.String({ minLength: 1, maxLength: 512, pattern: '^\\P{Cs}*$' })
const PayloadSchema = Type.Object({
  iss: Name,
  sub: Name,
  jti: Name,
  client_id: Name,
  iat: Type.Number(),
  exp: Type.Number(),
  aud: Type.Unknown(),
  auth_time: Type.Optional(Type.Number()),
  scope: Type.Optional(Type.String()),
  resource: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Unknown()),
  phone_number_verified: Type.Optional(Type.Unknown()),
})
const check = Compile(PayloadSchema)

export type IdJag = {
  issuer: string
  subject: string
  clientId: string
  jti: string
  expiresMs: number
  /** The requested resource, if any. */
  resource: string | undefined
}

/** `register`: auth.md requires a verified human with a recent login. `exchange`: the draft alone. */
export type IdJagUse = 'register' | 'exchange'

type IdJagOptions = {
  config: AuthConfig
  keys: IssuerKeys
  clock: Clock
  service: () => ServiceDescription
}

const REFUSALS: Readonly<Record<Refusal, readonly [AuthErrorCode, string]>> = {
  malformed: ['invalid_request', 'The assertion must be a signed JWT.'],
  algorithm: [
    'invalid_signature',
    'The assertion must be signed with an accepted asymmetric algorithm.',
  ],
  key: ['invalid_signature', 'The key set of the issuer does not have the key of the assertion.'],
  signature: [
    'invalid_signature',
    'The signature of the assertion does not match the key of the issuer.',
  ],
  type: ['invalid_request', `The assertion must have the type ${TYPE}.`],
  issuer: ['invalid_issuer', 'The iss claim must be the issuer that signed the assertion.'],
  audience: ['invalid_audience', 'The audience of the assertion must be only this service.'],
  expired: ['expired', 'The assertion has expired. Request a new one from the identity provider.'],
  claims: ['invalid_request', 'The assertion lacks a required claim, or is not valid yet.'],
}

const fail = (code: AuthErrorCode, description: string): never => {
  throw new AuthError(code, description)
}

const requireKeys = (found: FoundKeys): KeySet => {
  if (found.ok) return found.keys
  if (found.isMisconfigured) {
    return fail(
      'issuer_not_enabled',
      'This issuer is trusted, but this service does not find its keys. Only the operator of this service can correct that.',
    )
  }
  throw new AuthError('temporarily_unavailable', 'The keys of the issuer are unavailable now.', {
    headers: { 'retry-after': String(found.retryAfterSeconds) },
  })
}

/** Exactly one audience, which is this service; a list of one is accepted. */
const isForUs = (aud: unknown, { issuer }: ServiceDescription): boolean => {
  const audience = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  return typeof audience === 'string' && audience.replace(/\/$/, '') === issuer
}

const loginRequired = (maxAge: number): AuthError => {
  const description = 'The human behind the assertion must log in again.'
  return new AuthError('login_required', description, {
    headers: {
      'www-authenticate': `AgentAuth error="login_required", max_age="${maxAge}", error_description="${description}"`,
    },
    members: { max_age: maxAge },
  })
}

type Payload = Static<typeof PayloadSchema> & { cnf?: unknown }

/** Claims that are right in form, against the time, this service and what the assertion is used for. */
const checkClaims = (payload: Payload, use: IdJagUse, options: IdJagOptions): void => {
  const { config, clock, service } = options
  const { maxAuthAgeSeconds: maxAge, clockSkewSeconds: skew } = config
  const nowSeconds = clock.now() / 1_000
  const { scope, resource, auth_time: loginSeconds } = payload
  if ('cnf' in payload) fail('invalid_request', 'The assertion must not be bound to a key (cnf).')
  if (payload.iat > nowSeconds + skew) {
    fail('invalid_request', 'The iat claim of the assertion must not be in the future.')
  }
  if (payload.exp > nowSeconds + MAX_ID_JAG_LIFE_SECONDS + skew) {
    fail('invalid_request', `The assertion must be valid for at most ${MAX_ID_JAG_LIFE_SECONDS} s.`)
  }
  if (scope !== undefined && !scope.split(' ').includes(SCOPE)) {
    fail('invalid_scope', `The scope must be ${SCOPE}.`)
  }
  if (resource !== undefined && !service().resources.includes(resource)) {
    fail('invalid_target', 'The resource must be one of this service.')
  }
  const isVerified = payload.email_verified === true || payload.phone_number_verified === true
  if (use === 'register' && !isVerified) {
    const description = 'The assertion must have a verified e-mail address or phone number.'
    fail('missing_verified_email', description)
  }
  if (loginSeconds === undefined && use === 'exchange') return
  const age = nowSeconds - (loginSeconds ?? Number.NEGATIVE_INFINITY)
  // A login in the future is not valid either.
  if (age > maxAge + skew || age < -skew) throw loginRequired(maxAge)
}

export function createIdJagVerifier(options: IdJagOptions) {
  const { config, keys, clock, service } = options

  const readPayload = async (assertion: string) => {
    const peeked = assertion.length > MAX_TOKEN_LENGTH ? undefined : peek(assertion)
    if (!peeked) return fail(...REFUSALS.malformed)
    const { issuer, kid } = peeked
    if (typeof issuer !== 'string' || issuer === service().issuer) {
      return fail('invalid_issuer', 'The iss claim must be an identity provider.')
    }
    const trusted = keys.get(issuer)
    if (!trusted) return fail('issuer_not_enabled', 'This issuer is not trusted.')
    const verified = await verifyToken(assertion, requireKeys(await trusted.find(kid)), {
      algorithms: FOREIGN_ALGORITHMS,
      type: TYPE,
      issuer,
      nowMs: clock.now(),
      toleranceSeconds: config.clockSkewSeconds,
    })
    return verified.ok ? verified.payload : fail(...REFUSALS[verified.reason])
  }

  return {
    /** Throws an AuthError with the code of the first problem. */
    verify: async (assertion: string, use: IdJagUse): Promise<IdJag> => {
      const payload = await readPayload(assertion)
      if (!isForUs(payload.aud, service())) fail(...REFUSALS.audience)
      if (typeof payload['client_id'] !== 'string' || payload['client_id'] === '') {
        fail('invalid_client_id', 'The assertion must have a client_id.')
      }
      if (!check.Check(payload)) return fail(...REFUSALS.claims)
      checkClaims(payload, use, options)
      const { iss: issuer, sub: subject, client_id: clientId, jti, exp, resource } = payload
      return { issuer, subject, clientId, jti, resource, expiresMs: exp * 1_000 }
    },
  }
}

export type IdJagVerifier = ReturnType<typeof createIdJagVerifier>
