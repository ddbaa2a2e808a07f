// Starts each service with its dependencies, in a separate process or with others on one machine.
// Only the process that runs a service loads its module.
import type { Api, ApiOptions } from '../../../api/main.ts'
import type { Auth, AuthOptions } from '../../../auth/main.ts'
import type { IngestOptions } from '../../../ingest/main.ts'
import type { ProjectionsOptions } from '../../../projections/main.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { createMetrics, type Metrics } from '../../base/runtime/metrics.ts'
import type { Readiness } from '../../base/runtime/operators-server.ts'

const MODULES = {
  ingest: () => import('../../../ingest/main.ts'),
  projections: () => import('../../../projections/main.ts'),
  auth: () => import('../../../auth/main.ts'),
  api: () => import('../../../api/main.ts'),
}

/** Loads the modules of services before their dependencies are known. A failure is that of the start. */
export const preloadServices = (names: readonly (keyof typeof MODULES)[]): void => {
  for (const name of names) MODULES[name]().catch(() => {})
}

/** The process of a service. */
export type Host = {
  lifecycle: Lifecycle
  logger: Logger
  /** Metrics of every service in it. */
  metrics: Metrics[]
}

/** A service that writes. */
export type Running = {
  metrics: Metrics
  /** Rejects if the service cannot continue. */
  done: Promise<void>
  /** Whether it is ready, with reasons or notes for operators. */
  readiness(): Readiness
  close(): Promise<void>
}

export const runIngest = async (options: Omit<IngestOptions, 'metrics'>): Promise<Running> => {
  const { startIngest } = await MODULES.ingest()
  const metrics = createMetrics('ingest')
  const { done, readiness, close } = await startIngest({ ...options, metrics })
  return { metrics, done, readiness, close }
}

export const runProjections = async (
  options: Omit<ProjectionsOptions, 'metrics'>,
): Promise<Running> => {
  const { startProjections } = await MODULES.projections()
  const metrics = createMetrics('projections')
  const { done, progress, close } = await startProjections({ ...options, metrics })
  const readiness = (): Readiness => {
    const isProjected = progress().height !== undefined
    return { ready: isProjected, reasons: isProjected ? [] : ['no height is projected yet'] }
  }
  return { metrics, done, readiness, close }
}

/** Runs for as long as its process; if it cannot continue, the process ends. */
export const attach = (name: string, { metrics, done, close }: Running, host: Host): void => {
  host.metrics.push(metrics)
  host.lifecycle.onShutdown(name, close)
  done.catch((error: unknown) => host.lifecycle.fail(error))
}

type OfHost = 'logger' | 'metrics'

export const runAuth = async (options: Omit<AuthOptions, OfHost>, host: Host): Promise<Auth> => {
  const { startAuth } = await MODULES.auth()
  const metrics = createMetrics('auth')
  host.metrics.push(metrics)
  const auth = await startAuth({ ...options, logger: host.logger, metrics })
  host.lifecycle.onShutdown('auth', () => auth.close())
  // A process that only checks tokens never needs them.
  if (options.makesKeys !== false) void auth.fetchIssuerKeys()
  return auth
}

export const runApi = async (options: Omit<ApiOptions, OfHost>, host: Host): Promise<Api> => {
  const { startApi } = await MODULES.api()
  const metrics = createMetrics('api')
  host.metrics.push(metrics)
  const api = await startApi({ ...options, logger: host.logger, metrics })
  host.lifecycle.onShutdown('api', () => api.close())
  return api
}
