// Settings of ingest, each with its unit in the name. Reads no environment itself.
import {
  custom,
  type Environment,
  flag,
  integer,
  oneOf,
  type Parsed,
  readConfig,
  text,
  urlList,
} from '../infra/runtime/config.ts'
import type { StartSetting } from './start-height.ts'

const parseStart = (raw: string): Parsed<Exclude<StartSetting, undefined>> => {
  if (raw === 'earliest' || raw === 'tip') return { ok: true, value: raw }
  const height = Number(raw)
  return /^\d+$/.test(raw) && Number.isSafeInteger(height) && height > 0
    ? { ok: true, value: height }
    : { ok: false, expected: 'earliest, tip or a height of at least 1' }
}

export const ingestSettings = {
  rpcUrls: urlList('CHAIN_RPC_URLS', {
    schemes: ['http', 'https'],
    description: 'CometBFT RPC endpoints of the chain, e.g. https://rpc.example.org:443',
  }),
  chainId: text('CHAIN_ID', {
    optional: true,
    description: 'Refuse endpoints of any other chain; without it, the first one decides',
  }),
  verifyHeaders: flag('VERIFY_HEADERS', {
    default: false,
    description: 'Accept only blocks that more than two thirds of the validators signed (Ed25519)',
  }),
  startHeight: custom('START_HEIGHT', parseStart, {
    optional: true,
    description: 'Where an empty log begins; without it, where the oldest open proposal does',
  }),
  rpcTimeoutSeconds: integer('RPC_TIMEOUT_SECONDS', {
    default: 10,
    min: 1,
    max: 300,
    description: 'Deadline of one call to one endpoint',
  }),
  rpcRetryBudgetSeconds: integer('RPC_RETRY_BUDGET_SECONDS', {
    default: 30,
    min: 1,
    max: 3_600,
    description: 'How long one call is tried over all endpoints before the outage is logged',
  }),
  prefetchBlocks: integer('PREFETCH_BLOCKS', {
    default: 32,
    min: 1,
    max: 1_024,
    description: 'Heights fetched ahead of the one in turn',
  }),
  prefetchMebibytes: integer('PREFETCH_MEBIBYTES', {
    default: 128,
    min: 1,
    max: 8_192,
    description: 'Memory that heights fetched ahead may take',
  }),
  statusPollSeconds: integer('STATUS_POLL_SECONDS', {
    default: 1,
    min: 1,
    max: 60,
    description: 'Longest wait for a new height where the websocket is silent',
  }),
  maxConcurrentQueries: integer('STATE_READS_CONCURRENT', {
    default: 32,
    min: 1,
    max: 256,
    description: 'State reads under way at once',
  }),
  tallyReadBudgetSeconds: integer('TALLY_READ_BUDGET_SECONDS', {
    default: 120,
    min: 1,
    max: 3_600,
    description: 'Longest time spent on reading what one tally was computed from',
  }),
  tallyStrategy: oneOf('TALLY_STRATEGY', ['inherit', 'no_inheritance', 'none'], {
    default: 'inherit',
    description: 'How the chain adds votes up; none: by rules of its own, nothing is recomputed',
  }),
  liveMarkerSeconds: integer('LIVE_MARKER_SECONDS', {
    default: 1,
    min: 1,
    max: 5,
    description: 'Longest time that a quiet height waits for its marker when live',
  }),
  maxBatchHeights: integer('BACKFILL_BATCH_HEIGHTS', {
    default: 1_000,
    min: 1,
    max: 100_000,
    description: 'Heights in one append of the backfill',
  }),
  maxBatchMebibytes: integer('BACKFILL_BATCH_MEBIBYTES', {
    default: 4,
    min: 1,
    max: 256,
    description: 'Events in one append of the backfill; a height is never split',
  }),
} as const

export const readIngestConfig = (env: Environment) => readConfig(ingestSettings, env)
export type IngestConfig = ReturnType<typeof readIngestConfig>
