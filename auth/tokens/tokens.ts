// The tokens of agents: access tokens (RFC 9068), identity assertions, claim tokens, logins. None is stored:
// each is self-contained. Their types differ, so that none is accepted as another.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { SCOPE } from '../contract/service.ts'
import {
  type Claims,
  openSealed,
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

export type AccessToken = Claims & {
  sub: string
  client_id: string
  jti: string
  exp: number
  /** The attempt by which the registration was claimed when the token was issued. */
  claim?: string
  /** When an anonymous registration registered, in seconds; absent once it is claimed. */
  registered_at?: number
}

export type IdentityAssertion = Claims & {
  sub: string
  jti: string
  iat: number
  exp: number
  registration_type: RegistrationType
  /** The attempt by which the registration was claimed when the token was issued. */
  claim?: string
}

export type ClaimToken = Claims & {
  sub: string
  iat: number
  exp: number
  registration_type: RegistrationType
}

/** What a client says of itself when it registers. */
export type ClientStatement = Claims & { redirect_uris: string[]; client_name?: string }

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
export type Issued = { token: string; expiresMs: number }

export type Tokens = {
  issueAccess(options: {
    subject: string
    clientId: string
    audience: string
    claim: string | undefined
    /** Time of an unclaimed anonymous registration, in seconds. */
    registeredAt?: number | undefined
  }): Promise<IssuedAccess>
  issueAssertion(options: {
    registrationId: string
    type: RegistrationType
    wallet: Wallet | undefined
    iat: number
  }): Promise<Issued>
  issueClaim(options: {
    registrationId: string
    type: RegistrationType
    iat: number
  }): Promise<Issued>
  /** Returns the client ID: a signed statement, so that no registration is stored. */
  issueClient(statement: ClientStatement): Promise<string>
  issueLogin<Kind extends keyof LoginTokens>(
    kind: Kind,
    claims: LoginTokens[Kind],
    lifeSeconds: number,
  ): Promise<string>
  verifyClient(clientId: string): Promise<Verified<ClientStatement>>
  openLogin<Kind extends keyof LoginTokens>(
    kind: Kind,
    token: string,
  ): Promise<Verified<Claims & LoginTokens[Kind]>>
  verifyAccess(token: string, audience: string[] | undefined): Promise<Verified<AccessToken>>
  verifyAssertion(token: string, expiry?: Expiry): Promise<Verified<IdentityAssertion>>
  openClaim(token: string, expiry?: Expiry): Promise<Verified<ClaimToken>>
}

/** `registration`: also an expired token, while other tokens of its registration may be valid. */
export type Expiry = 'token' | 'registration'

export type Lifetimes = {
  accessTokenSeconds: number
  identityAssertionSeconds: number
  claimTokenSeconds: number
}

export type TokensOptions = {
  ring: KeyRing
  clock: Clock
  /** The issuer, which is known once the service listens. */
  issuer: () => string
  lifetimes: Lifetimes
}

const TOO_LONG = { ok: false, reason: 'malformed' } as const

type Checked = { type: string; audience: string[] | undefined; toleranceSeconds?: number }

const verifier = ({ ring, clock, issuer }: TokensOptions) => ({
  verify: async (token: string, { audience, ...checked }: Checked) => {
    if (token.length > MAX_TOKEN_LENGTH) return TOO_LONG
    const keys = ring.keySet()
    if (!keys) return { ok: false, reason: 'key' } as const
    const options = { ...checked, issuer: issuer(), nowMs: clock.now() }
    return verifyToken(token, keys, { ...options, ...(audience ? { audience } : {}) })
  },
  open: async (sealed: string, purpose: string, toleranceSeconds = 0) => {
    if (sealed.length > MAX_TOKEN_LENGTH) return TOO_LONG
    const checked = { purpose, issuer: issuer(), nowMs: clock.now() }
    return openSealed(sealed, ring.sealKey, { ...checked, toleranceSeconds })
  },
})

const signer = ({ ring, clock }: TokensOptions) => ({
  times: (lifeSeconds: number) => {
    const iat = Math.floor(clock.now() / 1_000)
    return { iat, exp: iat + lifeSeconds }
  },
  signed: (claims: Claims, type: string): Promise<string> => {
    const { kid, sign } = ring.signing()
    return signToken(claims, { type, kid, key: sign })
  },
  sealed: (claims: Claims, purpose: string): Promise<string> => {
    const { kid, seal } = ring.signing()
    return sealToken(claims, { purpose, kid, key: seal })
  },
})

type LoginTokenMethods = Pick<Tokens, 'issueClient' | 'issueLogin' | 'verifyClient' | 'openLogin'>

const createLoginTokens = (options: TokensOptions): LoginTokenMethods => {
  const { verify, open } = verifier(options)
  const { times, signed, sealed } = signer(options)
  const { issuer } = options
  return {
    issueClient: (statement) => {
      const ids = { iss: issuer(), sub: 'client', jti: randomUUID() }
      return signed({ ...statement, ...ids, ...times(CLIENT_SECONDS) }, CLIENT_TYPE)
    },
    issueLogin: (kind, claims, lifeSeconds) =>
      sealed({ sub: kind, ...claims, iss: issuer(), ...times(lifeSeconds) }, LOGIN_TYPES[kind]),
    verifyClient: async (clientId) => {
      const checked = { type: CLIENT_TYPE, audience: undefined }
      return (await verify(clientId, checked)) as Verified<ClientStatement>
    },
    openLogin: async <Kind extends keyof LoginTokens>(kind: Kind, token: string) =>
      (await open(token, LOGIN_TYPES[kind])) as Verified<Claims & LoginTokens[Kind]>,
  }
}

export const createTokens = (options: TokensOptions): Tokens => {
  const { issuer, lifetimes } = options
  const { verify, open } = verifier(options)
  const { times, signed, sealed } = signer(options)

  /** A token of a registration outlives another of its tokens by less than this. */
  const registrationSeconds =
    lifetimes.claimTokenSeconds + lifetimes.identityAssertionSeconds + lifetimes.accessTokenSeconds
  const tolerance = (expiry: Expiry): number => (expiry === 'token' ? 0 : registrationSeconds)
  return {
    ...createLoginTokens(options),
    issueAccess: async ({ subject, clientId, audience, claim, registeredAt }) => {
      const expiresInSeconds = lifetimes.accessTokenSeconds
      const token = await signed(
        {
          iss: issuer(),
          aud: audience,
          sub: subject,
          client_id: clientId,
          scope: SCOPE,
          jti: randomUUID(),
          ...times(expiresInSeconds),
          ...(claim === undefined ? {} : { claim }),
          ...(registeredAt === undefined ? {} : { registered_at: registeredAt }),
        },
        ACCESS_TYPE,
      )
      return { token, expiresInSeconds }
    },
    issueAssertion: async ({ registrationId, type, wallet, iat }) => {
      const exp = iat + lifetimes.identityAssertionSeconds
      const token = await signed(
        {
          iss: issuer(),
          aud: issuer(),
          sub: registrationId,
          jti: randomUUID(),
          iat,
          exp,
          registration_type: type,
          ...(wallet
            ? {
                claim: wallet.attemptId,
                wallet: { chain_id: wallet.chainId, address: wallet.address },
              }
            : {}),
        },
        ASSERTION_TYPE,
      )
      return { token, expiresMs: exp * 1_000 }
    },
    issueClaim: async ({ registrationId, type, iat }) => {
      const exp = iat + lifetimes.claimTokenSeconds
      const claims = { iss: issuer(), sub: registrationId, registration_type: type, iat, exp }
      const token = await sealed(claims, CLAIM_TYPE)
      return { token: CLAIM_PREFIX + token, expiresMs: exp * 1_000 }
    },
    verifyAccess: async (token, audience) =>
      (await verify(token, { type: ACCESS_TYPE, audience })) as Verified<AccessToken>,
    verifyAssertion: async (token, expiry = 'token') =>
      (await verify(token, {
        type: ASSERTION_TYPE,
        audience: [issuer()],
        toleranceSeconds: tolerance(expiry),
      })) as Verified<IdentityAssertion>,
    openClaim: async (token, expiry = 'token') => {
      if (!token.startsWith(CLAIM_PREFIX)) return TOO_LONG
      const rest = token.slice(CLAIM_PREFIX.length)
      return (await open(rest, CLAIM_TYPE, tolerance(expiry))) as Verified<ClaimToken>
    },
  }
}

/** Time of an anonymous registration in seconds, else undefined. */
export const getRegisteredAt = (token: IdentityAssertion | ClaimToken): number | undefined =>
  token.registration_type === 'anonymous' && token['claim'] === undefined ? token.iat : undefined

/** Seconds of a token as milliseconds; undefined stays undefined. */
export const toMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000
