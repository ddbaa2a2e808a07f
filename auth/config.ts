// Settings of agents and tokens. Reads the environment that it gets as an argument, never that of the process.
import {
  custom,
  type Environment,
  flag,
  integer,
  type Parsed,
  readConfig,
  text,
} from '../infra/runtime/config.ts'

/** `jwksUrl` is where its keys are. */
export type TrustedIssuer = { issuer: string; jwksUrl: string }
export type WalletAlgorithm = 'secp256k1' | 'eth-secp256k1'
export type WalletChain = { chainId: string; prefix: string; algorithm: WalletAlgorithm }

const parts = (raw: string): string[] => raw.split(/[\s,]+/).filter((part) => part !== '')

const trustedIssuers = (raw: string): Parsed<readonly TrustedIssuer[]> => {
  const value = parts(raw).map((part) => {
    const [issuer = '', jwksUrl = `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`] =
      part.split('|')
    return { issuer, jwksUrl }
  })
  const fits = value.every(({ issuer, jwksUrl }) =>
    [issuer, jwksUrl].every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)),
  )
  const expected =
    'issuers separated by commas, each https://idp.example or https://idp.example|https://idp.example/keys'
  return fits && value.length > 0 ? { ok: true, value } : { ok: false, expected }
}

const CHAIN = /^([\w.-]{1,64}):([a-z]{1,40}):(secp256k1|eth-secp256k1)$/

const walletChains = (raw: string): Parsed<readonly WalletChain[]> => {
  const matches = parts(raw).map((part) => CHAIN.exec(part))
  const value = matches.flatMap((match) =>
    match
      ? [{ chainId: match[1]!, prefix: match[2]!, algorithm: match[3] as WalletAlgorithm }]
      : [],
  )
  const expected =
    'chains separated by commas, each chain-id:address-prefix:secp256k1 or …:eth-secp256k1'
  return value.length === matches.length && value.length > 0
    ? { ok: true, value }
    : { ok: false, expected }
}

const httpUrl = (raw: string): Parsed<string> =>
  URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol)
    ? { ok: true, value: raw }
    : { ok: false, expected: 'an http:// or https:// URL' }

const seconds = (name: string, description: string, [def, min, max]: [number, number, number]) =>
  integer(name, { default: def, min, max, description })

export const authSettings = {
  accessTokenSeconds: seconds('ACCESS_TOKEN_SECONDS', 'Life of an access token', [900, 30, 3_600]),
  identityAssertionSeconds: seconds(
    'IDENTITY_ASSERTION_SECONDS',
    'Life of an identity assertion',
    [3_600, 60, 86_400],
  ),
  claimTokenSeconds: seconds(
    'CLAIM_TOKEN_SECONDS',
    'How long after its registration an agent may be claimed',
    [86_400, 60, 604_800],
  ),
  claimAttemptSeconds: seconds(
    'CLAIM_ATTEMPT_SECONDS',
    'How long a human has to complete a claim',
    [600, 30, 3_600],
  ),
  clockSkewSeconds: seconds(
    'CLOCK_SKEW_SECONDS',
    'How far the clock of an identity provider may be off',
    [60, 0, 300],
  ),
  maxAuthAgeSeconds: seconds(
    'ID_JAG_MAX_AUTH_AGE_SECONDS',
    'How long ago the human behind an ID-JAG may have logged in',
    [3_600, 60, 86_400],
  ),
  registrationsPerMinute: integer('REGISTRATIONS_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 1_000_000_000,
    description: 'Registrations a minute from one address; as many claims, revocations and so on',
  }),
  totalRegistrationsPerMinute: integer('TOTAL_REGISTRATIONS_PER_MINUTE', {
    optional: true,
    min: 1,
    max: 1_000_000_000,
    description:
      'The same from all addresses together; ten times REGISTRATIONS_PER_MINUTE where not set',
  }),
  trustedIssuers: custom('TRUSTED_ISSUERS', trustedIssuers, {
    default: [],
    description: 'Identity providers whose ID-JAGs are believed, with |URL where their keys are',
  }),
  allowLoopbackIssuers: flag('ALLOW_LOOPBACK_ISSUERS', {
    default: false,
    description: 'Let an identity provider be on this machine and without TLS: for tests',
  }),
  walletChains: custom('WALLET_CHAINS', walletChains, {
    default: [],
    description: 'Chains whose wallets may claim an agent: cosmoshub-4:cosmos:secp256k1',
  }),
  signingKeys: text('AUTH_KEYS', {
    optional: true,
    secret: true,
    description: 'The signing keys as a JSON list, instead of the files in DATA_DIR/keys',
  }),
  jwksUrl: custom('JWKS_URL', httpUrl, {
    optional: true,
    description:
      'Where an api of its own reads the public keys of auth, instead of DATA_DIR/keys: http://auth:8080/.well-known/jwks.json',
  }),
} as const

export const readAuthConfig = (env: Environment) => readConfig(authSettings, env)
export type AuthConfig = ReturnType<typeof readAuthConfig>

/** The longest accepted lifetime: for as long, its id must be remembered. */
export const MAX_ID_JAG_LIFE_SECONDS = 3_600

/** The longest life of anything that is issued: the log is read that far back, and a key is accepted for that long. */
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
