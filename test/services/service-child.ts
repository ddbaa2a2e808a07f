// One process of `npm run services`: a command of `rollcall` that is started, watched until it is ready, and ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ChildExit } from '../../infra/app/start/children.ts'
import { EXIT_CODES } from '../../infra/base/runtime/exit-codes.ts'
import { createWatchdog } from '../support/process/watchdog.ts'

const CLI = fileURLToPath(new URL('../../dist/infra/app/cli.js', import.meta.url))
const POLL_MS = 100
/** A service ends within 8 s of a SIGTERM. */
const STOP_MS = 10_000
const LAST_LINES = 3

export type ServiceCommand = {
  /** The unique name of the process, such as `ingest-1`. */
  name: string
  args: readonly string[]
  /** The complete environment of the process. */
  env: Readonly<Record<string, string>>
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

const waitForExit = (child: ChildProcess, lastLines: readonly string[]): Promise<ChildExit> =>
  new Promise((resolve) => {
    child.once('error', ({ message }) =>
      resolve({ code: null, signal: null, failure: { code: 'UNEXPECTED', message } }),
    )
    child.once('close', (code, signal) => {
      // Wrong settings stay wrong: another start would not help.
      const failure =
        code === EXIT_CODES.config
          ? { code: 'CONFIG_INVALID', message: lastLines.join('\n') }
          : undefined
      resolve({ code, signal, failure })
    })
  })

const waitUntilReady = async (
  { isReady }: ServiceCommand,
  hasEnded: () => boolean,
): Promise<boolean> => {
  while (!hasEnded()) {
    if (await isReady()) return true
    await sleep(POLL_MS)
  }
  return false
}

export const startServiceChild = (
  command: ServiceCommand,
  { onReady, onLine }: StartOptions,
): ServiceChild => {
  const child = spawn(process.execPath, [CLI, ...command.args], {
    env: { ...command.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: only the parent receives Ctrl-C and ends its processes in order.
    detached: true,
  })
  const watchdog = child.pid === undefined ? undefined : createWatchdog(child.pid)
  const lastLines: string[] = []
  const takeLine = (line: string): void => {
    lastLines.push(line)
    lastLines.splice(0, lastLines.length - LAST_LINES)
    onLine(line)
  }
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', takeLine)
  }
  let hasEnded = false
  const exited = waitForExit(child, lastLines).finally(() => {
    hasEnded = true
    watchdog?.kill('SIGKILL')
  })
  void waitUntilReady(command, () => hasEnded).then((isReady) => {
    if (isReady) onReady()
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await exited
    clearTimeout(timer)
  }
  return { pid: child.pid ?? 0, exited, stop }
}
