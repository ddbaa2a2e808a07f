// Settings of the API.
import { Type } from 'typebox'
import { type Environment, isHttpUrl, readConfig } from '../infra/base/runtime/config.ts'
import { parseDisplayUnit } from './words/display-unit.ts'

const parseBaseUrl = (raw: string): string | undefined => {
  if (!isHttpUrl(raw)) return undefined
  const { search, hash } = new URL(raw)
  return search === '' && hash === '' ? raw.replace(/\/+$/, '') : undefined
}

/** Where a service listens for users. */
export const listenSettings = Type.Object({
  host: Type.String({
    env: 'HOST',
    default: '127.0.0.1',
    description: 'Listening address of the API',
  }),
  port: Type.Integer({
    env: 'PORT',
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of the API; 0 for any free port',
  }),
  baseUrl: Type.Optional(
    Type.Decode(
      Type.String({
        env: 'BASE_URL',
        refusesEmpty: true,
        expected: 'an http:// or https:// URL without query or fragment',
        description: 'Public URL of the API and prefix of all links; without it links start with /',
      }),
      parseBaseUrl,
    ),
  ),
})

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

const isContactUri = (raw: string): boolean =>
  /^(?:https:\/\/|mailto:|tel:)[!-~]+$/.test(raw) && URL.canParse(raw)

const MAX_PROXIES = 32

/** For Fastify a number is the number of proxies in front of this service, and `true` trusts all proxies. */
const parseTrustProxy = (raw: string): boolean | number | undefined => {
  const word = raw.toLowerCase()
  if (['true', 'yes', 'on'].includes(word)) return true
  if (['false', 'no', 'off', '0'].includes(word)) return false
  const proxies = /^[1-9][0-9]?$/.test(raw) ? Number(raw) : Number.NaN
  return proxies <= MAX_PROXIES ? proxies : undefined
}

export const publicSettings = Type.Object({
  trustProxy: Type.Decode(
    Type.String({
      env: 'TRUST_PROXY',
      default: false,
      expected: `a number of proxies from 1 to ${MAX_PROXIES}, true or false`,
      description:
        'Number of proxies that append to X-Forwarded-For, such as 1; true only behind a proxy that overwrites it',
    }),
    parseTrustProxy,
  ),
  securityContact: Type.Optional(
    Type.Refine(
      Type.String({
        env: 'SECURITY_CONTACT',
        expected: 'mailto:security@example.org, an https:// URL, or tel: with a number',
        description: 'Contact in /.well-known/security.txt: a URL, or mailto: with an address',
      }),
      isContactUri,
    ),
  ),
  mcpAllowedOrigins: Type.Array(Type.Refine(Type.String(), isOrigin), {
    env: 'MCP_ALLOWED_ORIGINS',
    default: [],
    expected: 'origins such as https://app.example.org, separated by commas',
    description: 'Origins of web pages that may use the MCP server, besides its own origin',
  }),
})

/** `{txHash}` is required, `{height}` may be there too. */
const isExplorerUrl = (raw: string): boolean => {
  const filled = raw.replaceAll('{txHash}', 'AB').replaceAll('{height}', '1')
  const isUrl = /^https?:\/\/[!-~]+$/.test(filled) && URL.canParse(filled)
  return isUrl && raw.includes('{txHash}') && !/[{}]/.test(filled)
}

/** How the web UI shows a chain. */
export const displaySettings = Type.Object({
  displayUnit: Type.Optional(
    Type.Decode(
      Type.String({
        env: 'DISPLAY_UNIT',
        expected: 'a name, the base denom and the number of decimal places, such as ATOM=uatom/6',
        description: 'Unit of amounts in the web UI, such as ATOM=uatom/6',
      }),
      parseDisplayUnit,
    ),
  ),
  explorerTxUrl: Type.Optional(
    Type.Refine(
      Type.String({
        env: 'EXPLORER_TX_URL',
        expected:
          'an http:// or https:// URL with {txHash}, such as https://explorer.example.org/tx/{txHash}',
        description:
          'URL of a transaction in an explorer, with {txHash} and perhaps {height}; pages link to it',
      }),
      isExplorerUrl,
    ),
  ),
})

export const limitSettings = Type.Object({
  rateLimitPerMinute: Type.Integer({
    env: 'RATE_LIMIT_PER_MINUTE',
    default: 1_200,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Requests per minute and IP address, and 5 ms of work for each of them',
  }),
  rateLimitWithTokenPerMinute: Type.Integer({
    env: 'RATE_LIMIT_WITH_TOKEN_PER_MINUTE',
    default: 6_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Requests per minute and IP address with a valid token',
  }),
  maxConnectionsPerAddress: Type.Integer({
    env: 'MAX_CONNECTIONS_PER_ADDRESS',
    default: 256,
    minimum: 8,
    maximum: 10_000,
    description: 'Open connections per IP address; not applied behind a proxy',
  }),
  pageCacheBytes: Type.Integer({
    env: 'PAGE_CACHE_BYTES',
    default: 64 * 1024 * 1024,
    minimum: 64 * 1024,
    maximum: 64 * 1024 ** 3,
    description: 'Memory for all caches of the API',
  }),
  filesBytes: Type.Integer({
    env: 'FILES_BYTES',
    default: 1024 ** 3,
    minimum: 1024 * 1024,
    maximum: 1024 ** 5,
    description: 'Disk for the Parquet files of /data',
  }),
  filesDir: Type.Optional(
    Type.String({
      env: 'FILES_DIR',
      description: 'Directory of the Parquet files of /data; by default that of temporary files',
    }),
  ),
})

/** No deployment needs other values: more clients need more instances, and the shares of one client bound the rest. */
const FIXED = {
  /** Interval at which the checkpoint is read: it is part of how far the API is behind the tables. */
  pollMs: 75,
  /** Open streams of /api/stream. A client that polls needs none. */
  maxListeners: 5_000,
  /** Open streams of one client, which may be an office behind one address. */
  maxListenersPerAddress: 50,
  /** Reads of the store at a time; further requests get 503. ClickHouse must serve so many for each instance. */
  maxReads: 64,
  /** Reads of the store at a time of one client; its other reads wait. So one client never takes all. */
  maxReadsPerAddress: 4,
  /** Rows of closed proposals that fill a Parquet file of /data. */
  partRows: 1_000_000,
}

const apiSettings = Type.Object({
  ...listenSettings.properties,
  ...publicSettings.properties,
  ...displaySettings.properties,
  ...limitSettings.properties,
})

export const readApiConfig = (env: Environment) => ({ ...readConfig(apiSettings, env), ...FIXED })
export type ApiConfig = ReturnType<typeof readApiConfig>
