// The processes of a measurement: children that take orders, a machine of Rollcall, and an engine. Each ends with its scope.
import { join } from 'node:path'
import { startEmbeddedClickHouse } from '../../infra/base/clickhouse/embedded-server.ts'
import { createLogger } from '../../infra/base/runtime/logger.ts'
import { startChild } from '../support/process/child.ts'
import { type RollcallProcess, runRollcall } from '../support/process/rollcall-process.ts'
import type { Scope } from './scope.ts'

export type BenchChild = {
  /** Sends one order. Throws the error of the child's order. */
  ask<Answer>(order: string, parameters?: object): Promise<Answer>
}

const STOP_MS = 5_000

/** `name` is a file of `children/` without its extension. */
export const startBenchChild = (scope: Scope, name: string): BenchChild => {
  const child = startChild(new URL(`./children/${name}.ts`, import.meta.url), [], {
    // The supervisor starts its children with the same flags.
    execArgv: ['--max-semi-space-size=32'],
  })
  let lastId = 0
  scope.onEnd(async () => {
    child.process.stdin?.end()
    const timer = setTimeout(() => child.process.kill('SIGKILL'), STOP_MS)
    await child.exited
    clearTimeout(timer)
  })
  child.process.stdin?.on('error', () => {})
  return {
    ask: async <Answer>(order: string, parameters: object = {}) => {
      const id = ++lastId
      child.process.stdin?.write(`${JSON.stringify({ id, order, parameters })}\n`)
      const answer = await child.line((line) => line['id'] === id)
      if (answer['error'] !== undefined) throw new Error(`${name} ${order}: ${answer['error']}`)
      return answer['result'] as Answer
    },
  }
}

/** All processes of `rollcall start`, with an empty data directory. */
export const startMachine = (
  scope: Scope,
  env: Readonly<Record<string, string>>,
): RollcallProcess => {
  const folder = scope.directory('machine')
  const machine = runRollcall({ folder, env: { ...env, DATA_DIR: join(folder, 'data') } })
  scope.onEnd(async () => {
    machine.signal('SIGTERM')
    await machine.ended
  })
  return machine
}

/** The process of a ClickHouse in a temporary directory. It never uses CLICKHOUSE_URL. */
export const startClickHouse = async (scope: Scope) => {
  const engine = await startEmbeddedClickHouse({
    dataDir: join(scope.directory('clickhouse'), 'data'),
    password: crypto.randomUUID(),
    logger: createLogger({ service: 'bench', level: 'silent' }),
  })
  scope.onEnd(engine.close)
  return engine.pid
}
