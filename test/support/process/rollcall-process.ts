// Runs the built product like a user in an empty folder, and lists every process that remains.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TEST_RECORDING } from '../chain/test-recording.ts'
import { readProc, readStat } from './machine-processes.ts'

const CLI = fileURLToPath(new URL('../../../dist/infra/app/cli.js', import.meta.url))
const MARK = 'ROLLCALL_TEST_RUN'

/** The demo chain that users see. */
export const USERS_DEMO = { DEMO_RECORDING: '' } as const

export type Ended = { code: number | null; signal: NodeJS.Signals | null; tookMs: number }

export type RollcallProcess = ReturnType<typeof runRollcall>

/** Polls until `read` returns a value; the failure contains the last error or the description. */
export const until = async <T>(
  what: string,
  timeoutMs: number,
  read: () => Promise<T | undefined> | T | undefined,
): Promise<T> => {
  const deadline = performance.now() + timeoutMs
  let last: unknown
  do {
    try {
      const value = await read()
      if (value !== undefined) return value
    } catch (error) {
      last = error
    }
    await sleep(50)
  } while (performance.now() < deadline)
  throw new Error(`not within ${timeoutMs} ms: ${what}`, { cause: last })
}

const listProcesses = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Every process of the machine with this mark in its environment. */
const processesWith = (mark: string): number[] =>
  listProcesses().filter((pid) => readProc(pid, 'environ').includes(`${MARK}=${mark}\0`))

const isRunning = (pid: number): boolean => !['', 'Z', 'X'].includes(readStat(pid)[0] ?? '')

/** All descendants of a process, also those with another environment. */
const findDescendants = (root: number): number[] => {
  const parents = listProcesses().map((pid) => [pid, Number(readStat(pid)[1])] as const)
  const below = (pid: number): number[] =>
    parents.filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
  return below(root)
}

export const urlIn = (output: string): string | undefined =>
  /https?:\/\/[\w.:[\]-]+/.exec(output)?.[0]

const collect = (child: ChildProcess) => {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  return texts
}

export type RunOptions = {
  folder: string
  /** Replaces `rollcall`: a program and its first arguments. */
  command?: readonly [string, ...string[]]
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** A test asks more than a client, and on a busy machine each answer costs more. */
const QUOTAS = { RATE_LIMIT_PER_MINUTE: '100000', RATE_LIMIT_WITH_TOKEN_PER_MINUTE: '500000' }

/** By default the demo chain is the recorded chain of the tests. */
export const runRollcall = ({
  folder,
  command: [program, ...firstArgs] = [process.execPath, CLI],
  args = ['start'],
  env = {},
}: RunOptions) => {
  if (!existsSync(CLI)) throw new Error('dist/ is not built: npm run build')
  const mark = randomUUID()
  const startedMs = performance.now()
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(program, [...firstArgs, ...args], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      PORT: '0',
      OPERATORS_PORT: '0',
      DEMO_RECORDING: TEST_RECORDING,
      [MARK]: mark,
      ...QUOTAS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { pid = -1 } = child
  const texts = collect(child)
  const known = new Set<number>()
  let isOver = false
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      isOver = true
      resolve({ code, signal, tookMs: performance.now() - startedMs })
    })
  })
  /** The current processes of this run, including itself. */
  const processes = (): number[] => {
    for (const each of [...processesWith(mark), ...findDescendants(pid)]) known.add(each)
    return [...known].filter(isRunning)
  }
  return {
    pid,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    /** The URL of the API, from the only output line that contains it. */
    untilServing: (timeoutMs = 90_000) =>
      until(`a line with the URL; ${CLI}`, timeoutMs, () => {
        if (isOver) throw new Error(`ended: ${texts.stdout}\n${texts.stderr}`)
        return urlIn(texts.stdout)
      }),
    ended,
    /** Signals only the process, or its whole group like Ctrl-C in a terminal. */
    signal: (signal: NodeJS.Signals, { group } = { group: false }) => {
      processes()
      process.kill(group ? -pid : pid, signal)
    },
    processes,
    untilNoneLeft: async (timeoutMs: number) => {
      await until(`no process left of ${[...known]}`, timeoutMs, () =>
        processes().length === 0 ? true : undefined,
      )
    },
  }
}

/** An empty folder; at the end all its processes are killed and it is removed. */
export const createRunFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-e2e-'))
  const runs: RollcallProcess[] = []
  return {
    folder,
    run: (options: Omit<RunOptions, 'folder'> = {}): RollcallProcess => {
      const run = runRollcall({ folder, ...options })
      runs.push(run)
      return run
    },
    clean: async () => {
      for (const pid of runs.flatMap((run) => run.processes())) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // The process has ended in the meantime.
        }
      }
      for (const run of runs) await run.untilNoneLeft(60_000)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const getJson = async <T>(url: string, path: string): Promise<T> => {
  const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(60_000) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Every item of a list of the API. */
export const readList = async <Item>(url: string, first: string): Promise<Item[]> => {
  type Page = { items: Item[]; links: { next: string | null } }
  const items: Item[] = []
  for (let path: string | null = first; path !== null; ) {
    const page: Page = await getJson<Page>(url, path)
    items.push(...page.items)
    path = page.links.next
  }
  return items
}

/** Throws an error response with its text. */
export const postJson = async <T>(url: string, body: object): Promise<T> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
