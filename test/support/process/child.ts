// Runs a test file as a child process that writes NDJSON to standard output. tsx loads TypeScript.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Child = ReturnType<typeof startChild>
type Line = Record<string, unknown>

export type ChildOptions = {
  /** A shell command that runs first in the same process, such as `ulimit -f 100`. */
  before?: string
  /** A program with arguments that starts the shell and the child, such as `unshare -r`. */
  within?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** Options of Node. */
  execArgv?: readonly string[]
}

/** `script` is the URL of a file, `import.meta.resolve('./x.ts')`. */
export const startChild = (
  script: string | URL,
  parameters: readonly string[],
  options: ChildOptions = {},
) => {
  const file = fileURLToPath(script)
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : []
  const nodeOptions = [...(options.execArgv ?? []), ...loader]
  const command = [process.execPath, ...nodeOptions, file, ...parameters]
  const shell = ['sh', '-c', `${options.before ?? ':'}; exec "$@"`, 'sh', ...command]
  const [program = 'sh', ...rest] = [...(options.within ?? []), ...shell]
  const started = spawn(program, rest, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: options.env ?? process.env,
  })
  const lines: Line[] = []
  const listeners = new Set<() => void>()
  createInterface({ input: started.stdout }).on('line', (text) => {
    lines.push(text.startsWith('{') ? (JSON.parse(text) as Line) : { text })
    for (const listener of listeners) listener()
  })
  const exited = once(started, 'close').then(
    ([code, signal]): { code: number | null; signal: NodeJS.Signals | null } => ({ code, signal }),
  )
  return {
    process: started,
    lines,
    exited,
    /** The first line that satisfies `predicate`; rejects if the process ends before. */
    line: (predicate: (line: Line) => boolean) =>
      new Promise<Line>((resolve, reject) => {
        const check = () => {
          const found = lines.find(predicate)
          if (!found) return
          listeners.delete(check)
          resolve(found)
        }
        listeners.add(check)
        check()
        void exited.then((end) =>
          reject(new Error(`ended first: ${JSON.stringify({ ...end, lines: lines.slice(-5) })}`)),
        )
      }),
    kill: async (signal: NodeJS.Signals = 'SIGKILL') => {
      started.kill(signal)
      await exited
    },
  }
}
