// Runs third-party checkers, installed from the lockfile in test/tools, on a sufficiently new Node.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandOptions, type CommandRun, runToEnd } from '../process/command.ts'

const TOOLS = fileURLToPath(new URL('../../tools/', import.meta.url))
const OLDEST_NODE = [22, 19] as const
const INSTALL_DEADLINE_MS = 300_000

/** Installs the packages of the lockfile in a folder, unless they are installed already. */
export const installLocked = async (folder: string): Promise<void> => {
  const lock = await readFile(join(folder, 'package-lock.json'))
  const stamp = join(folder, 'node_modules', '.installed')
  const expected = createHash('sha256').update(lock).digest('hex')
  const installed = await readFile(stamp, 'utf8').catch(() => '')
  if (installed === expected) return
  const options = { deadlineMs: INSTALL_DEADLINE_MS, cwd: folder }
  const { code, stderr } = await runToEnd('npm', ['ci', '--ignore-scripts'], options)
  if (code !== 0) throw new Error(`cannot install the packages of ${folder}:\n${stderr}`)
  await writeFile(stamp, expected)
}

export const installCheckers = (): Promise<void> => installLocked(TOOLS)

const isNewEnough = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

/** A Node of the lockfile for this platform: the version of `.node-version`, or the oldest supported one. */
export const installedNode = (which: 'current' | 'oldest'): string => {
  const name = `node-${process.platform}-${process.arch}`
  const path = `${TOOLS}node_modules/${which === 'oldest' ? `oldest-${name}` : name}/bin/node`
  if (existsSync(path)) return path
  throw new Error(`the lockfile of test/tools has no ${which} ${name}`)
}

const nodeForCheckers = (): string => (isNewEnough() ? process.execPath : installedNode('current'))

/**
 * `name` is the name of an executable in test/tools, such as `conformance`.
 * @public
 */
export const runChecker = (
  name: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandRun> =>
  runToEnd(nodeForCheckers(), [`${TOOLS}node_modules/.bin/${name}`, ...args], {
    cwd: TOOLS,
    ...options,
  })
