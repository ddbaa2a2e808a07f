// Settings of ingest, each with its unit in the name. Does not read the environment.
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { Type } from 'typebox'
import { parseTrustedHeader } from '../infra/base/proof/trusted-header.ts'
import {
  configInvalid,
  type Environment,
  isHttpUrl,
  readConfig,
} from '../infra/base/runtime/config.ts'
import { parseStrictJson } from '../infra/base/runtime/strict-json.ts'
import type { StartSetting } from './begin/start-height.ts'
import type { Headers } from './comet/transport/http-post.ts'

const isEndpoint = (raw: string): boolean => isHttpUrl(raw) && new URL(raw).hostname !== ''

const endpoints = {
  expected:
    'one or more URLs of the RPC of a node (http://…:26657, https://…), separated by commas',
  minItems: 1,
}

const parseStart = (raw: string): StartSetting | undefined => {
  if (raw === 'earliest' || raw === 'tip') return raw
  const height = Number(raw)
  return /^\d+$/.test(raw) && Number.isSafeInteger(height) && height > 0 ? height : undefined
}

/** What is indexed of which chain. */
export const chainSettings = Type.Object({
  rpcUrls: Type.Array(Type.Refine(Type.String(), isEndpoint), {
    ...endpoints,
    env: 'CHAIN_RPC_URLS',
    refusesEmpty: true,
    description:
      'RPC endpoints (CometBFT) of the chain, for example https://rpc.example.org:443; without this variable "rollcall start" serves the recorded demo chain',
  }),
  chainId: Type.Optional(
    Type.String({
      env: 'CHAIN_ID',
      refusesEmpty: true,
      description: 'Expected chain ID; by default the first endpoint sets it',
    }),
  ),
  startHeight: Type.Decode(
    Type.String({
      env: 'START_HEIGHT',
      default: 'tip',
      expected: 'earliest, tip or a height of at least 1',
      description:
        'First height of an empty log: earliest, tip or a height. At the tip, open votes have exact live tallies at once',
    }),
    parseStart,
  ),
  history: Type.Enum(['closes', 'votes', 'off'], {
    env: 'HISTORY',
    default: 'closes',
    description:
      'Votes that ended before the first height, read behind the tip: closes recomputes their tallies, votes also finds ' +
      'when each vote was cast (needs the index of transactions), off reads none',
  }),
  tallyStrategy: Type.Enum(['auto', 'inherit', 'no_inheritance', 'none'], {
    env: 'TALLY_STRATEGY',
    default: 'auto',
    description:
      'How the chain tallies votes; auto: by the rule that the chain shows at each height. ' +
      'none: its rules are unknown and no tally is recomputed',
  }),
  verifyHeaders: Type.Boolean({
    env: 'VERIFY_HEADERS',
    default: false,
    refusesEmpty: true,
    description: 'Accept only blocks that more than two thirds of the validators signed (Ed25519)',
  }),
  trustedHeader: Type.Optional(
    Type.Decode(
      Type.String({
        env: 'TRUSTED_HEADER',
        expected: 'HEIGHT:HASH, with the header hash as 64 hex digits',
        description:
          'With VERIFY_HEADERS: HEIGHT:HASH of a header that you trust, not after the first height of the log; by default the first block is trusted',
      }),
      (raw) => parseTrustedHeader(raw) ?? undefined,
    ),
  ),
})

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
const parseHeaders = (raw: string): ReadonlyMap<string, Headers> | undefined => {
  const json = parseStrictJson(raw)
  const entries = Object.entries((json.ok && json.value) || {})
  const fits = entries.every(([url, headers]) => URL.canParse(url) && isHeaders(headers))
  return fits && entries.length > 0 ? new Map(entries) : undefined
}

/** How its endpoints are asked. */
export const endpointSettings = Type.Object({
  rpcHeaders: Type.Optional(
    Type.Decode(
      Type.String({
        env: 'CHAIN_RPC_HEADERS',
        secret: true,
        expected: 'JSON such as {"https://rpc.example.org": {"x-api-key": "…"}}',
        description:
          'Headers for endpoints, such as keys: JSON with an object of headers for each URL of CHAIN_RPC_URLS',
      }),
      parseHeaders,
    ),
  ),
  archiveUrls: Type.Optional(
    Type.Array(Type.Refine(Type.String(), isEndpoint), {
      ...endpoints,
      env: 'ARCHIVE_RPC_URLS',
      description:
        'RPC endpoints with old states, for votes that ended before the first height; the others are asked after them',
    }),
  ),
  rpcTimeoutSeconds: Type.Integer({
    env: 'RPC_TIMEOUT_SECONDS',
    default: 10,
    minimum: 1,
    maximum: 300,
    description: 'How long one call to one endpoint waits for the next byte',
  }),
  requestsPerSecond: Type.Optional(
    Type.Integer({
      env: 'RPC_REQUESTS_PER_SECOND',
      minimum: 1,
      maximum: 100_000,
      description:
        'Limit of requests to each endpoint; by default what the endpoint grants is found',
    }),
  ),
})

/** No deployment needs other values: the pace of the endpoints decides, and these numbers bound memory and waiting. */
const FIXED = {
  /** An outage is reported after this time, in which every endpoint was tried several times. */
  rpcRetryBudgetSeconds: 30,
  /** Between polls for a height that the websocket does not report, once it is due. */
  tipPollSeconds: 1,
  /** Prefetched heights: four requests, enough to hide the latency of an endpoint. */
  prefetchBlocks: 80,
  /** Memory of prefetched heights, and of heights whose state is being read. */
  prefetchMebibytes: 128,
  /** State reads at a time. The pace of each endpoint is the stricter limit. */
  maxConcurrentQueries: 32,
  /** The time for the inputs of one tally; without it, one tally could stop the log. */
  tallyReadBudgetSeconds: 120,
  /** A live height without events gets its marker after this time: the API counts it as part of its delay. */
  liveMarkerSeconds: 1,
  /** Heights per append during backfill. Larger appends are hardly faster, and a crash repeats one. */
  maxBatchHeights: 1_000,
  /** Events per append during backfill; a height is never split. */
  maxBatchMebibytes: 4,
}

const ingestSettings = Type.Object({
  ...chainSettings.properties,
  ...endpointSettings.properties,
})

export const readIngestConfig = (env: Environment) => {
  const config = { ...readConfig(ingestSettings, env), ...FIXED }
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
  const { rpcHeaders } = readConfig(Type.Pick(endpointSettings, ['rpcHeaders']), env)
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
