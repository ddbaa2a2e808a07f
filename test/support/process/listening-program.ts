// Runs an installed program that serves on a loopback port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from './rollcall-process.ts'

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** An installed program that serves on a loopback port until it is stopped. */
export const startListening = async (
  command: string,
  args: readonly string[],
  url: string,
): Promise<{ stop(): Promise<void> }> => {
  const child = spawn(command, args, { stdio: 'ignore' })
  try {
    await until(`${command} answers`, 30_000, async () => {
      const { ok } = await fetch(url, { signal: AbortSignal.timeout(1_000) })
      return ok || undefined
    })
  } catch (error) {
    await end(child)
    throw error
  }
  return { stop: () => end(child) }
}
