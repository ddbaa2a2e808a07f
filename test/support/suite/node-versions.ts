// Which Node the suites run on: the one that runs this, or the other one of the two that CI tests.
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

/** That of `.node-version`; installed where this one is of another major version. */
const currentNode = async (): Promise<string> => {
  if (parseMajor(process.versions.node) === currentMajor()) return process.execPath
  await installCheckers()
  return installedNode('current')
}

/** The oldest Node that is supported; on an older Node than that of `.node-version`, that one. */
export const otherNode = async (): Promise<TestNode> => {
  await installCheckers()
  const isOlder = parseMajor(process.versions.node) < currentMajor()
  const path = installedNode(isOlder ? 'current' : 'oldest')
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return { path, version: stdout.trim().replace('v', '') }
}

/** So that what a test starts by the name `node` is the same one. */
export const createEnvironment = ({ path }: TestNode): Record<string, string> => ({
  PATH: [dirname(path), process.env['PATH']].join(delimiter),
})

// For .ci/run: prints the folder of the Node of `.node-version`.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(dirname(await currentNode()))
}
