// Identity assertions of other issuers (draft-ietf-oauth-identity-assertion-authz-grant-03), and what is checked before one is accepted.
// Only for issuers on the operator's list; never for our own assertions, which have a path of their own.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../infra/runtime/clock.ts'
import { type AuthConfig, MAX_ID_JAG_LIFE_SECONDS } from './config.ts'
import { SCOPE, type ServiceDescription } from './contract/service.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { peek, type Refusal, verifyForeignToken } from './jose.ts'
import { AuthError, type AuthErrorCode } from './oauth-error.ts'
import { MAX_TOKEN_LENGTH } from './tokens.ts'

const TYPE = 'oauth-id-jag+jwt'

const Name = Type.String({ minLength: 1, maxLength: 512 })
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
  /** The resource that it was requested for, if it names one. */
  resource: string | undefined
}

/** `register`: auth.md requires a verified human with a recent login. `exchange`: the draft alone. */
export type IdJagUse = 'register' | 'exchange'

export type IdJagVerifier = {
  /** Throws an AuthError with the code of the first thing that is wrong. */
  verify(assertion: string, use: IdJagUse): Promise<IdJag>
}

export type IdJagOptions = {
  config: AuthConfig
  keys: IssuerKeys
  clock: Clock
  service: () => ServiceDescription
}

const REFUSALS: Readonly<Record<Refusal, readonly [AuthErrorCode, string]>> = {
  malformed: ['invalid_request', 'The assertion is not a signed JWT.'],
  algorithm: ['invalid_signature', 'The assertion is not signed with an accepted algorithm.'],
  key: ['invalid_signature', 'The issuer publishes no such key.'],
  signature: ['invalid_signature', 'The signature of the assertion is wrong.'],
  type: ['invalid_request', `The assertion must have the type ${TYPE}.`],
  issuer: ['invalid_issuer', 'The assertion is of another issuer than it says.'],
  audience: ['invalid_audience', 'The assertion is for another audience.'],
  expired: ['expired', 'The assertion has expired.'],
  claims: ['invalid_request', 'The assertion lacks a claim, or one is not valid yet.'],
}

const fail = (code: AuthErrorCode, description: string): never => {
  throw new AuthError(code, description)
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
  if (claims.iat > nowSeconds + skew) fail('invalid_request', 'The assertion is from the future.')
  if (claims.exp > nowSeconds + MAX_ID_JAG_LIFE_SECONDS + skew) {
    fail('invalid_request', `The assertion lives longer than ${MAX_ID_JAG_LIFE_SECONDS} s.`)
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
      return fail('invalid_issuer', 'The assertion is not of an identity provider.')
    }
    const trusted = config.trustedIssuers.find((each) => each.issuer === issuer)
    if (!trusted) return fail('issuer_not_enabled', 'This issuer is not trusted here.')
    const jwks = await keys.readKeys(trusted, kid)
    if (!jwks) return fail('temporarily_unavailable', 'The keys of the issuer cannot be had now.')
    const verified = await verifyForeignToken(assertion, jwks, {
      type: TYPE,
      issuer,
      nowMs: clock.now(),
      toleranceSeconds: config.clockSkewSeconds,
    })
    if (!verified.ok) return fail(...REFUSALS[verified.reason])
    return verified.claims
  }

  return {
    verify: async (assertion, use) => {
      const claims = await readClaims(assertion)
      const nowSeconds = clock.now() / 1_000
      if (!isForUs(claims.aud, service())) fail(...REFUSALS.audience)
      if (typeof claims['client_id'] !== 'string' || claims['client_id'] === '') {
        fail('invalid_client_id', 'The assertion names no client.')
      }
      if (!check.Check(claims)) return fail(...REFUSALS.claims)
      if ('cnf' in claims) fail('invalid_request', 'Bound to a key: no proof of it is taken here.')
      checkTimes(claims, nowSeconds, options)
      if (claims.scope !== undefined && !claims.scope.split(' ').includes(SCOPE)) {
        fail('invalid_scope', `The only scope here is ${SCOPE}.`)
      }
      if (claims.resource !== undefined && !service().resources.includes(claims.resource)) {
        fail('invalid_target', 'The assertion is for a resource that is not here.')
      }
      const isVerified = claims.email_verified === true || claims.phone_number_verified === true
      if (use === 'register' && !isVerified) {
        fail('missing_verified_email', 'The assertion vouches for no e-mail or phone number.')
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
