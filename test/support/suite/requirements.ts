// Checks the requirements of suites besides Node, and reports what the machine lacks.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** `kafka`: a configured Kafka or the tools to start one. */
export type Requirement = 'go' | 'cc' | 'java' | 'kafka' | 'prometheus' | 'python' | 'browser'

const OLDEST_GO_MINOR = 21
const OLDEST_JAVA = 17

const readCommandOutput = (command: string, args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: 30_000 })
  return status === 0 ? stdout.trim() : undefined
}

const checkGo = (): string | undefined => {
  const version = readCommandOutput('go', ['env', 'GOVERSION'])
  if (version === undefined) return 'no `go` on the PATH: a real chain node is built with it'
  const minor = Number(/^go1\.(\d+)/.exec(version)?.[1])
  return minor >= OLDEST_GO_MINOR ? undefined : `${version} is older than go1.${OLDEST_GO_MINOR}`
}

const checkCompiler = (): string | undefined =>
  readCommandOutput('cc', ['--version']) === undefined &&
  readCommandOutput('gcc', ['--version']) === undefined
    ? 'no C compiler on the PATH: the chain node links a C library'
    : undefined

const checkJava = (): string | undefined => {
  // `java -version` prints to standard error.
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8', timeout: 30_000 })
  if (status !== 0) return 'no `java` on the PATH: Kafka runs on it'
  const version = Number(/version "(\d+)/.exec(stderr)?.[1])
  if (!(version >= OLDEST_JAVA)) return `Java ${version} is older than ${OLDEST_JAVA}`
  return readCommandOutput('mvn', ['-version']) === undefined
    ? 'no `mvn` on the PATH: Kafka is fetched with it'
    : undefined
}

const checkKafka = (): string | undefined => {
  if (process.env['KAFKA_BROKERS']) return undefined
  const problem = checkJava()
  return problem && `KAFKA_BROKERS is not set, and ${problem}`
}

const PROMETHEUS = ['prometheus', 'promtool', 'prometheus-alertmanager', 'amtool']

const checkPrometheus = (): string | undefined => {
  const missing = PROMETHEUS.filter((name) => readCommandOutput(name, ['--version']) === undefined)
  return missing.length === 0 ? undefined : `not on the PATH: ${missing.join(', ')}`
}

const checkPython = (): string | undefined =>
  readCommandOutput('python3', ['-c', 'import venv, ensurepip']) === undefined
    ? 'no `python3` with venv on the PATH: a checker of HTTP APIs and the notebook for analysts are written in it'
    : undefined

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser of the machine: `CHROMIUM`, else the first known name on the PATH. */
export const browserPath = (): string | undefined => {
  const given = process.env['CHROMIUM']
  if (given) return given
  const folders = (process.env['PATH'] ?? '').split(':')
  return BROWSERS.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find(existsSync)
}

const checkBrowser = (): string | undefined =>
  browserPath() === undefined ? `none of ${BROWSERS.join(', ')} is on the PATH` : undefined

const CHECKS: Record<Requirement, () => string | undefined> = {
  go: checkGo,
  cc: checkCompiler,
  java: checkJava,
  kafka: checkKafka,
  prometheus: checkPrometheus,
  python: checkPython,
  browser: checkBrowser,
}

/** The missing requirement as text, or undefined. */
export const checkRequirement = (requirement: Requirement): string | undefined =>
  CHECKS[requirement]()
