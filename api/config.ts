// What an operator may set about the API. Reads the environment it is given, never the process'.
import {
  custom,
  type Environment,
  integer,
  type Parsed,
  readConfig,
  text,
} from '../infra/runtime/config.ts'
import { readDisplayUnit } from './display-unit.ts'

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

const MAX_PROXIES = 32

/** Fastify takes a number as that of the proxies between a client and this service, and `true` as "all are trusted". */
const readTrustProxy = (raw: string): Parsed<boolean | number> => {
  const word = raw.toLowerCase()
  if (['true', 'yes', 'on'].includes(word)) return { ok: true, value: true }
  if (['false', 'no', 'off', '0'].includes(word)) return { ok: true, value: false }
  const proxies = /^[1-9][0-9]?$/.test(raw) ? Number(raw) : Number.NaN
  return proxies <= MAX_PROXIES
    ? { ok: true, value: proxies }
    : { ok: false, expected: `a number of proxies from 1 to ${MAX_PROXIES}, true or false` }
}

export const apiSettings = {
  host: text('HOST', { default: '127.0.0.1', description: 'Where the API listens' }),
  port: integer('PORT', {
    default: 8080,
    min: 0,
    max: 65_535,
    description: 'Port of the API; 0 for any free one',
  }),
  baseUrl: custom('BASE_URL', baseUrl, {
    optional: true,
    description: 'How users reach the API: links start with it; without it they start with /',
  }),
  trustProxy: custom('TRUST_PROXY', readTrustProxy, {
    default: false,
    description:
      'How many proxies in front append to X-Forwarded-For, such as 1; true only behind one that overwrites it',
  }),
  rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', {
    default: 1_200,
    min: 1,
    max: 1_000_000_000,
    description: 'Requests a minute that one address may make',
  }),
  rateLimitWithTokenPerMinute: integer('RATE_LIMIT_WITH_TOKEN_PER_MINUTE', {
    default: 6_000,
    min: 1,
    max: 1_000_000_000,
    description: 'Requests a minute with a token that holds, from one address whatever its tokens',
  }),
  pageCacheBytes: integer('PAGE_CACHE_BYTES', {
    default: 64 * 1024 * 1024,
    min: 64 * 1024,
    max: 64 * 1024 ** 3,
    description: 'Memory for everything the API caches',
  }),
  mcpAllowedOrigins: custom('MCP_ALLOWED_ORIGINS', origins, {
    default: [],
    description: 'Web pages that may use the MCP server besides its own',
  }),
  pollMs: integer('SERVED_STATE_POLL_MS', {
    default: 75,
    min: 10,
    max: 500,
    description: 'How often the API looks for a newer checkpoint',
  }),
  maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', {
    default: 256,
    min: 8,
    max: 10_000,
    description: 'Connections that one address may have open; not applied behind a proxy',
  }),
  maxListeners: integer('STREAM_LISTENERS', {
    default: 5_000,
    min: 1,
    max: 1_000_000,
    description: 'Clients that may listen to /api/stream at a time',
  }),
  maxListenersPerAddress: integer('STREAM_LISTENERS_PER_ADDRESS', {
    default: 50,
    min: 1,
    max: 1_000_000,
    description: 'Streams that one address may have open',
  }),
  displayUnit: custom('DISPLAY_UNIT', readDisplayUnit, {
    optional: true,
    description: 'In what pages for people show amounts, such as ATOM=uatom/6',
  }),
  maxReads: integer('API_MAX_READS', {
    default: 64,
    min: 1,
    max: 10_000,
    description: 'Reads of the store at a time; more are told to come back',
  }),
  maxReadsPerAddress: integer('API_MAX_READS_PER_ADDRESS', {
    default: 4,
    min: 1,
    max: 10_000,
    description: 'Reads of the store at a time for one address; its others wait',
  }),
} as const

export const readApiConfig = (env: Environment) => readConfig(apiSettings, env)
export type ApiConfig = ReturnType<typeof readApiConfig>
