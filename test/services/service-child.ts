// One process of `npm run services`: a command of `rollcall` that is started, watched until it is ready, and ended.
import { fileURLToPath } from 'node:url'
import { type ChildExit, startChild } from '../../infra/app/start/children.ts'
import type { Environment } from '../../infra/base/runtime/config.ts'
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

export type ServiceChild = {
  pid: number
  /** Never rejects. */
  exited: Promise<ChildExit>
  stop(): Promise<void>
}

type StartOptions = { onReady: () => void; onLine: (line: string) => void }

export const startServiceChild = (
  { args, env, secrets = {}, isReady }: ServiceCommand,
  { onReady, onLine }: StartOptions,
): ServiceChild => {
  const { pid, started, exited, stop } = startChild({
    command: [CLI, ...args],
    env,
    settings: Promise.resolve(secrets),
    hasStarted: isReady,
    onLine,
  })
  // Services end with their standard input, but the other commands do not.
  const watchdog = pid === undefined ? undefined : createWatchdog(pid)
  void exited.then(() => watchdog?.kill('SIGKILL'))
  started.then(onReady, () => {})
  return { pid: pid ?? 0, exited, stop: () => stop(STOP_MS) }
}
