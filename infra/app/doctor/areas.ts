// The areas that `rollcall doctor` checks, in the order of its output, and the run of all checks. Read-only.
import { readIngestConfig } from '../../../ingest/config.ts'
import { DEMO_NOTE, isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import { readChainId as chainIdOf } from '../../../ingest/contract/envelope.ts'
import { decodeMarker } from '../../../ingest/heights/governance.ts'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import { readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { describeNotServing, readRunFile } from '../data-dir/data-dir.ts'
import { type IndexedBlock, toIndexedBlock } from '../indexed-block.ts'
import { isDemo, readDataDir, readMachineConfig } from '../machine-settings.ts'
import { openLog, readChainId, withStore } from '../open-data.ts'
import { readTogether } from '../read-together.ts'
import { readSettings } from '../settings.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { findUnusedVariables, unusedVariableText } from '../unused-variables.ts'
import { checkDataDir, checkEngine, checkNode } from './check-machine.ts'
import { checkApi, checkIssuers, checkReady } from './check-services.ts'
import { checkReadModel, checkStore } from './check-store.ts'
import {
  checkArea,
  type Finding,
  inArea,
  notChecked,
  ok,
  problem,
  warning,
  withoutSecrets,
} from './finding.ts'

export type Deployment = {
  env: Environment
  terminal: Terminal
  /** The base URL of the API; by default the local one. */
  url: string | undefined
  signal: AbortSignal
}

export type LogEnd = IndexedBlock & { offset: bigint }

type Examined = Deployment & {
  /** What the check of the event log found; no end if the log is not readable or empty. */
  found: { logEnd?: LogEnd | undefined }
}

type Findings = readonly Finding[]

type Area = {
  area: string
  /** Starts after the check of this area. */
  after?: 'event log'
  check(deployment: Examined): Findings | Promise<Findings>
}

/** Any part of a configured URL may contain a key. */
const settingText = (line: string): string =>
  withoutSecrets(
    line.replace(/^\s*- /, '').replace(/^(\w+_URLS?: )".*" is not/, '$1the given value is not'),
  )

const checkValues = (env: Environment): Finding[] => {
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

const checkSettings: Area['check'] = ({ env }) => [
  ...checkValues(env),
  ...findUnusedVariables(env).map((unused) =>
    warning(unusedVariableText(unused), `rename or remove ${unused.variable}`),
  ),
]

/** From here ingest continues. Throws `LOG_DAMAGED` if the log does not end with a marker. */
export async function checkLogEnd(
  log: EventLog,
  name: string,
): Promise<{ finding: Finding; end: LogEnd | undefined }> {
  const last = await log.last()
  if (!last) {
    const finding = warning(`${name} is empty`, 'start ingest, or import an exported log')
    return { finding, end: undefined }
  }
  const marker = decodeMarker(last)
  const { height, time, data } = marker
  const behind = `${data.tip - height} behind the tip at that time`
  return {
    finding: ok(`${name} ends at height ${height} of ${chainIdOf(marker)} (${time}), ${behind}`),
    end: { ...toIndexedBlock(marker), offset: last.offset + 1n },
  }
}

const readLogEnd = async (deployment: Deployment) => {
  const { log, name, close } = await openLog(deployment)
  try {
    return await checkLogEnd(log, name)
  } finally {
    await close()
  }
}

const checkLog: Area['check'] = async (deployment) => {
  try {
    const { finding, end } = await readLogEnd(deployment)
    deployment.found.logEnd = end
    return [finding]
  } catch (error) {
    if (!hasCode(error, 'NOT_IN_LOG')) throw error
    return [notChecked(error.message)]
  }
}

const FOLLOW_REAL = 'to follow a real chain, set CHAIN_RPC_URLS and an empty DATA_DIR'

const checkDemo = async (env: Environment, indexed: LogEnd | undefined): Promise<Finding[]> => {
  const note = warning(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`, FOLLOW_REAL)
  if (!indexed) return [note]
  const { findRecordingMismatch, openRecording } = await import('../demo/recording.ts')
  const { demoRecording } = readMachineConfig(env)
  const mismatch = findRecordingMismatch(openRecording(demoRecording), indexed)
  return mismatch ? [note, problem(mismatch.message, mismatch.remedy)] : [note]
}

export type EndpointsOptions = {
  urls: readonly string[]
  headers?: ReadonlyMap<string, Readonly<Record<string, string>>> | undefined
  chainId: string | undefined
  indexed: IndexedBlock | undefined
  signal: AbortSignal
}

const BEHIND_HEIGHTS = 10

/** The same diagnosis as that of `--endpoint`, of each endpoint. */
export async function checkEndpoints(options: EndpointsOptions): Promise<Finding[]> {
  const { urls, headers, chainId, indexed, signal } = options
  const { diagnoseEndpoint } = await import('./endpoint.ts')
  const expected = { chainId, indexed }
  const checks = await Promise.all(
    urls.map((address) =>
      diagnoseEndpoint({ address, headers: headers?.get(address), expected, signal }),
    ),
  )
  const best = Math.max(...checks.map(({ tip }) => tip ?? 0))
  const late = checks.flatMap(({ tip = best }, at) => {
    const host = new URL(urls[at] ?? '').host
    const message = `${host} is ${best - tip} heights behind the best endpoint`
    return tip < best - BEHIND_HEIGHTS ? [warning(message, 'wait, or remove it')] : []
  })
  return [...checks.flatMap(({ findings }) => findings), ...inArea('chain', late)]
}

const checkChain: Area['check'] = async ({ env, signal, found: { logEnd } }) => {
  if (isDemo(env)) return await checkDemo(env, logEnd)
  const { rpcUrls: urls, rpcHeaders: headers, ...config } = readIngestConfig(env)
  const chainId = config.chainId ?? logEnd?.chainId
  const isDemoNode = chainId !== undefined && isDemoChain(chainId)
  return [
    ...(isDemoNode ? [warning(DEMO_NOTE, FOLLOW_REAL)] : []),
    ...(await checkEndpoints({ urls, headers, chainId, indexed: logEnd, signal })),
  ]
}

const checkLogOnKafka: Area['check'] = async ({ env, signal }) => {
  if (!usesKafka(env)) return [ok('not used: the event log is embedded')]
  const { checkKafka } = await import('./check-kafka.ts')
  return await checkKafka(readKafkaConfig(env), readChainId(env), signal)
}

const checkTables: Area['check'] = async (deployment) => {
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

const checkServices: Area['check'] = async ({ env, signal, url }) => {
  if (url !== undefined) return await checkApi(url, signal)
  const running = readRunFile(readDataDir(env))
  if (running) {
    const { url: api, operatorsUrl } = running
    return [...(await checkApi(api, signal)), ...(await checkReady(operatorsUrl, signal))]
  }
  const reason = describeNotServing(readDataDir(env))
  return [notChecked(`${reason}. To check another one, use --url`)]
}

const AREAS: readonly Area[] = [
  { area: 'settings', check: checkSettings },
  { area: 'node', check: () => [checkNode(process.versions.node)] },
  { area: 'engine', check: ({ env }) => (readStoreAccess(env) ? [] : [checkEngine()]) },
  {
    area: 'data directory',
    check: ({ env }) =>
      usesKafka(env) && readStoreAccess(env)
        ? [ok('not used: Kafka and a ClickHouse server are configured')]
        : checkDataDir(readDataDir(env)),
  },
  { area: 'event log', check: checkLog },
  { area: 'kafka', check: checkLogOnKafka },
  { area: 'chain', after: 'event log', check: checkChain },
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
      const findings = await checkArea(deployment.signal, async (signal) =>
        check({ ...deployment, found, signal }),
      )
      return inArea(area, findings)
    }
    running.set(area, run())
  }
  return (await Promise.all(running.values())).flat()
}
