// What the services of one deployment share: its chain and brokers, its store, and which process of a service leads.
import { Type } from 'typebox'
import { checkLogin } from '../../base/clickhouse/check-server.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import type { Readiness } from '../../base/http/operators.ts'
import type { Leadership } from '../../base/log/kafka-leadership.ts'
import { type KafkaConfig, readKafkaConfig } from '../../base/log/kafka-settings.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import { configInvalid, type Environment, readConfig } from '../../base/runtime/config.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import { createMetrics, type Metrics } from '../../base/runtime/metrics.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'
import { readTogether } from '../read-together.ts'
import type { Host } from './service-process.ts'

const chainSettings = Type.Object({
  chainId: Type.String({
    env: 'CHAIN_ID',
    description: 'Chain ID of this deployment, part of the topic name in Kafka',
  }),
})

export type Deployment = { settings: KafkaConfig; chainId: string }

export function readDeployment(env: Environment): Deployment {
  const { settings, chain } = readTogether({
    settings: () => readKafkaConfig(env),
    chain: () => readConfig(chainSettings, env),
  })
  return { settings, chainId: chain.chainId }
}

export function requireStore(access: StoreAccess | undefined): StoreAccess {
  if (access) return access
  throw configInvalid([
    'CLICKHOUSE_URL is not set: separate services need a shared ClickHouse server',
  ])
}

/** A failure ends the process, except that of a wait which its shutdown has ended. */
export function failLater(work: Promise<unknown>, lifecycle: Pick<Lifecycle, 'fail'>): void {
  work.catch((error: unknown) => {
    if (!hasCode(error, 'ABORTED')) lifecycle.fail(error)
  })
}

/**
 * Throws `CONFIG_INVALID` if the store rejects the credentials. An unavailable store is retried until it responds;
 * a later rejection goes to the lifecycle, also on standby.
 */
export async function requireLogin(
  store: Store,
  access: StoreAccess,
  lifecycle: Lifecycle,
): Promise<void> {
  const check = () => checkLogin(store, access)
  try {
    await check()
  } catch (error) {
    if (!hasCode(error, 'STORE_UNAVAILABLE')) throw error
    failLater(retry(check, { ...policies.dependency, signal: lifecycle.signal }), lifecycle)
  }
}

/** A part of a process that writes. */
export type Running = {
  metrics: Metrics
  /** Rejects if it cannot continue. */
  done: Promise<void>
  /** Whether it is ready, with reasons or notes for operators. */
  readiness(): Readiness
  close(): Promise<void>
}

export type Term = {
  signal: AbortSignal
  /** Closed after the term, also if it could not begin. */
  closeLater<Log extends { close(): Promise<void> }>(log: Log): Log
}

export type LedServiceOptions = Host & {
  name: string
  leadership: Leadership
  /** Runs while this process leads. */
  begin(term: Term): Promise<Running>
}

/** One process leads, the others are on standby. Returns at once; a permanent failure of a term goes to the lifecycle. */
export function runLedService(options: LedServiceOptions): () => Readiness {
  const { name, leadership, begin, lifecycle, metrics } = options
  const own = createMetrics(name)
  own.gauge({
    name: 'leading',
    help: '1 while this process leads, 0 on standby; exactly one process should lead',
    measure: () => (leadership.state() === 'leading' ? 1 : 0),
  })
  metrics.push(own)
  let term: Running | undefined

  const serve = async (signal: AbortSignal): Promise<void> => {
    const opened: { close(): Promise<void> }[] = []
    const closeLater: Term['closeLater'] = (log) => {
      opened.push(log)
      return log
    }
    try {
      term = await begin({ signal, closeLater })
      metrics.push(term.metrics)
      await Promise.race([term.done, untilAborted(signal)])
    } finally {
      await term?.close()
      for (const log of opened.reverse()) await log.close()
      if (term) metrics.splice(metrics.indexOf(term.metrics), 1)
      term = undefined
    }
  }
  const led = leadership.lead(serve, lifecycle.signal).catch((error: unknown) => {
    if (!(lifecycle.signal.aborted && hasCode(error, 'ABORTED'))) lifecycle.fail(error)
  })
  lifecycle.onShutdown(name, () => led)
  return () => {
    if (leadership.state() === 'standby') {
      return { ready: true, reasons: ['on standby: another process leads'] }
    }
    return term?.readiness() ?? { ready: false, reasons: ['its term is starting'] }
  }
}
