// Runs one command with a deadline, shows its output or writes it to a file, and ends all its processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'

export type Step = {
  command: string
  args: readonly string[]
  cwd: string
  deadlineMs: number
  /** Added to the environment of this process. */
  env?: Readonly<Record<string, string>>
  /** Receives the output, which is shown otherwise. A file, because remaining processes would keep a pipe open. */
  outputFile?: string
  /** Receives what the command writes to `LIVE_FD`, while it runs. */
  onLive?(text: string): void
}
export type Ended = { ok: true } | { ok: false; reason: string }

/** No process that the command starts inherits it, if the command is Node, so it closes when the command ends. */
export const LIVE_FD = 3

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The command has its own process group, so that its workers end with it. */
const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // The group has ended already.
  }
}

const start = ({ command, args, cwd, env, outputFile, onLive }: Step): ChildProcess => {
  const output = outputFile === undefined ? 'inherit' : openSync(outputFile, 'a')
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output, onLive ? 'pipe' : 'ignore'],
    detached: true,
  })
  const live = child.stdio[LIVE_FD] as Socket | null | undefined
  live
    ?.setEncoding('utf8')
    .on('data', (text: string) => onLive?.(text))
    .unref()
  if (output !== 'inherit') closeSync(output)
  return child
}

export const runStep = (step: Step): Promise<Ended> =>
  new Promise((resolve) => {
    const { deadlineMs } = step
    const child = start(step)
    let late = false
    const timer = setTimeout(() => {
      late = true
      killGroup(child, 'SIGKILL')
    }, deadlineMs)
    const onSignal = (signal: NodeJS.Signals) => {
      killGroup(child, signal)
      process.exitCode = 130
      setTimeout(() => process.exit(130), 5_000)
    }
    for (const signal of FORWARDED) process.once(signal, onSignal)
    const end = (ended: Ended) => {
      clearTimeout(timer)
      for (const signal of FORWARDED) process.removeListener(signal, onSignal)
      killGroup(child, 'SIGKILL')
      resolve(ended)
    }
    child.once('error', (error) => end({ ok: false, reason: error.message }))
    child.once('exit', (code, signal) => {
      if (late) return end({ ok: false, reason: `did not end within ${deadlineMs / 1000} s` })
      end(code === 0 ? { ok: true } : { ok: false, reason: `ended with ${signal ?? code}` })
    })
  })
