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
        expected: 'signing keys as a JSON list, in the form of "rollcall keys list --public"',
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

/** Clients know these lifetimes from documents and responses, so they are the same in every deployment. */
const FIXED = {
  /** A leaked token is of use for at most this long. */
  accessTokenSeconds: 900,
  /** A claimed agent asks its human again after this time. */
  identityAssertionSeconds: 3_600,
  /** A human has a day for the claim of a new agent. */
  claimTokenSeconds: 86_400,
  /** A human reads a text and signs it. */
  claimAttemptSeconds: 600,
  /** Clocks of servers differ by seconds. */
  clockSkewSeconds: 60,
  /** The human behind an ID-JAG logged in within the last hour. */
  maxAuthAgeSeconds: 3_600,
}

/** All addresses together may register as often as so many of them, so a flood from a few never takes all. */
const ADDRESSES_OF_TOTAL = 10

const authSettings = Type.Object({
  ...agentSettings.properties,
  ...registrationSettings.properties,
})

export const readAuthConfig = (env: Environment) => {
  const config = readConfig(authSettings, env)
  const totalRegistrationsPerMinute = config.registrationsPerMinute * ADDRESSES_OF_TOTAL
  return { ...config, ...FIXED, totalRegistrationsPerMinute }
}
export type AuthConfig = ReturnType<typeof readAuthConfig>

/** The longest accepted lifetime: its id must be stored for as long. */
export const MAX_ID_JAG_LIFE_SECONDS = 3_600

/** The longest lifetime of anything issued: the log is read that far back, and a key is accepted for that long. */
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
