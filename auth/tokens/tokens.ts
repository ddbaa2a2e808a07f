// The tokens of agents: access tokens (RFC 9068), identity assertions, claim tokens, logins. None is stored:
// each is self-contained. Their types differ, so that none is accepted as another.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { AuthConfig } from '../config.ts'
import { SCOPE } from '../contract/service.ts'
import {
  openSealed,
  type Payload,
  sealToken,
  signToken,
  type Verified,
  verifyToken,
} from '../keys/jose.ts'
import type { KeyRing } from '../keys/key-ring.ts'

const ACCESS_TYPE = 'at+jwt'
const ASSERTION_TYPE = 'oauth-id-jag+jwt'
const CLAIM_TYPE = 'rollcall-claim+jwe'
/** Sealed tokens of a login. The page of the button has the first. */
const LOGIN_TYPES = {
  request: 'rollcall-login+jwe',
  code: 'rollcall-code+jwe',
  refresh: 'rollcall-refresh+jwe',
} as const
const CLIENT_TYPE = 'rollcall-client+jwt'
/** It names what a client registered, and ends when its key is no longer accepted. */
const CLIENT_SECONDS = 10 * 365 * 86_400
const CLAIM_PREFIX = 'clm_'
/** Tokens of this service are under 1 kB; longer ones are refused without verification. */
export const MAX_TOKEN_LENGTH = 8 * 1_024

export type RegistrationType = 'anonymous' | 'identity_assertion'

/** The wallet that claimed a registration, and by which attempt. */
export type Wallet = { attemptId: string; chainId: string; address: string }

export type AccessToken = Payload & {
  sub: string
  client_id: string
  jti: string
  exp: number
  /** The attempt by which the registration was claimed when the token was issued. */
  claim?: string
  /** When an anonymous registration registered, in seconds; absent once it is claimed. */
  registered_at?: number
}

export type IdentityAssertion = Payload & {
  sub: string
  jti: string
  iat: number
  exp: number
  registration_type: RegistrationType
  /** The attempt by which the registration was claimed when the token was issued. */
  claim?: string
}

export type ClaimToken = Payload & {
  sub: string
  iat: number
  exp: number
  registration_type: RegistrationType
}

/** What a client says of itself when it registers. */
export type ClientStatement = Payload & { redirect_uris: string[]; client_name?: string }

/** `sub` names the login; `resource` is the audience of its tokens; clients and redirects are hashes. */
export type LoginTokens = {
  request: {
    client_id: string
    redirect_uri: string
    state?: string
    challenge: string
    resource: string
    /** Hash of the cookie of the browser. */
    browser: string
  }
  code: { sub: string; client: string; redirect: string; challenge: string; resource: string }
  refresh: { sub: string; client: string; resource: string; step: number }
}

export type IssuedAccess = { token: string; expiresInSeconds: number }

/** The response of the token endpoint (RFC 6749, 5.1). */
export const accessFields = ({ token, expiresInSeconds }: IssuedAccess) => ({
  access_token: token,
  token_type: 'Bearer',
  expires_in: expiresInSeconds,
  scope: SCOPE,
})

/** `registration`: also an expired token, while other tokens of its registration may be valid. */
export type Expiry = 'token' | 'registration'

export type TokensOptions = {
  ring: KeyRing
  clock: Clock
  /** The issuer, which is known once the service listens. */
  issuer: () => string
  lifetimes: Pick<
    AuthConfig,
    'accessTokenSeconds' | 'identityAssertionSeconds' | 'claimTokenSeconds'
  >
}

type Issued = { token: string; expires: string }
type Checked = { type: string; audience?: string[] | undefined; toleranceSeconds?: number }

/** Every kind of token is a signature or a seal of its own type. */
const createTypes = ({ ring, clock, issuer }: TokensOptions) => ({
  verify: async (token: string, { audience, ...checked }: Checked): Promise<Verified> => {
    const keys = token.length > MAX_TOKEN_LENGTH ? undefined : ring.keySet()
    if (!keys) return { ok: false, reason: 'malformed' }
    const options = { ...checked, issuer: issuer(), nowMs: clock.now() }
    return verifyToken(token, keys, { ...options, ...(audience ? { audience } : {}) })
  },
  open: async (sealed: string, purpose: string, toleranceSeconds = 0): Promise<Verified> => {
    if (sealed.length > MAX_TOKEN_LENGTH) return { ok: false, reason: 'malformed' }
    const checked = { purpose, issuer: issuer(), nowMs: clock.now() }
    return openSealed(sealed, ring.sealKey, { ...checked, toleranceSeconds })
  },
  sign: (payload: Payload, type: string): Promise<string> => {
    const { kid, sign } = ring.signing()
    return signToken({ iss: issuer(), ...payload }, { type, kid, key: sign })
  },
  seal: (payload: Payload, purpose: string): Promise<string> => {
    const { kid, seal } = ring.signing()
    return sealToken({ iss: issuer(), ...payload }, { purpose, kid, key: seal })
  },
  times: (lifeSeconds: number, iat = Math.floor(clock.now() / 1_000)) => ({
    iat,
    exp: iat + lifeSeconds,
  }),
})

