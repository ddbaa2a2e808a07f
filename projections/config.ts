// What an operator may set about the projections. Reads the environment it is given, never the process'.
import { type Environment, integer, readConfig } from '../infra/runtime/config.ts'

export const projectionsSettings = {
  batchEvents: integer('PROJECTION_BATCH_EVENTS', {
    default: 40_000,
    min: 1,
    max: 1_000_000,
    description: 'events projected in one commit, at most (a height is never split)',
  }),
  batchBytes: integer('PROJECTION_BATCH_BYTES', {
    default: 32 * 1024 * 1024,
    min: 1,
    max: 1024 ** 3,
    description: 'bytes of events projected in one commit, at most (a height is never split)',
  }),
  heartbeatMs: integer('PROJECTION_HEARTBEAT_MS', {
    default: 500,
    min: 10,
    max: 1000,
    description: 'how often the checkpoint is written when nothing happens',
  }),
  storeRetryMaxMs: integer('PROJECTION_STORE_RETRY_MAX_MS', {
    default: 2_000,
    min: 1,
    max: 60_000,
    description: 'longest pause before an unavailable store is tried again',
  }),
  keptGenerations: integer('KEPT_GENERATIONS', {
    default: 1,
    min: 0,
    max: 100,
    description: 'how many retired generations of the tables are kept to go back to',
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
