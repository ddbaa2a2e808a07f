// Settings of ingest, each with its unit in the name. Does not read the environment.
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { parseTrustedHeader, type TrustedHeader } from '../infra/base/proof/trusted-header.ts'
import {
  configInvalid,
  custom,
  type Environment,
  flag,
  integer,
  oneOf,
  type Parsed,
  readConfig,
  text,
  urlList,
} from '../infra/base/runtime/config.ts'
import { parseStrictJson } from '../infra/base/runtime/strict-json.ts'
import type { StartSetting } from './begin/start-height.ts'
import type { Headers } from './comet/http-post.ts'
import { explainText } from './rpc-address/explain-address.ts'

const parseStart = (raw: string): Parsed<StartSetting> => {
  if (raw === 'earliest' || raw === 'tip') return { ok: true, value: raw }
  const height = Number(raw)
  return /^\d+$/.test(raw) && Number.isSafeInteger(height) && height > 0
    ? { ok: true, value: height }
    : { ok: false, expected: 'earliest, tip or a height of at least 1' }
}

const parseTrusted = (raw: string): Parsed<TrustedHeader> => {
  const value = parseTrustedHeader(raw)
  return value
    ? { ok: true, value }
    : { ok: false, expected: 'HEIGHT:HASH, with the header hash as 64 hex digits' }
}

const isHeader = ([name, value]: [string, unknown]): boolean => {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
    return typeof value === 'string'
  } catch {
    return false
  }
}
const isHeaders = (value: unknown): value is Headers =>
  typeof value === 'object' && value !== null && Object.entries(value).every(isHeader)

/** By URL. */
const parseHeaders = (raw: string): Parsed<ReadonlyMap<string, Headers>> => {
  const json = parseStrictJson(raw)
  const entries = Object.entries((json.ok && json.value) || {})
  const fits = entries.every(([url, headers]) => URL.canParse(url) && isHeaders(headers))
  return fits && entries.length > 0
    ? { ok: true, value: new Map(entries) }
    : { ok: false, expected: 'JSON such as {"https://rpc.example.org": {"x-api-key": "…"}}' }
}

const explainUrl = (url: string): string | undefined => {
  const wrong = explainText(url)
  return wrong && `${url}: ${wrong.what}; ${wrong.remedy}`
}

