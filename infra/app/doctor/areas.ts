// The areas that `rollcall doctor` checks, in the order of its output, and the run of all checks. Read-only.
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { type CommandContext, textOption } from '../commands/command.ts'
import { openLog, readChainId } from '../commands/log-access.ts'
import { withStore } from '../commands/store-access.ts'
import { describeNotServing, readRunFile } from '../data-dir/data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { checkApi, checkReady } from './check-api.ts'
import { checkChain } from './check-chain.ts'
import { checkDataDir } from './check-data-dir.ts'
import { checkIssuers } from './check-issuers.ts'
import { checkLogEnd, type LogEnd } from './check-log-end.ts'
import { checkEngine, checkNode } from './check-machine.ts'
import { checkReadModel } from './check-read-model.ts'
import { checkSettings } from './check-settings.ts'
import { checkStore } from './check-store.ts'
import { checkArea, createAreaFindings, type Finding, type Reporter } from './finding.ts'

type Deployment = CommandContext & {
  /** What the check of the event log found; no end if the log is not readable or empty. */
  found: { logEnd?: LogEnd | undefined }
}

type Findings = readonly Finding[]

type Area = {
  area: string
  /** Starts after the check of this area. */
  after?: 'event log'
  check(deployment: Deployment, report: Reporter): Findings | Promise<Findings>
}

const checkEmbeddedEngine: Area['check'] = ({ env }) =>
  readStoreAccess(env) ? [] : [checkEngine()]

const checkDataDirIfUsed: Area['check'] = ({ env }, { ok }) => {
  const isDistributed = usesKafka(env) && readStoreAccess(env) !== undefined
  return isDistributed
    ? [ok('not used: Kafka and a ClickHouse server are configured')]
    : checkDataDir(readDataDir(env))
}

const readLogEnd = async (context: CommandContext) => {
  const { log, name, close } = await openLog(context)
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
    const message = `the embedded ClickHouse runs only while Rollcall runs: ${reason}`
    return [notChecked(message)]
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
  const { env, signal } = deployment
  const url = textOption(deployment, 'url')
  if (url !== undefined) return await checkApi(url, signal)
  const running = readRunFile(readDataDir(env))
  if (!running) {
    const reason = describeNotServing(readDataDir(env))
    return [notChecked(`${reason}. To check another one, use --url`)]
  }
  return [...(await checkApi(running.url, signal)), await checkReady(running.operatorsUrl, signal)]
}

const AREAS: readonly Area[] = [
  { area: 'settings', check: ({ env }) => checkSettings(env) },
  { area: 'node', check: ({ process }) => [checkNode(process.versions.node)] },
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
export const examine = async (context: CommandContext): Promise<Findings> => {
  const found: Deployment['found'] = {}
  const running = new Map<string, Promise<Findings>>()
  for (const { area, after, check } of AREAS) {
    const run = async () => {
      if (after) await running.get(after)
      return await checkArea(area, context.signal, async (signal) =>
        check({ ...context, found, signal }, createAreaFindings(area)),
      )
    }
    running.set(area, run())
  }
  return (await Promise.all(running.values())).flat()
}
