// Settings of agents and tokens, read from the environment in the argument.
import { Type } from 'typebox'
import { type Environment, isHttpUrl, readConfig, splitList } from '../infra/base/runtime/config.ts'

/** `jwksUrl` is the URL of its keys, if its metadata does not decide. */
export type TrustedIssuer = { issuer: string; jwksUrl?: string }
export type WalletAlgorithm = 'secp256k1' | 'eth-secp256k1'
export type WalletChain = { chainId: string; prefix: string; algorithm: WalletAlgorithm }

const parseIssuers = (raw: string): readonly TrustedIssuer[] | undefined => {
  const issuers = splitList(raw).map((part) => {
    const [issuer = '', jwksUrl] = part.split('|')
    return { issuer, ...(jwksUrl === undefined ? {} : { jwksUrl }) }
  })
  const fits = issuers.every(({ issuer, jwksUrl = issuer }) => [issuer, jwksUrl].every(isHttpUrl))
  return fits && issuers.length > 0 ? issuers : undefined
}

const CHAIN = /^([\w.-]{1,64}):([a-z]{1,40}):(secp256k1|eth-secp256k1)$/

const parseChains = (raw: string): readonly WalletChain[] | undefined => {
  const matches = splitList(raw).map((part) => CHAIN.exec(part))
  const chains = matches.flatMap((match) =>
    match
      ? [{ chainId: match[1]!, prefix: match[2]!, algorithm: match[3] as WalletAlgorithm }]
      : [],
  )
  return chains.length === matches.length && chains.length > 0 ? chains : undefined
}

/** `readKeysText` checks the keys themselves. */
const isKeyList = (raw: string): boolean => {
  try {
    const keys: unknown = JSON.parse(raw)
    return Array.isArray(keys) && keys.length > 0
  } catch {
    return false
  }
}

export const agentSettings = Type.Object({
  trustedIssuers: Type.Decode(
    Type.String({
      env: 'TRUSTED_ISSUERS',
      default: [],
      expected:
        'issuers separated by commas, each https://idp.example or https://idp.example|https://idp.example/keys',
      description:
        'Identity providers whose ID-JAGs are accepted; add |URL of the keys if their metadata does not name it',
    }),
    parseIssuers,
  ),
  allowLoopbackIssuers: Type.Boolean({
    env: 'ALLOW_LOOPBACK_ISSUERS',
    default: false,
    description: 'Allow an identity provider on this machine without TLS; for tests',
  }),
  walletChains: Type.Decode(
    Type.String({
      env: 'WALLET_CHAINS',
      default: [],
      expected:
        'chains separated by commas, each chain-id:address-prefix:secp256k1 or …:eth-secp256k1',
      description: 'Chains whose wallets may claim an agent: cosmoshub-4:cosmos:secp256k1',
    }),
    parseChains,
  ),
  signingKeys: Type.Optional(
    Type.Refine(
      Type.String({
        env: 'AUTH_KEYS',
        secret: true,
        expected: 'signing keys as a JSON list, each as in a file of DATA_DIR/keys',
        description: 'Signing keys as a JSON list, instead of the files in DATA_DIR/keys',
      }),
      isKeyList,
    ),
  ),
  jwksUrl: Type.Optional(
    Type.Refine(
      Type.String({
        env: 'JWKS_URL',
        refusesEmpty: true,
        expected: 'an http:// or https:// URL',
        description:
          'URL of the public keys of auth for a separate api, instead of DATA_DIR/keys: http://auth:8080/.well-known/jwks.json',
      }),
      isHttpUrl,
    ),
  ),
})

export const registrationSettings = Type.Object({
  registrationsPerMinute: Type.Integer({
    env: 'REGISTRATIONS_PER_MINUTE',
    default: 60,
    minimum: 1,
    maximum: 1_000_000_000,
    description:
      'Registrations per minute from one address; claims and revocations have the same limit',
  }),
})

const DAY_SECONDS = 86_400

