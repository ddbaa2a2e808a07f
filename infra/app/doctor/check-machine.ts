// Checks the machine: its Node version, and the engine of the embedded ClickHouse. Read-only.
import { createRequire } from 'node:module'
import { createAreaFindings, type Finding } from './finding.ts'

/** The same as `engines` in package.json. */
export const LEAST_NODE = '20.19'

const parseVersion = (version: string): number[] => version.split('.').map(Number)

const isAtLeast = (version: string, least: string): boolean => {
  const [major = 0, minor = 0] = parseVersion(version)
  const [leastMajor = 0, leastMinor = 0] = parseVersion(least)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

export const checkNode = (version: string): Finding => {
  const { ok, problem } = createAreaFindings('node')
  return isAtLeast(version, LEAST_NODE)
    ? ok(`Node ${version}`)
    : problem(`Node ${version} is too old`, `install Node ${LEAST_NODE} or newer`)
}

type Host = { platform: string; arch: string }

const toEnginePackage = ({ platform, arch }: Host): string =>
  `@chdb/lib-${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}`

const isInstalled = (name: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch (error) {
    // It exists, but has no description.
    return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
  }
}

/** For a machine with the embedded ClickHouse. */
export const checkEngine = (host: Host, installed = isInstalled): Finding => {
  const { ok, problem } = createAreaFindings('engine')
  const name = toEnginePackage(host)
  return installed(name)
    ? ok(`${name} is installed`)
    : problem(
        `${name} is not installed, so the embedded ClickHouse is unavailable`,
        'run "npm ci" with optional dependencies, or set CLICKHOUSE_URL',
      )
}

/** Without a sandbox, SQL can read every file of this user, so the engine then has no user for analysts. */
export const checkSandbox = (isAvailable: boolean): Finding => {
  const { ok, warning } = createAreaFindings('sandbox')
  return isAvailable
    ? ok('the embedded ClickHouse can read only its own files (Landlock)')
    : warning(
        'this system has no sandbox (Landlock) for the embedded ClickHouse: the user analyst is disabled',
        'use Linux 5.19 or newer with Landlock, or set CLICKHOUSE_URL to your own server',
      )
}
