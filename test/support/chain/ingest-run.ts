// Indexes a chain in memory into a log in memory up to the tip, and returns the records.
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { createMetrics, type Metrics } from '../../../infra/base/runtime/metrics.ts'
import { type IngestConfig, readIngestConfig } from '../../../ingest/config.ts'
import { decodeEvent } from '../../../ingest/contract/codec.ts'
import type {
  EventOf,
  GovernanceEvent,
  GovernanceEventType,
} from '../../../ingest/contract/events.ts'
import { type RunningIngest, startIngest } from '../../../ingest/main.ts'
import { silentLogger } from '../process/log-lines.ts'
import type { MemoryChain } from './memory-chain.ts'

/** `changes` are values that are no settings. */
export const ingestConfig = (
  env: Record<string, string> = {},
  changes: Partial<IngestConfig> = {},
): IngestConfig => ({
  ...readIngestConfig({
    CHAIN_RPC_URLS: 'http://127.0.0.1:1',
    START_HEIGHT: 'earliest',
    HISTORY: 'off',
    ...env,
  }),
  ...changes,
})

export type IngestRunOptions = {
  env?: Record<string, string>
  config?: Partial<IngestConfig>
  logger?: Logger
  metrics?: Metrics
  /** Each height is the last one when it is read: of a chain in memory. */
  isAtTip?: boolean
}

export type StartIngest = (log: EventLog, options?: IngestRunOptions) => Promise<RunningIngest>

/** Shortens each pause to a hundredth. */
export const hurried: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
}

const start = (
  log: EventLog,
  { env, config, ...options }: IngestRunOptions,
  endpoint: Pick<Parameters<typeof startIngest>[0], 'node' | 'source'> = {},
): Promise<RunningIngest> =>
  startIngest({
    log,
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
    ...options,
    ...endpoint,
    clock: hurried,
    config: ingestConfig(env, config),
  })

/** In memory. */
export const startOn = (
  chain: MemoryChain,
  log: EventLog,
  { isAtTip = false, ...options }: IngestRunOptions = {},
): Promise<RunningIngest> => start(log, options, { node: chain, source: chain.source(isAtTip) })

/** With endpoints over HTTP. */
export const startOver =
  (urls: readonly string[]): StartIngest =>
  (log, { env, ...options } = {}) =>
    start(log, { ...options, env: { CHAIN_RPC_URLS: urls.join(','), ...env } })

/** Every record of the log. */
export const readRecordTexts = async (log: EventLog): Promise<string[]> => {
  const records = await log.read(0n, { maxRecords: 1_000_000, maxBytes: 2 ** 40 })
  return records.map(({ value }) => Buffer.from(value).toString())
}

export const readEvents = async (log: EventLog): Promise<GovernanceEvent[]> => {
  const records = await log.read(0n, { maxRecords: 1_000_000, maxBytes: 2 ** 40 })
  return records.map(({ value }) => {
    const decoded = decodeEvent(value)
    if (!decoded.ok) throw new Error(decoded.reason)
    return decoded.event
  })
}

export const ofType = <Type extends GovernanceEventType>(
  events: readonly GovernanceEvent[],
  type: Type,
): EventOf<Type>[] => events.filter((event): event is EventOf<Type> => event.type === type)

/**
 * Readings of open votes depend on the tip, and begin anew after a restart. So do markers: they count them, and a height with one has
 * a marker of its own.
 */
export const withoutLiveReadings = (events: readonly GovernanceEvent[]): GovernanceEvent[] =>
  events.filter(
    ({ type, data }) =>
      type !== 'rollcall.block.indexed.v1' && (type !== 'rollcall.round.read.v1' || data.final),
  )

/** Runs until the log has the chain's tip; throws the fatal error of ingest. */
export const ingestToTip = async (
  chain: MemoryChain,
  log: EventLog,
  options: IngestRunOptions = {},
): Promise<GovernanceEvent[]> => {
  const config = { liveMarkerSeconds: 0.1, ...options.config }
  const ingest = await startOn(chain, log, { ...options, config })
  let fault: unknown
  ingest.done.catch((error: unknown) => {
    fault = error
  })
  while (fault === undefined && ((await log.last())?.height ?? 0) < chain.tip) {
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await ingest.close()
  if (fault !== undefined) throw fault
  return await readEvents(log)
}
