// What an operator may set about the API. Reads the environment it is given, never the process'.
import {
  custom,
  type Environment,
  flag,
  integer,
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
  trustProxy: flag('TRUST_PROXY', {
    default: false,
    description: 'Believe X-Forwarded-For: only behind a proxy that sets it',
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
    description: 'Memory for answers, and as much again for the rows they are made of',
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
} as const

export const readApiConfig = (env: Environment) => readConfig(apiSettings, env)
export type ApiConfig = ReturnType<typeof readApiConfig>
