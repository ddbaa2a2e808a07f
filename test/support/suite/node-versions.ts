// Finds the Node versions of the suites: the current one and the other one that CI tests.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installCheckers, installedNode } from './checkers.ts'

export type TestNode = { path: string; version: string }

const parseMajor = (version: string): number => Number(version.split('.')[0])

export const thisNode = (): TestNode => ({
  path: process.execPath,
  version: process.versions.node,
})

const currentMajor = (): number => parseMajor(readFileSync('.node-version', 'utf8'))

/** The Node of `.node-version`; it is installed if the current major version differs. */
const currentNode = async (): Promise<string> => {
  if (parseMajor(process.versions.node) === currentMajor()) return process.execPath
  await installCheckers()
  return installedNode('current')
}

/** The oldest supported Node; if the current one is older than `.node-version`, the current one. */
export const otherNode = async (): Promise<TestNode> => {
  await installCheckers()
  const isOlder = parseMajor(process.versions.node) < currentMajor()
  const path = installedNode(isOlder ? 'current' : 'oldest')
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return { path, version: stdout.trim().replace('v', '') }
}

/** A test that starts `node` gets the same version. */
export const createEnvironment = ({ path }: TestNode): Record<string, string> => ({
  PATH: [dirname(path), process.env['PATH']].join(delimiter),
})

// For .ci/run: prints the folder of the Node of `.node-version`.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(dirname(await currentNode()))
}
