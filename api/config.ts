// Settings of the API.
import {
  custom,
  type Environment,
  integer,
  type Parsed,
  readConfig,
  text,
} from '../infra/base/runtime/config.ts'
import { parseDisplayUnit } from './display-unit.ts'

const baseUrl = (raw: string) => {
  const expected = 'an http:// or https:// URL without query or fragment'
  if (!URL.canParse(raw)) return { ok: false as const, expected }
  const { protocol, search, hash } = new URL(raw)
  const fits = (protocol === 'http:' || protocol === 'https:') && search === '' && hash === ''
  return fits
    ? { ok: true as const, value: raw.replace(/\/+$/, '') }
    : { ok: false as const, expected }
}

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

const origins = (raw: string) => {
  const value = raw.split(/[\s,]+/).filter((each) => each !== '')
  return value.every(isOrigin)
    ? { ok: true as const, value: value as readonly string[] }
    : {
        ok: false as const,
        expected: 'origins such as https://app.example.org, separated by commas',
      }
}

const contactUri = (raw: string): Parsed<string> =>
  /^(?:https:\/\/|mailto:|tel:)[!-~]+$/.test(raw) && URL.canParse(raw)
    ? { ok: true, value: raw }
    : { ok: false, expected: 'mailto:security@example.org, an https:// URL, or tel: with a number' }

/** `{txHash}` is required, `{height}` may be there too. */
const explorerTxUrl = (raw: string): Parsed<string> => {
  const filled = raw.replaceAll('{txHash}', 'AB').replaceAll('{height}', '1')
  const isUrl = /^https?:\/\/[!-~]+$/.test(filled) && URL.canParse(filled)
  return isUrl && raw.includes('{txHash}') && !/[{}]/.test(filled)
    ? { ok: true, value: raw }
    : {
        ok: false,
        expected:
          'an http:// or https:// URL with {txHash}, such as https://explorer.example.org/tx/{txHash}',
      }
}

const MAX_PROXIES = 32

/** For Fastify a number is the number of proxies in front of this service, and `true` trusts all proxies. */
const parseTrustProxy = (raw: string): Parsed<boolean | number> => {
  const word = raw.toLowerCase()
  if (['true', 'yes', 'on'].includes(word)) return { ok: true, value: true }
  if (['false', 'no', 'off', '0'].includes(word)) return { ok: true, value: false }
  const proxies = /^[1-9][0-9]?$/.test(raw) ? Number(raw) : Number.NaN
  return proxies <= MAX_PROXIES
    ? { ok: true, value: proxies }
    : { ok: false, expected: `a number of proxies from 1 to ${MAX_PROXIES}, true or false` }
}

export const apiSettings = {
  host: text('HOST', { default: '127.0.0.1', description: 'Listening address of the API' }),
  port: integer('PORT', {
    default: 8080,
    min: 0,
    max: 65_535,
    description: 'Port of the API; 0 for any free port',
  }),
  baseUrl: custom('BASE_URL', baseUrl, {
    optional: true,
    refusesEmpty: true,
    description: 'Public URL of the API and prefix of all links; without it links start with /',
  }),
  trustProxy: custom('TRUST_PROXY', parseTrustProxy, {
    default: false,
    description:
      'Number of proxies that append to X-Forwarded-For, such as 1; true only behind a proxy that overwrites it',
  }),
  rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', {
    default: 1_200,
    min: 1,
    max: 1_000_000_000,
    description: 'Requests per minute and IP address',
  }),
  rateLimitWithTokenPerMinute: integer('RATE_LIMIT_WITH_TOKEN_PER_MINUTE', {
    default: 6_000,
    min: 1,
    max: 1_000_000_000,
    description: 'Requests per minute and IP address with a valid token',
  }),
  pageCacheBytes: integer('PAGE_CACHE_BYTES', {
    default: 64 * 1024 * 1024,
    min: 64 * 1024,
    max: 64 * 1024 ** 3,
    description: 'Memory for all caches of the API',
  }),
  securityContact: custom('SECURITY_CONTACT', contactUri, {
    optional: true,
    description: 'Contact in /.well-known/security.txt: a URL, or mailto: with an address',
  }),
  mcpAllowedOrigins: custom('MCP_ALLOWED_ORIGINS', origins, {
    default: [],
    description: 'Origins of web pages that may use the MCP server, besides its own origin',
  }),
  pollMs: integer('SERVED_STATE_POLL_MS', {
    default: 75,
    min: 10,
    max: 1_000,
    description: 'Interval at which the API reads the checkpoint',
  }),
  maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', {
    default: 256,
    min: 8,
    max: 10_000,
    description: 'Open connections per IP address; not applied behind a proxy',
  }),
  maxListeners: integer('STREAM_LISTENERS', {
    default: 5_000,
    min: 1,
    max: 1_000_000,
    description: 'Open streams of /api/stream',
  }),
  maxListenersPerAddress: integer('STREAM_LISTENERS_PER_ADDRESS', {
    default: 50,
    min: 1,
    max: 1_000_000,
    description: 'Open streams per IP address',
  }),
  displayUnit: custom('DISPLAY_UNIT', parseDisplayUnit, {
    optional: true,
    description: 'Unit of amounts in the web UI, such as ATOM=uatom/6',
  }),
  explorerTxUrl: custom('EXPLORER_TX_URL', explorerTxUrl, {
    optional: true,
    description:
      'URL of a transaction in an explorer, with {txHash} and perhaps {height}; pages link to it',
  }),
  maxReads: integer('API_MAX_READS', {
    default: 64,
    min: 1,
    max: 10_000,
    description: 'Concurrent reads of the store; further requests get 503',
  }),
  maxReadsPerAddress: integer('API_MAX_READS_PER_ADDRESS', {
    default: 4,
    min: 1,
    max: 10_000,
    description: 'Concurrent reads of the store per IP address; further requests wait',
  }),
} as const

export const readApiConfig = (env: Environment) => readConfig(apiSettings, env)
export type ApiConfig = ReturnType<typeof readApiConfig>
