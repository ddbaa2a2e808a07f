// Checks the machine: its Node version, and the engine of the embedded ClickHouse. Read-only.
import {
  explainMissingEngine,
  findEngineLibrary,
  readPlatform,
} from '../../base/clickhouse/engine-package.ts'
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

/** For a machine with the embedded ClickHouse. */
export const checkEngine = (
  findLibrary = () => findEngineLibrary(process),
  read = readPlatform,
): Finding => {
  const { ok, problem } = createAreaFindings('engine')
  return findLibrary() === undefined
    ? problem(
        explainMissingEngine(read()),
        'install the optional packages where there is one, or set CLICKHOUSE_URL',
      )
    : ok('the embedded ClickHouse is installed')
}
