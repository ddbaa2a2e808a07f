// Verifies identity assertions of trusted issuers (draft-ietf-oauth-identity-assertion-authz-grant-03).
// It never accepts an assertion of this service: those have separate code.
import { Type } from 'typebox'
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
const check = Compile(
  Type.Object({
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
  }),
)

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

export type IdJagVerifier = {
  /** Throws an AuthError with the code of the first problem. */
  verify(assertion: string, use: IdJagUse): Promise<IdJag>
}

export type IdJagOptions = {
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

type Checked = { iat: number; exp: number; auth_time?: number; cnf?: unknown }

const checkTimes = (claims: Checked, nowSeconds: number, { config }: IdJagOptions): void => {
  const skew = config.clockSkewSeconds
  if (claims.iat > nowSeconds + skew)
    fail('invalid_request', 'The iat claim of the assertion must not be in the future.')
  if (claims.exp > nowSeconds + MAX_ID_JAG_LIFE_SECONDS + skew) {
    fail('invalid_request', `The assertion must be valid for at most ${MAX_ID_JAG_LIFE_SECONDS} s.`)
  }
}

const checkLogin = (claims: Checked, nowSeconds: number, use: IdJagUse, config: AuthConfig) => {
  const { maxAuthAgeSeconds: maxAge, clockSkewSeconds: skew } = config
  if (claims.auth_time === undefined && use === 'exchange') return
  const age = nowSeconds - (claims.auth_time ?? Number.NEGATIVE_INFINITY)
  // A login in the future is not valid either.
  if (age > maxAge + skew || age < -skew) throw loginRequired(maxAge)
}

export const createIdJagVerifier = (options: IdJagOptions): IdJagVerifier => {
  const { config, keys, clock, service } = options

  const readClaims = async (assertion: string) => {
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
    if (!verified.ok) return fail(...REFUSALS[verified.reason])
    return verified.payload
  }

  return {
    verify: async (assertion, use) => {
      const claims = await readClaims(assertion)
      const nowSeconds = clock.now() / 1_000
      if (!isForUs(claims.aud, service())) fail(...REFUSALS.audience)
      if (typeof claims['client_id'] !== 'string' || claims['client_id'] === '') {
        fail('invalid_client_id', 'The assertion must have a client_id.')
      }
      if (!check.Check(claims)) return fail(...REFUSALS.claims)
      if ('cnf' in claims)
        fail('invalid_request', 'The assertion must not be bound to a key (cnf).')
      checkTimes(claims, nowSeconds, options)
      if (claims.scope !== undefined && !claims.scope.split(' ').includes(SCOPE)) {
        fail('invalid_scope', `The scope must be ${SCOPE}.`)
      }
      if (claims.resource !== undefined && !service().resources.includes(claims.resource)) {
        fail('invalid_target', 'The resource must be one of this service.')
      }
      const isVerified = claims.email_verified === true || claims.phone_number_verified === true
      if (use === 'register' && !isVerified) {
        fail(
          'missing_verified_email',
          'The assertion must have a verified e-mail address or phone number.',
        )
      }
      checkLogin(claims, nowSeconds, use, config)
      const { iss, sub, client_id, jti, exp, resource } = claims
      return {
        issuer: iss,
        subject: sub,
        clientId: client_id,
        jti,
        resource,
        expiresMs: exp * 1_000,
      }
    },
  }
}
