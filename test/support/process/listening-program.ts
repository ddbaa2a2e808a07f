// Runs an installed program that serves on a loopback port.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from './rollcall-process.ts'
import { createWatchdog } from './watchdog.ts'

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** An installed program that serves on a loopback port until it is stopped, or until this process ends. */
export const startListening = async (
  command: string,
  args: readonly string[],
  url: string,
  options: SpawnOptions = { stdio: 'ignore' },
): Promise<{ stop(): Promise<void> }> => {
  const child = spawn(command, args, options)
  const watchdog = child.pid === undefined ? undefined : createWatchdog(child.pid)
  const stop = async () => {
    await end(child)
    watchdog?.kill('SIGKILL')
  }
  try {
    await until(`${command} answers`, 60_000, async () => {
      const { ok } = await fetch(url, { signal: AbortSignal.timeout(1_000) })
      return ok || undefined
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