export const ingestSettings = {
  rpcUrls: urlList('CHAIN_RPC_URLS', {
    schemes: ['http', 'https'],
    explain: explainUrl,
    refusesEmpty: true,
    description:
      'RPC endpoints (CometBFT) of the chain, for example https://rpc.example.org:443; without this variable "rollcall start" serves the recorded demo chain',
  }),
  rpcHeaders: custom('CHAIN_RPC_HEADERS', parseHeaders, {
    optional: true,
    secret: true,
    description:
      'Headers for endpoints, such as keys: JSON with an object of headers for each URL of CHAIN_RPC_URLS',
  }),
  archiveUrls: urlList('ARCHIVE_RPC_URLS', {
    schemes: ['http', 'https'],
    explain: explainUrl,
    optional: true,
    description:
      'RPC endpoints with old states, for votes that ended before the first height; the others are asked after them',
  }),
  history: oneOf('HISTORY', ['closes', 'votes', 'off'], {
    default: 'closes',
    description:
      'Votes that ended before the first height, read behind the tip: closes recomputes their tallies, votes also finds ' +
      'when each vote was cast (needs the index of transactions), off reads none',
  }),
  chainId: text('CHAIN_ID', {
    optional: true,
    refusesEmpty: true,
    description: 'Expected chain ID; by default the first endpoint sets it',
  }),
  verifyHeaders: flag('VERIFY_HEADERS', {
    default: false,
    refusesEmpty: true,
    description: 'Accept only blocks that more than two thirds of the validators signed (Ed25519)',
  }),
  trustedHeader: custom('TRUSTED_HEADER', parseTrusted, {
    optional: true,
    description:
      'With VERIFY_HEADERS: HEIGHT:HASH of a header that you trust, not after the first height of the log; by default the first block is trusted',
  }),
  startHeight: custom('START_HEIGHT', parseStart, {
    default: 'tip',
    description:
      'First height of an empty log: earliest, tip or a height. At the tip, open votes have exact live tallies at once',
  }),
  rpcTimeoutSeconds: integer('RPC_TIMEOUT_SECONDS', {
    default: 10,
    min: 1,
    max: 300,
    description: 'How long one call to one endpoint waits for the next byte',
  }),
  rpcRetryBudgetSeconds: integer('RPC_RETRY_BUDGET_SECONDS', {
    default: 30,
    min: 1,
    max: 3_600,
    description: 'How long one call is retried over all endpoints before the outage is reported',
  }),
  requestsPerSecond: integer('RPC_REQUESTS_PER_SECOND', {
    optional: true,
    min: 1,
    max: 100_000,
    description: 'Limit of requests to each endpoint; by default what the endpoint grants is found',
  }),
  prefetchBlocks: integer('PREFETCH_BLOCKS', {
    default: 32,
    min: 1,
    max: 1_024,
    description: 'Limit of prefetched heights',
  }),
  prefetchMebibytes: integer('PREFETCH_MEBIBYTES', {
    default: 128,
    min: 1,
    max: 8_192,
    description: 'Memory limit of prefetched heights, and of heights whose state is being read',
  }),
  statusPollSeconds: integer('STATUS_POLL_SECONDS', {
    default: 1,
    min: 1,
    max: 60,
    description:
      'Interval of status polls: the longest wait for a height that the websocket does not report',
  }),
  maxConcurrentQueries: integer('STATE_READS_CONCURRENT', {
    default: 32,
    min: 1,
    max: 256,
    description: 'Limit of concurrent state reads',
  }),
  tallyReadBudgetSeconds: integer('TALLY_READ_BUDGET_SECONDS', {
    default: 120,
    min: 1,
    max: 3_600,
    description: 'Time limit for reading the inputs of one tally',
  }),
  tallyStrategy: oneOf('TALLY_STRATEGY', ['auto', 'inherit', 'no_inheritance', 'none'], {
    default: 'auto',
    description:
      'How the chain tallies votes; none: its rules are unknown and no tally is recomputed. ' +
      'auto: inherit (x/gov), or none if the x/gov of the chain is a fork',
  }),
  liveMarkerSeconds: integer('LIVE_MARKER_SECONDS', {
    default: 1,
    min: 1,
    max: 5,
    description: 'Longest time until a live height without events gets its marker',
  }),
  maxBatchHeights: integer('BACKFILL_BATCH_HEIGHTS', {
    default: 1_000,
    min: 1,
    max: 100_000,
    description: 'Limit of heights per append during backfill',
  }),
  maxBatchMebibytes: integer('BACKFILL_BATCH_MEBIBYTES', {
    default: 4,
    min: 1,
    max: 256,
    description: 'Limit of events per append during backfill; a height is never split',
  }),
} as const

export const readIngestConfig = (env: Environment) => {
  const config = readConfig(ingestSettings, env)
  if (config.trustedHeader && !config.verifyHeaders) {
    throw configInvalid(['TRUSTED_HEADER needs VERIFY_HEADERS=true'])
  }
  for (const url of config.rpcHeaders?.keys() ?? []) {
    if (![...config.rpcUrls, ...(config.archiveUrls ?? [])].includes(url)) {
      // Without its path, which may be a key.
      const { origin } = new URL(url)
      throw configInvalid([
        `CHAIN_RPC_HEADERS: a URL of ${origin} is not one of CHAIN_RPC_URLS or ARCHIVE_RPC_URLS`,
      ])
    }
  }
  return config
}
export type IngestConfig = ReturnType<typeof readIngestConfig>

export const outageAfter = (config: Pick<IngestConfig, 'rpcRetryBudgetSeconds'>): number =>
  config.rpcRetryBudgetSeconds * 1000

/** The configured headers of one endpoint; valid also if other settings are missing. */
export const readEndpointHeaders = (env: Environment, address: string): Headers | undefined => {
  const { rpcHeaders } = readConfig({ rpcHeaders: ingestSettings.rpcHeaders }, env)
  if (!URL.canParse(address)) return undefined
  const { href } = new URL(address)
  return [...(rpcHeaders ?? [])].find(([url]) => new URL(url).href === href)?.[1]
}

/** How the endpoints are asked. */
export const endpointOptions = (config: IngestConfig) => ({
  urls: config.rpcUrls,
  headers: config.rpcHeaders,
  settings: {
    timeoutMs: config.rpcTimeoutSeconds * 1000,
    retryBudgetMs: outageAfter(config),
    outageAfterMs: outageAfter(config),
    maxPerSecond: config.requestsPerSecond,
  },
})
