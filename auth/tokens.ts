// What agents are given: access tokens (RFC 9068), identity assertions, claim tokens. Nothing is kept of any of them:
// each says all about itself. Their types differ, so that none can stand for another.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../infra/runtime/clock.ts'
import { SCOPE } from './contract/service.ts'
import {
  type Claims,
  openSealed,
  sealToken,
  signToken,
  type Verified,
  verifyToken,
} from './jose.ts'
import type { KeyRing } from './keys.ts'

const ACCESS_TYPE = 'at+jwt'
const ASSERTION_TYPE = 'oauth-id-jag+jwt'
const CLAIM_TYPE = 'rollcall-claim+jwe'
const CLAIM_PREFIX = 'clm_'
/** Ours are under 1 kB; whatever is longer is not looked into. */
export const MAX_TOKEN_LENGTH = 8 * 1_024

export type RegistrationType = 'anonymous' | 'identity_assertion'

/** The wallet that claimed a registration, and by which attempt. */
export type Wallet = { attemptId: string; chainId: string; address: string }

export type AccessToken = Claims & {
  sub: string
  client_id: string
  jti: string
  exp: number
  /** The attempt by which the registration was claimed when this was issued. */
  claim?: string
}

export type IdentityAssertion = Claims & {
  sub: string
  jti: string
  iat: number
  exp: number
  registration_type: RegistrationType
}

export type ClaimToken = Claims & {
  sub: string
  iat: number
  exp: number
  registration_type: RegistrationType
}

export type IssuedAccess = { token: string; expiresInSeconds: number }
export type Issued = { token: string; expiresMs: number }

export type Tokens = {
  issueAccess(options: {
    subject: string
    clientId: string
    audience: string
    claim: string | undefined
  }): Promise<IssuedAccess>
  issueAssertion(options: {
    registrationId: string
    type: RegistrationType
    wallet: Wallet | undefined
  }): Promise<Issued>
  issueClaim(options: { registrationId: string; type: RegistrationType }): Promise<Issued>
  verifyAccess(token: string, audience: string[] | undefined): Promise<Verified<AccessToken>>
  verifyAssertion(token: string): Promise<Verified<IdentityAssertion>>
  openClaim(token: string): Promise<Verified<ClaimToken>>
}

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

const TOO_LONG = { ok: false, why: 'malformed' } as const

const verifier = ({ ring, clock, issuer }: TokensOptions) => ({
  verify: async (token: string, type: string, audience: string[] | undefined) => {
    if (token.length > MAX_TOKEN_LENGTH) return TOO_LONG
    const checked = { type, issuer: issuer(), nowMs: clock.now() }
    return verifyToken(token, ring.verifyKey, { ...checked, ...(audience ? { audience } : {}) })
  },
  open: async (token: string) => {
    if (!token.startsWith(CLAIM_PREFIX) || token.length > MAX_TOKEN_LENGTH) return TOO_LONG
    const sealed = token.slice(CLAIM_PREFIX.length)
    const checked = { purpose: CLAIM_TYPE, issuer: issuer(), nowMs: clock.now() }
    return openSealed(sealed, ring.sealKey, checked)
  },
})

export const createTokens = (options: TokensOptions): Tokens => {
  const { ring, clock, issuer, lifetimes } = options
  const { verify, open } = verifier(options)

  const times = (lifeSeconds: number) => {
    const iat = Math.floor(clock.now() / 1_000)
    return { iat, exp: iat + lifeSeconds }
  }
  const signed = (claims: Claims, type: string): Promise<string> => {
    const { kid, sign } = ring.signing()
    return signToken(claims, { type, kid, key: sign })
  }

  return {
    issueAccess: async ({ subject, clientId, audience, claim }) => {
      const expiresInSeconds = lifetimes.accessTokenSeconds
      const token = await signed(
        {
          ...{ iss: issuer(), aud: audience, sub: subject, client_id: clientId, scope: SCOPE },
          ...{ jti: randomUUID(), ...times(expiresInSeconds) },
          ...(claim === undefined ? {} : { claim }),
        },
        ACCESS_TYPE,
      )
      return { token, expiresInSeconds }
    },
    issueAssertion: async ({ registrationId, type, wallet }) => {
      const { iat, exp } = times(lifetimes.identityAssertionSeconds)
      const token = await signed(
        {
          ...{ iss: issuer(), aud: issuer(), sub: registrationId, jti: randomUUID(), iat, exp },
          registration_type: type,
          ...(wallet ? { wallet: { chain_id: wallet.chainId, address: wallet.address } } : {}),
        },
        ASSERTION_TYPE,
      )
      return { token, expiresMs: exp * 1_000 }
    },
    issueClaim: async ({ registrationId, type }) => {
      const { iat, exp } = times(lifetimes.claimTokenSeconds)
      const { kid, seal } = ring.signing()
      const claims = { iss: issuer(), sub: registrationId, registration_type: type, iat, exp }
      const token = await sealToken(claims, { purpose: CLAIM_TYPE, kid, key: seal })
      return { token: CLAIM_PREFIX + token, expiresMs: exp * 1_000 }
    },
    verifyAccess: async (token, audience) =>
      (await verify(token, ACCESS_TYPE, audience)) as Verified<AccessToken>,
    verifyAssertion: async (token) =>
      (await verify(token, ASSERTION_TYPE, [issuer()])) as Verified<IdentityAssertion>,
    openClaim: async (token) => (await open(token)) as Verified<ClaimToken>,
  }
}

/** True for what looks like a claim token, whether or not it is one. */
export const isClaimToken = (token: string): boolean => token.startsWith(CLAIM_PREFIX)