type Types = ReturnType<typeof createTypes>

const createLoginTokens = ({ verify, open, sign, seal, times }: Types) => ({
  /** Returns the client ID: a signed statement, so that no registration is stored. */
  issueClient: (statement: ClientStatement): Promise<string> => {
    const ids = { sub: 'client', jti: randomUUID() }
    return sign({ ...statement, ...ids, ...times(CLIENT_SECONDS) }, CLIENT_TYPE)
  },
  verifyClient: async (clientId: string) =>
    (await verify(clientId, { type: CLIENT_TYPE })) as Verified<ClientStatement>,
  issueLogin: <Kind extends keyof LoginTokens>(
    kind: Kind,
    payload: LoginTokens[Kind],
    lifeSeconds: number,
  ): Promise<string> => seal({ sub: kind, ...payload, ...times(lifeSeconds) }, LOGIN_TYPES[kind]),
  openLogin: async <Kind extends keyof LoginTokens>(kind: Kind, token: string) =>
    (await open(token, LOGIN_TYPES[kind])) as Verified<Payload & LoginTokens[Kind]>,
})

type AccessOptions = {
  subject: string
  clientId: string
  audience: string
  claim: string | undefined
  /** Time of an unclaimed anonymous registration, in seconds. */
  registeredAt?: number | undefined
}
type RegistrationOptions = { registrationId: string; type: RegistrationType; iat: number }

export function createTokens(options: TokensOptions) {
  const { issuer, lifetimes } = options
  const types = createTypes(options)
  const { verify, open, sign, seal, times } = types

  /** A token of a registration outlives another of its tokens by less than this. */
  const registrationSeconds =
    lifetimes.claimTokenSeconds + lifetimes.identityAssertionSeconds + lifetimes.accessTokenSeconds
  const tolerance = (expiry: Expiry): number => (expiry === 'token' ? 0 : registrationSeconds)
  return {
    ...createLoginTokens(types),
    issueAccess: async (given: AccessOptions): Promise<IssuedAccess> => {
      const { subject, clientId, audience, claim, registeredAt } = given
      const expiresInSeconds = lifetimes.accessTokenSeconds
      const payload = {
        aud: audience,
        sub: subject,
        client_id: clientId,
        scope: SCOPE,
        jti: randomUUID(),
        ...times(expiresInSeconds),
        ...(claim === undefined ? {} : { claim }),
        ...(registeredAt === undefined ? {} : { registered_at: registeredAt }),
      }
      return { token: await sign(payload, ACCESS_TYPE), expiresInSeconds }
    },
    verifyAccess: async (token: string, audience: string[] | undefined) =>
      (await verify(token, { type: ACCESS_TYPE, audience })) as Verified<AccessToken>,
    issueAssertion: async (
      { registrationId, type, iat }: RegistrationOptions,
      wallet?: Wallet,
    ): Promise<Issued> => {
      const ids = { aud: issuer(), sub: registrationId, jti: randomUUID() }
      const { exp } = times(lifetimes.identityAssertionSeconds, iat)
      const claimed = wallet && {
        claim: wallet.attemptId,
        wallet: { chain_id: wallet.chainId, address: wallet.address },
      }
      const payload = { ...ids, iat, exp, registration_type: type, ...claimed }
      return {
        token: await sign(payload, ASSERTION_TYPE),
        expires: new Date(exp * 1_000).toISOString(),
      }
    },
    verifyAssertion: async (token: string, expiry: Expiry = 'token') => {
      const checked = { audience: [issuer()], toleranceSeconds: tolerance(expiry) }
      const verified = await verify(token, { type: ASSERTION_TYPE, ...checked })
      return verified as Verified<IdentityAssertion>
    },
    issueClaim: async ({ registrationId, type, iat }: RegistrationOptions): Promise<Issued> => {
      const { exp } = times(lifetimes.claimTokenSeconds, iat)
      const payload = { sub: registrationId, registration_type: type, iat, exp }
      const token = CLAIM_PREFIX + (await seal(payload, CLAIM_TYPE))
      return { token, expires: new Date(exp * 1_000).toISOString() }
    },
    openClaim: async (token: string, expiry: Expiry = 'token') => {
      const sealed = token.startsWith(CLAIM_PREFIX) ? token.slice(CLAIM_PREFIX.length) : ''
      return (await open(sealed, CLAIM_TYPE, tolerance(expiry))) as Verified<ClaimToken>
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

/** What tells whether a token is of an unclaimed anonymous registration. */
export type Registered = { registration_type?: RegistrationType; claim?: string; iat?: number }

/** Time of an unclaimed anonymous registration in seconds, else undefined. */
export function getRegisteredAt(token: Registered): number | undefined {
  const isAnonymous = token.registration_type === 'anonymous' && token.claim === undefined
  return isAnonymous ? token.iat : undefined
}

/** Seconds of a token as milliseconds; undefined stays undefined. */
export function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000
}
