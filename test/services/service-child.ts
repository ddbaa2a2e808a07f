// One process of `npm run services`: a command of `rollcall` that is started, watched until it is ready, and ended.
import { fileURLToPath } from 'node:url'
import { type Run, spawnService } from '../../infra/app/start/supervisor.ts'
import type { Environment } from '../../infra/base/runtime/config.ts'
import { until } from '../support/process/rollcall-process.ts'
import { createWatchdog } from '../support/process/watchdog.ts'

const CLI = fileURLToPath(new URL('../../dist/infra/app/cli.js', import.meta.url))
/** A service ends within 8 s of a SIGTERM. */
const STOP_MS = 10_000

export type ServiceCommand = {
  /** The unique name of the process, such as `ingest-1`. */
  name: string
  args: readonly string[]
  /** The environment of the process. */
  env: Environment
  /** Sent over its standard input. */
  secrets?: Environment
  isReady(): Promise<boolean>
  /** The address of its operator port, if any. */
  operatorsUrl?: string
}

/** A start with its own Kafka takes minutes on a busy machine. */
const START_MS = 10 * 60_000

export function startServiceChild(
  { args, env, secrets = {}, isReady }: ServiceCommand,
  onLine: (line: string) => void,
): Run & { pid: number } {
  const settings = Promise.resolve(secrets)
  const child = spawnService({ command: [CLI, ...args], env, settings, onLine, stopMs: STOP_MS })
  const { pid = 0, exited, stop } = child
  // Services end with their standard input, but the other commands do not.
  const watchdog = createWatchdog(pid)
  let hasEnded = false
  void exited.then(() => {
    hasEnded = true
    watchdog.kill('SIGKILL')
  })
  const started = until(`${args[0]} is ready`, START_MS, async () =>
    hasEnded || (await isReady()) ? true : undefined,
  ).then(() => (hasEnded ? new Promise<never>(() => {}) : true))
  return { pid, started, exited, stop }
}
