// Settings of the projections. Reads the given environment, never the one of the process.
import { type Environment, integer, readConfig } from '../infra/base/runtime/config.ts'

export const projectionsSettings = {
  batchEvents: integer('PROJECTION_BATCH_EVENTS', {
    default: 40_000,
    min: 1,
    max: 1_000_000,
    description: 'Limit of events per commit; a height is never split',
  }),
  batchBytes: integer('PROJECTION_BATCH_BYTES', {
    default: 32 * 1024 * 1024,
    min: 1,
    max: 1024 ** 3,
    description: 'Limit of event bytes per commit; a height is never split',
  }),
  heartbeatMs: integer('PROJECTION_HEARTBEAT_MS', {
    default: 1000,
    min: 10,
    max: 1000,
    description: 'Interval of checkpoints without new events',
  }),
  storeRetryMaxMs: integer('PROJECTION_STORE_RETRY_MAX_MS', {
    default: 2_000,
    min: 1,
    max: 60_000,
    description: 'Longest pause between retries while ClickHouse is unavailable',
  }),
  keptGenerations: integer('KEPT_GENERATIONS', {
    default: 1,
    min: 0,
    max: 100,
    description: 'Number of retired generations to keep for a switch back',
  }),
}

export type ProjectionsConfig = {
  batchEvents: number
  batchBytes: number
  heartbeatMs: number
  storeRetryMaxMs: number
  keptGenerations: number
}

export const readProjectionsConfig = (env: Environment): ProjectionsConfig =>
  readConfig(projectionsSettings, env)
