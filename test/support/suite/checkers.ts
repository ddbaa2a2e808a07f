// Runs third-party checkers, installed from the lockfile in test/tools, on a sufficiently new Node.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type CommandOptions, type CommandRun, runToEnd } from '../process/command.ts'

const TOOLS = fileURLToPath(new URL('../../tools/', import.meta.url))
const STAMP = `${TOOLS}node_modules/.installed`
const OLDEST_NODE = [22, 19] as const
const INSTALL_DEADLINE_MS = 300_000

/** Does nothing if the packages of the lockfile are already installed. */
export const installCheckers = async (): Promise<void> => {
  const lock = await readFile(`${TOOLS}package-lock.json`)
  const expected = createHash('sha256').update(lock).digest('hex')
  const installed = await readFile(STAMP, 'utf8').catch(() => '')
  if (installed === expected) return
  const options = { deadlineMs: INSTALL_DEADLINE_MS, cwd: TOOLS }
  const { code, stderr } = await runToEnd('npm', ['ci', '--ignore-scripts'], options)
  if (code !== 0) throw new Error(`cannot install the checkers of test/tools:\n${stderr}`)
  await writeFile(STAMP, expected)
}

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
