// Runs a command of the machine to its end and returns its output.
import { spawn } from 'node:child_process'

export type CommandRun = { code: number | null; stdout: string; stderr: string }

export type CommandOptions = { deadlineMs?: number; env?: NodeJS.ProcessEnv; cwd?: string }

/** Resolves with any exit code; rejects if the command cannot start or exceeds the deadline. */
export const runToEnd = (
  command: string,
  args: readonly string[],
  { deadlineMs = 120_000, env = process.env, cwd = process.cwd() }: CommandOptions = {},
): Promise<CommandRun> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text
      })
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`${command} did not end within ${deadlineMs / 1000} s\n${output.stderr}`))
    }, deadlineMs)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, ...output })
    })
  })

/** Throws with the output of a command that fails. */
export const runWell = async (
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandRun> => {
  const run = await runToEnd(command, args, options)
  if (run.code === 0) return run
  throw new Error(
    `${command} ${args.join(' ')} ended with ${run.code}:\n${run.stdout}${run.stderr}`,
  )
}
