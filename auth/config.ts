// Settings of agents and tokens, read from the environment in the argument.
import {
  custom,
  type Environment,
  flag,
  integer,
  type Parsed,
  readConfig,
} from '../infra/base/runtime/config.ts'

/** `jwksUrl` is the URL of its keys, if its metadata does not decide. */
export type TrustedIssuer = { issuer: string; jwksUrl?: string }
export type WalletAlgorithm = 'secp256k1' | 'eth-secp256k1'
export type WalletChain = { chainId: string; prefix: string; algorithm: WalletAlgorithm }

const parts = (raw: string): string[] => raw.split(/[\s,]+/).filter((part) => part !== '')

const trustedIssuers = (raw: string): Parsed<readonly TrustedIssuer[]> => {
  const value = parts(raw).map((part) => {
    const [issuer = '', jwksUrl] = part.split('|')
    return { issuer, ...(jwksUrl === undefined ? {} : { jwksUrl }) }
  })
  const fits = value.every(({ issuer, jwksUrl = issuer }) =>
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

/** `readKeysText` checks the keys themselves. */
const keyList = (raw: string): Parsed<string> => {
  const expected = 'signing keys as a JSON list, in the form of "rollcall keys list --public"'
  try {
    const keys: unknown = JSON.parse(raw)
    const fits = Array.isArray(keys) && keys.length > 0
    return fits ? { ok: true, value: raw } : { ok: false, expected }
  } catch {
    return { ok: false, expected }
  }
}

const seconds = (name: string, description: string, [def, min, max]: [number, number, number]) =>
  integer(name, { default: def, min, max, description })

export const authSettings = {
  accessTokenSeconds: seconds(
    'ACCESS_TOKEN_SECONDS',
    'Lifetime of an access token',
    [900, 30, 3_600],
  ),
  identityAssertionSeconds: seconds(
    'IDENTITY_ASSERTION_SECONDS',
    'Lifetime of an identity assertion',
    [3_600, 60, 86_400],
  ),
  claimTokenSeconds: seconds(
    'CLAIM_TOKEN_SECONDS',
    'Time after its registration in which an agent can be claimed',
    [86_400, 60, 604_800],
  ),
  claimAttemptSeconds: seconds(
    'CLAIM_ATTEMPT_SECONDS',
    'Time in which a human must complete a claim',
    [600, 30, 3_600],
  ),
  clockSkewSeconds: seconds(
    'CLOCK_SKEW_SECONDS',
    'Accepted clock skew of an identity provider',
    [60, 0, 300],
  ),
  maxAuthAgeSeconds: seconds(
    'ID_JAG_MAX_AUTH_AGE_SECONDS',
    'Maximum age of the login behind an ID-JAG',
    [3_600, 60, 86_400],
  ),
  registrationsPerMinute: integer('REGISTRATIONS_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 1_000_000_000,
    description:
      'Registrations per minute from one address; claims and revocations have the same limit',
  }),
  totalRegistrationsPerMinute: integer('TOTAL_REGISTRATIONS_PER_MINUTE', {
    optional: true,
    min: 1,
    max: 1_000_000_000,
    description:
      'The same limit for all addresses together; by default ten times REGISTRATIONS_PER_MINUTE',
  }),
  trustedIssuers: custom('TRUSTED_ISSUERS', trustedIssuers, {
    default: [],
    description:
      'Identity providers whose ID-JAGs are accepted; add |URL of the keys if their metadata does not name it',
  }),
  allowLoopbackIssuers: flag('ALLOW_LOOPBACK_ISSUERS', {
    default: false,
    description: 'Allow an identity provider on this machine without TLS; for tests',
  }),
  walletChains: custom('WALLET_CHAINS', walletChains, {
    default: [],
    description: 'Chains whose wallets may claim an agent: cosmoshub-4:cosmos:secp256k1',
  }),
  signingKeys: custom('AUTH_KEYS', keyList, {
    optional: true,
    secret: true,
    description: 'Signing keys as a JSON list, instead of the files in DATA_DIR/keys',
  }),
  jwksUrl: custom('JWKS_URL', httpUrl, {
    optional: true,
    refusesEmpty: true,
    description:
      'URL of the public keys of auth for a separate api, instead of DATA_DIR/keys: http://auth:8080/.well-known/jwks.json',
  }),
} as const

export const readAuthConfig = (env: Environment) => readConfig(authSettings, env)
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
