// One process of `npm run dev` that runs a command of Rollcall from the sources and can be restarted.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../infra/app/cli.ts', import.meta.url))
const POLL_MS = 10
/** Newer versions of Node run the sources as they are, and start in half of the time. */
const runsTypeScript = 'typescript' in process.features && process.features.typescript
const LOADER = runsTypeScript ? ['--no-warnings'] : ['--import', 'tsx']

type PartOptions<Ready> = {
  command: string
  readEnvironment(): NodeJS.ProcessEnv
  /** How it ends at once, or in order. */
  stopSignal: NodeJS.Signals
  /** Undefined until it serves. */
  check(): Promise<Ready | undefined>
}

export const createPart = <Ready>(options: PartOptions<Ready>) => {
  let child: ChildProcess | undefined
  let ready: Promise<Ready> = Promise.reject(new Error('not started'))
  ready.catch(() => {})

  const untilReady = async (started: ChildProcess): Promise<Ready> => {
    while (started.exitCode === null && started.signalCode === null) {
      const found = await options.check().catch(() => undefined)
      if (found !== undefined) return found
      await sleep(POLL_MS)
    }
    throw new Error(`rollcall ${options.command} does not run: its terminal says why`)
  }

  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child?.once('exit', resolve))
    child.kill(options.stopSignal)
    await ended
  }

  const start = (): Promise<Ready> => {
    child = spawn(process.execPath, [...LOADER, CLI, options.command], {
      env: options.readEnvironment(),
      stdio: ['ignore', 'inherit', 'inherit'],
      // Only this process gets Ctrl-C, and ends its parts in order.
      detached: true,
    })
    ready = untilReady(child)
    ready.catch(() => {})
    return ready
  }

  return {
    stop,
    /** Requests wait for it, from the change on. */
    restart: (): Promise<Ready> => {
      ready = stop().then(start)
      ready.catch(() => {})
      return ready
    },
    ready: (): Promise<Ready> => ready,
  }
}