/** A separate api has the same ones: it keeps each revocation for as long as the token could live. */
export const lifetimeSettings = Type.Object({
  accessTokenSeconds: Type.Integer({
    env: 'ACCESS_TOKEN_SECONDS',
    default: 900,
    minimum: 60,
    maximum: DAY_SECONDS,
    description: 'Lifetime of an access token; a leaked one is of use for at most this long',
  }),
  identityAssertionSeconds: Type.Integer({
    env: 'IDENTITY_ASSERTION_SECONDS',
    default: 3_600,
    minimum: 60,
    maximum: DAY_SECONDS,
    description:
      'Lifetime of an identity assertion; a claimed agent asks its human again after this time',
  }),
  claimTokenSeconds: Type.Integer({
    env: 'CLAIM_TOKEN_SECONDS',
    default: DAY_SECONDS,
    minimum: 60,
    // The tables of agents keep a claim for eight days.
    maximum: 7 * DAY_SECONDS,
    description: 'Lifetime of a claim token: how long a human can claim a new agent',
  }),
  refreshTokenSeconds: Type.Integer({
    env: 'REFRESH_TOKEN_SECONDS',
    default: 30 * DAY_SECONDS,
    minimum: 60,
    maximum: 90 * DAY_SECONDS,
    description: 'Time after which a person logs a program in again that did not read meanwhile',
  }),
  claimAttemptSeconds: Type.Integer({
    env: 'CLAIM_ATTEMPT_SECONDS',
    default: 600,
    minimum: 60,
    maximum: 3_600,
    description: 'Time in which a human signs the text of a claim',
  }),
})

/** No deployment needs to change them. */
const FIXED = {
  /** Clocks of servers differ by seconds. */
  clockSkewSeconds: 60,
  /** The human behind an ID-JAG logged in within the last hour. */
  maxAuthAgeSeconds: 3_600,
}

/** All addresses together may register as often as so many of them, so a flood from a few never takes all. */
const ADDRESSES_OF_TOTAL = 10
/** What one address can add to the log in a day, in minutes of its full rate: the log keeps it. */
const CLAIM_MINUTES_A_DAY = 20
const REVOCATION_MINUTES_A_DAY = 200

const authSettings = Type.Object({
  ...agentSettings.properties,
  ...lifetimeSettings.properties,
  ...registrationSettings.properties,
})

export const readAuthConfig = (env: Environment) => {
  const config = readConfig(authSettings, env)
  const { registrationsPerMinute } = config
  return {
    ...config,
    ...FIXED,
    totalRegistrationsPerMinute: registrationsPerMinute * ADDRESSES_OF_TOTAL,
    claimsPerDay: registrationsPerMinute * CLAIM_MINUTES_A_DAY,
    revocationsPerDay: registrationsPerMinute * REVOCATION_MINUTES_A_DAY,
  }
}
export type AuthConfig = ReturnType<typeof readAuthConfig>

/** The longest accepted lifetime: its id must be stored for as long. */
export const MAX_ID_JAG_LIFE_SECONDS = 3_600

/** The longest lifetime of anything issued to a registration: what the log says of it is kept for that long. */
export const longestLifeMs = (config: AuthConfig): number =>
  1_000 *
  (Math.max(
    config.accessTokenSeconds,
    config.identityAssertionSeconds,
    config.claimTokenSeconds + config.claimAttemptSeconds,
    // A token that the claim grant issues in its last second, and the token that it is exchanged for.
    config.claimTokenSeconds + config.identityAssertionSeconds + config.accessTokenSeconds,
    MAX_ID_JAG_LIFE_SECONDS + config.clockSkewSeconds,
  ) +
    config.clockSkewSeconds)

/** The longest lifetime of anything issued: the log is read that far back, and a key is accepted for that long. */
export function loginLifeMs(config: AuthConfig): number {
  const { refreshTokenSeconds, accessTokenSeconds, clockSkewSeconds } = config
  const lastMs = 1_000 * (refreshTokenSeconds + accessTokenSeconds + clockSkewSeconds)
  return Math.max(longestLifeMs(config), lastMs)
}
