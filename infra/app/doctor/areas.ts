// The areas that `rollcall doctor` checks, in the order of its output, and the run of all checks. Read-only.
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { describeNotServing, readRunFile } from '../data-dir/data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { openLog, readChainId, withStore } from '../open-data.ts'
import { readTogether } from '../read-together.ts'
import { readSettings } from '../settings.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { findUnusedVariables, unusedVariableText } from '../unused-variables.ts'
import { checkChain, checkLogEnd, type LogEnd } from './check-chain.ts'
import { checkDataDir } from './check-data-dir.ts'
import { checkEngine, checkNode } from './check-machine.ts'
import { checkApi, checkIssuers, checkReady } from './check-services.ts'
import { checkReadModel, checkStore } from './check-store.ts'
import {
  checkArea,
  createAreaFindings,
  type Finding,
  type Reporter,
  withoutSecrets,
} from './finding.ts'

export type Deployment = {
  env: Environment
  terminal: Terminal
  /** The base URL of the API; by default the local one. */
  url: string | undefined
  signal: AbortSignal
}

type Examined = Deployment & {
  /** What the check of the event log found; no end if the log is not readable or empty. */
  found: { logEnd?: LogEnd | undefined }
}

type Findings = readonly Finding[]

type Area = {
  area: string
  /** Starts after the check of this area. */
  after?: 'event log'
  check(deployment: Examined, report: Reporter): Findings | Promise<Findings>
}

/** Any part of a configured URL may contain a key. */
const settingText = (line: string): string =>
  withoutSecrets(
    line.replace(/^\s*- /, '').replace(/^(\w+_URLS?: )".*" is not/, '$1the given value is not'),
  )

const checkValues = (env: Environment, { ok, problem }: Reporter): Finding[] => {
  try {
    readTogether({
      services: () => readSettings(env),
      ...(usesKafka(env) ? { kafka: () => readKafkaConfig(env) } : {}),
    })
    return [ok('all settings are valid')]
  } catch (error) {
    if (!hasCode(error, 'CONFIG_INVALID')) throw error
    const [, ...lines] = error.message.split('\n')
    const remedy = 'correct it; "rollcall settings" lists every setting'
    return lines.map((line) => problem(settingText(line), remedy))
  }
}

const checkSettings: Area['check'] = ({ env }, report) => [
  ...checkValues(env, report),
  ...findUnusedVariables(env).map((unused) =>
    report.warning(unusedVariableText(unused), `rename or remove ${unused.variable}`),
  ),
]

const checkEmbeddedEngine: Area['check'] = ({ env }) =>
  readStoreAccess(env) ? [] : [checkEngine()]

const checkDataDirIfUsed: Area['check'] = ({ env }, { ok }) => {
  const isDistributed = usesKafka(env) && readStoreAccess(env) !== undefined
  return isDistributed
    ? [ok('not used: Kafka and a ClickHouse server are configured')]
    : checkDataDir(readDataDir(env))
}

const readLogEnd = async (deployment: Deployment) => {
  const { log, name, close } = await openLog(deployment)
  try {
    return await checkLogEnd(log, name)
  } finally {
    await close()
  }
}

const checkLog: Area['check'] = async (deployment, { notChecked }) => {
  try {
    const { finding, end } = await readLogEnd(deployment)
    deployment.found.logEnd = end
    return [finding]
  } catch (error) {
    if (!hasCode(error, 'NOT_IN_LOG')) throw error
    return [notChecked(error.message)]
  }
}

const checkKafka: Area['check'] = async ({ env, signal }, { ok }) => {
  if (!usesKafka(env)) return [ok('not used: the event log is embedded')]
  const { diagnoseKafka } = await import('./check-kafka.ts')
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const options = { config: readKafkaConfig(env), chainId: readChainId(env), logger }
  return await diagnoseKafka(options)(signal)
}

const checkTables: Area['check'] = async (deployment, { notChecked }) => {
  const { env, found } = deployment
  if (!readStoreAccess(env) && !readRunFile(readDataDir(env))) {
    const reason = describeNotServing(readDataDir(env))
    return [notChecked(`the embedded ClickHouse runs only while Rollcall runs: ${reason}`)]
  }
  return await withStore(env, async (store) => {
    const { findings, generation } = await checkStore(store, CONTROL_DATABASE)
    if (generation === undefined) return findings
    // A log that was not readable before has its own finding.
    const readEnd = async () => found.logEnd && (await readLogEnd(deployment)).end
    return [...findings, ...(await checkReadModel({ store, generation, readLogEnd: readEnd }))]
  })
}

const checkServices: Area['check'] = async (deployment, { notChecked }) => {
  const { env, signal, url } = deployment
  if (url !== undefined) return await checkApi(url, signal)
  const running = readRunFile(readDataDir(env))
  if (!running) {
    const reason = describeNotServing(readDataDir(env))
    return [notChecked(`${reason}. To check another one, use --url`)]
  }
  return [...(await checkApi(running.url, signal)), await checkReady(running.operatorsUrl, signal)]
}

const AREAS: readonly Area[] = [
  { area: 'settings', check: checkSettings },
  { area: 'node', check: () => [checkNode(process.versions.node)] },
  { area: 'engine', check: checkEmbeddedEngine },
  { area: 'data directory', check: checkDataDirIfUsed },
  { area: 'event log', check: checkLog },
  { area: 'kafka', check: checkKafka },
  {
    area: 'chain',
    after: 'event log',
    check: (deployment) => checkChain(deployment, deployment.found.logEnd),
  },
  { area: 'store', after: 'event log', check: checkTables },
  { area: 'api', check: checkServices },
  { area: 'issuers', check: ({ env }) => checkIssuers(env) },
]

/** Runs the checks at the same time, each with its own deadline. */
export async function examine(deployment: Deployment): Promise<Findings> {
  const found: Examined['found'] = {}
  const running = new Map<string, Promise<Findings>>()
  for (const { area, after, check } of AREAS) {
    const run = async () => {
      if (after) await running.get(after)
      return await checkArea(area, deployment.signal, async (signal) =>
        check({ ...deployment, found, signal }, createAreaFindings(area)),
      )
    }
    running.set(area, run())
  }
  return (await Promise.all(running.values())).flat()
}
