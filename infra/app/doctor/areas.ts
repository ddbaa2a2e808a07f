// The areas that `rollcall doctor` checks, in the order of its output, and the run of all checks. Read-only.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readAuthConfig } from '../../../auth/config.ts'
import { guardedFetch } from '../../../auth/issuers/guarded-fetch.ts'
import { fetchIssuerKeys } from '../../../auth/issuers/issuer-keys.ts'
import { readIngestConfig } from '../../../ingest/config.ts'
import { DEMO_NOTE, isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import { readChainId as chainIdOf } from '../../../ingest/contract/envelope.ts'
import { decodeMarker } from '../../../ingest/heights/governance.ts'
import { CONTROL_DATABASE, toDatabaseName } from '../../../projections/contract/database.ts'
import { findActive, readGenerations } from '../../../projections/contract/generations.ts'
import { readStopped } from '../../../projections/contract/stopped-proposals.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { findMissingColumns } from '../../../projections/read-model/prepare.ts'
import { isRefusedLogin } from '../../base/clickhouse/check-server.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import {
  explainMissingEngine,
  findEngineLibrary,
  readPlatform,
} from '../../base/clickhouse/engine-package.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import { type KafkaConfig, readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import {
  describeNotServing,
  isOurs,
  readHolder,
  readRunFile,
  resolveDataPaths,
} from '../data-dir.ts'
import { type IndexedBlock, toIndexedBlock } from '../indexed-block.ts'
import { isDemo, readDataDir } from '../machine-settings.ts'
import { openLog, readChainId, withStore } from '../open-data.ts'
import { readTogether } from '../read-together.ts'
import { findUnusedVariables, readSettings, unusedVariableText } from '../settings.ts'
import { durationText } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { requestJson } from '../tools/rollcall-client.ts'
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

type LogEnd = IndexedBlock & { offset: bigint }

type Examined = Deployment & {
  /** What the check of the event log found; no end if the log is not readable or empty. */
  found: { logEnd?: LogEnd | undefined }
}

type Findings = readonly Finding[]

/** Any part of a configured URL may contain a key. */
const settingText = (line: string): string =>
  withoutSecrets(
    line.replace(/^\s*- /, '').replace(/^(\w+_URLS?: )".*" is not/, '$1the given value is not'),
  )

const checkSettings = ({ env }: Deployment): Findings => {
  const unused = findUnusedVariables(env).map((each) =>
    warning(unusedVariableText(each), `rename or remove ${each.variable}`),
  )
  try {
    const kafka = () => (usesKafka(env) ? readKafkaConfig(env) : undefined)
    readTogether({ services: () => readSettings(env), kafka })
    return [ok('all settings are valid'), ...unused]
  } catch (error) {
    if (!hasCode(error, 'CONFIG_INVALID')) throw error
    const [, ...lines] = error.message.split('\n')
    const remedy = 'correct it; "rollcall settings" lists every setting'
    return [...lines.map((line) => problem(settingText(line), remedy)), ...unused]
  }
}

/** The same as `engines` in package.json. */
export const LEAST_NODE = '20.19'

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? ok(`Node ${version}`)
    : problem(`Node ${version} is too old`, `install Node ${LEAST_NODE} or newer`)
}

const checkEngine = ({ env }: Deployment): Findings => {
  if (readStoreAccess(env)) return []
  if (findEngineLibrary(process)) return [ok('the embedded ClickHouse is installed')]
  const remedy = 'install the optional packages where there is one, or set CLICKHOUSE_URL'
  return [problem(explainMissingEngine(readPlatform()), remedy)]
}

const GIB = 2 ** 30
const LEAST_FREE_BYTES = GIB / 4
const LOW_FREE_BYTES = 2 * GIB

export function checkFreeSpace(freeBytes: number, path: string): Finding {
  const free = `${(freeBytes / GIB).toFixed(1)} GiB free on the disk of ${path}`
  if (freeBytes < LEAST_FREE_BYTES) return problem(free, 'free disk space: appends will stop soon')
  return freeBytes < LOW_FREE_BYTES ? warning(free, 'free disk space before it runs out') : ok(free)
}

const OTHERS = 0o077

const checkOwner = (path: string): Finding => {
  const { uid, mode } = statSync(path)
  const own = process.getuid?.() ?? uid
  const shown = (mode & 0o777).toString(8)
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const message = `${path} belongs to user ${uid}; user ${own} cannot write to it (mode ${shown})`
    return problem(message, 'run Rollcall as its owner, or change the owner')
  }
  return (mode & OTHERS) !== 0
    ? warning(`other users can access ${path} (mode ${shown})`, `chmod 700 ${path}`)
    : ok(`${path} belongs to user ${uid}, mode ${shown}`)
}

/** For a damaged directory, the message of the error names the remedy. */
const orDamage = (check: () => Finding): Finding => {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return problem(error.message, 'restore it, or set DATA_DIR to another directory')
  }
}

const checkContents = (path: string): Findings => {
  if (!existsSync(path)) {
    return [warning(`${path} does not exist yet`, 'run "rollcall start", or set DATA_DIR')]
  }
  if (!statSync(path).isDirectory()) {
    return [problem(`${path} is not a directory`, 'set DATA_DIR to a directory')]
  }
  const owner = checkOwner(path)
  // Nothing else can be checked then.
  if (owner.level === 'problem') return [owner]
  const format = orDamage(() =>
    isOurs(path) ? ok('its format is supported') : warning('it is empty', 'run "rollcall start"'),
  )
  const holder = orDamage(() => {
    const held = readHolder(path)
    return ok(held ? `in use by process ${held.pid} since ${held.since}` : 'no process uses it')
  })
  return [owner, format, holder]
}

const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

export function checkDataDir(directory: string): Findings {
  const { path } = resolveDataPaths(directory)
  const { bavail, bsize } = statfsSync(existing(path))
  return [...checkContents(path), checkFreeSpace(bavail * bsize, path)]
}

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

const checkLog = async (deployment: Examined): Promise<Findings> => {
  try {
    const { finding, end } = await readLogEnd(deployment)
    deployment.found.logEnd = end
    return [finding]
  } catch (error) {
    if (!hasCode(error, 'NOT_IN_LOG')) throw error
    return [notChecked(error.message)]
  }
}

const SAFE_REPLICAS = 3

/** Brokers, settings of the topics, and in-sync replicas. */
export async function checkKafka(
  config: KafkaConfig,
  chainId: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { inspectTopic, toTopicName } = await import('../../base/log/kafka-topic.ts')
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const check = async (kind: 'governance' | 'agents', absent: (message: string) => Finding) => {
    const topic = toTopicName(kind, chainId)
    const state = await inspectTopic(topic, { config, logger, signal })
    const { partitions, problem: wrong, brokers, replicas, inSync } = state
    if (partitions === 0) return { brokers, findings: [absent(`topic ${topic} does not exist`)] }
    const [what = '', ...remedy] = wrong?.split('\n') ?? []
    const settings = wrong
      ? problem(what, remedy.join('\n').trim() || 'see the message')
      : ok(`topic ${topic} keeps all events in order`)
    const only = `the topic has only ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`
    const copies =
      inSync < replicas
        ? warning(
            `${inSync} of ${replicas} replicas are in sync`,
            'restart the missing broker; its replicas catch up automatically',
          )
        : replicas >= SAFE_REPLICAS
          ? ok(`all ${replicas} replicas are in sync`)
          : warning(only, 'use 3 brokers and replicas: then one can fail without loss')
    return { brokers, findings: [settings, copies] }
  }
  const governance = await check('governance', (message) =>
    problem(message, 'start "rollcall ingest", which creates the topic'),
  )
  // The log of agents exists only if agents may register.
  const agents = await check('agents', (message) =>
    notChecked(`${message}: "rollcall auth" has not run yet`),
  )
  return [ok(`${governance.brokers} broker(s) answer`), ...governance.findings, ...agents.findings]
}

const checkLogOnKafka = async ({ env, signal }: Deployment): Promise<Findings> =>
  usesKafka(env)
    ? await checkKafka(readKafkaConfig(env), readChainId(env), signal)
    : [ok('not used: the event log is embedded')]

const BEHIND_HEIGHTS = 10

/** The same diagnosis as that of `--endpoint`, of each endpoint. */
export async function checkEndpoints(options: {
  urls: readonly string[]
  headers?: ReadonlyMap<string, Readonly<Record<string, string>>> | undefined
  chainId: string | undefined
  indexed: IndexedBlock | undefined
  signal: AbortSignal
}): Promise<Finding[]> {
  const { urls, headers, signal, ...expected } = options
  const { diagnoseEndpoint } = await import('./endpoint.ts')
  const checks = await Promise.all(
    urls.map((address) =>
      diagnoseEndpoint({ address, headers: headers?.get(address), expected, signal }),
    ),
  )
  const best = Math.max(...checks.map(({ tip }) => tip ?? 0))
  const late = checks.flatMap(({ tip = best }, at) => {
    const { host } = new URL(urls[at] ?? '')
    const message = `${host} is ${best - tip} heights behind the best endpoint`
    return tip < best - BEHIND_HEIGHTS ? [warning(message, 'wait, or remove it')] : []
  })
  return [...checks.flatMap(({ findings }) => findings), ...inArea('chain', late)]
}

const FOLLOW_REAL = 'to follow a real chain, set CHAIN_RPC_URLS and an empty DATA_DIR'

const checkChain = async ({ env, signal, found: { logEnd } }: Examined): Promise<Findings> => {
  if (isDemo(env)) return [warning(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`, FOLLOW_REAL)]
  const { rpcUrls: urls, rpcHeaders: headers, ...config } = readIngestConfig(env)
  const chainId = config.chainId ?? logEnd?.chainId
  const isDemoNode = chainId !== undefined && isDemoChain(chainId)
  return [
    ...(isDemoNode ? [warning(DEMO_NOTE, FOLLOW_REAL)] : []),
    ...(await checkEndpoints({ urls, headers, chainId, indexed: logEnd, signal })),
  ]
}

const checkAnswer = async (store: Store): Promise<Finding> => {
  try {
    const [row] = await store.select<{ version: string; user: string }>(
      'SELECT version() AS version, currentUser() AS user',
    )
    return ok(`ClickHouse ${row?.version} answers user ${row?.user}`)
  } catch (error) {
    const message = withoutSecrets(error instanceof Error ? error.message : String(error))
    return isRefusedLogin(message)
      ? problem('ClickHouse rejects these credentials', 'set CLICKHOUSE_USERNAME and …_PASSWORD')
      : problem(message, 'start ClickHouse, or set CLICKHOUSE_URL')
  }
}

const SHOWN = 10
const NO_TABLES = /UNKNOWN_DATABASE|UNKNOWN_TABLE|does not exist/
const START = 'start the projections'

/** Whether it answers, and has the tables of this version. `generation` is the active one, if it can be read. */
export async function checkStore(
  store: Store,
  control: string,
): Promise<{ findings: Finding[]; generation?: number | undefined }> {
  const answer = await checkAnswer(store)
  if (answer.level !== 'ok') return { findings: [answer] }
  try {
    const generation = findActive(await readGenerations(store, control))?.generation
    if (generation === undefined) {
      const none = problem('no generation of the read model is active', START)
      return { findings: [answer, none] }
    }
    const missing = await findMissingColumns(store, toDatabaseName(generation, control))
    const tables =
      missing.length === 0
        ? ok('all tables have the columns of this version')
        : problem(
            `columns are missing or have another type: ${missing.slice(0, SHOWN).join(', ')}`,
            'start this version, which creates them, or rebuild the tables',
          )
    return { findings: [answer, ok(`generation ${generation} is active`), tables], generation }
  } catch (error) {
    if (!(hasCode(error, 'STORE_REFUSED') && NO_TABLES.test(error.message))) throw error
    return { findings: [answer, problem('ClickHouse has no tables of Rollcall', START)] }
  }
}

type CheckpointRow = { chain_id: string; height: string; next_offset: string; age: string }

/** The runner writes its checkpoint every few seconds, even without new events. */
const STALE_SECONDS = 60
const FAR_BEHIND = 10_000n

const checkLag = (row: CheckpointRow, log: Pick<LogEnd, 'chainId' | 'offset'>): Finding => {
  if (row.chain_id !== log.chainId) {
    return problem(
      `the tables are of chain ${row.chain_id}, but the log is of ${log.chainId}`,
      'set the right DATA_DIR, brokers or CLICKHOUSE_URL',
    )
  }
  const behind = log.offset - BigInt(row.next_offset)
  if (behind < 0n) {
    return problem(
      `the tables are ${-behind} records ahead of the end of the log`,
      'the log was replaced by a shorter one; rebuild the read model from it',
    )
  }
  const message = `${behind} records behind the log`
  return behind > FAR_BEHIND ? warning(message, 'wait if the number decreases') : ok(message)
}

export type ReadModelOptions = {
  store: Store
  generation: number
  /** The control database, if it is not the default one. */
  control?: string
  /** Undefined if the log cannot be read. Called after the checkpoint is read, because both grow. */
  readLogEnd: () => Promise<LogEnd | undefined>
}

/** The progress of the projections, and which proposals stopped. */
export async function checkReadModel(options: ReadModelOptions): Promise<Finding[]> {
  const { store, generation, control = CONTROL_DATABASE } = options
  const database = toDatabaseName(generation, control)
  const [row] = await store.select<CheckpointRow>(
    `SELECT chain_id, height, next_offset, dateDiff('second', written_at, now64(3)) AS age
     FROM ${database}.${TABLES.checkpoints.name} FINAL`,
  )
  if (!row) return inArea('projections', [warning('nothing is projected yet', START)])
  const log = await options.readLogEnd()
  const message = `projected up to height ${row.height}, last checkpoint ${row.age} s ago`
  const isFresh = Number(row.age) <= STALE_SECONDS
  const remedy = 'start a version that can store the row, then run "rollcall rebuild"'
  const stopped = [...(await readStopped(store, database))].map(([id, reason]) =>
    problem(`proposal ${id}: ${reason}`, remedy),
  )
  return inArea('projections', [
    isFresh ? ok(message) : warning(message, `${START}, or check their log`),
    ...(log ? [checkLag(row, log)] : []),
    ...stopped,
  ])
}

const checkTables = async (deployment: Examined): Promise<Findings> => {
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

type Health = {
  status?: string
  freshnessSeconds?: number | null
  tip?: number | null
  behind?: { heights: number | null; seconds: number | null }
  chain?: { chainId: string; height: number; demo?: true } | null
  limitations?: { message: string; since: number; reason: string }[]
}

const ask = async <Body>(
  path: string,
  base: string,
  signal: AbortSignal,
): Promise<{ status: number; body: Partial<Body> } | { failure: string }> => {
  try {
    const { status, body } = await requestJson(new URL(path, base), { signal })
    return { status, body: (body ?? {}) as Partial<Body> }
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return { failure: error.message }
  }
}

const servedText = ({ chain, tip, behind, freshnessSeconds }: Partial<Health>): string => {
  if (!chain) return 'serves no height yet'
  const { chainId, height, demo } = chain
  const goal = tip && tip > height ? ` of ${tip}` : ''
  const which = demo ? ` of ${chainId}, the recorded demo chain` : ''
  const age = behind?.seconds
    ? `${durationText(behind.seconds)} behind`
    : `${freshnessSeconds ?? '?'} s old`
  return `serves height ${height}${goal}${which}, ${age}`
}

/** Names only the host: the path of the URL may be secret. */
export async function checkApi(url: string, signal: AbortSignal): Promise<Finding[]> {
  const { host } = new URL(url)
  const health = await ask<Health>('/api/health', url, signal)
  if ('failure' in health) {
    return [problem(`${host}: ${health.failure}`, 'start it, or check its log')]
  }
  const { status, limitations = [] } = health.body
  if (health.status !== 200 || status === undefined) {
    const message = `${host} responds to /api/health with ${health.status}`
    return [problem(message, 'check that this is the API')]
  }
  const served = `${host} ${servedText(health.body)}`
  const state = status === 'catching_up' ? 'it is catching up' : status
  const remedy = 'see the findings on the chain, the event log and the store'
  const limits = limitations.map(({ message, since, reason }) =>
    warning(`${message} Since height ${since}: ${reason}`, 'see ingest/CHAINS.md, limitations'),
  )
  return [status === 'ok' ? ok(served) : warning(`${served}: ${state}`, remedy), ...limits]
}

export async function checkReady(url: string, signal: AbortSignal): Promise<Finding[]> {
  const answer = await ask<{ ready: boolean; reasons: string[] }>('/readyz', url, signal)
  if ('failure' in answer) {
    const message = `the operator port does not answer: ${answer.failure}`
    return inArea('services', [problem(message, 'check its log')])
  }
  const { ready, reasons = [] } = answer.body
  const finding = ready
    ? ok('all services are ready')
    : warning(`not ready: ${reasons.join('; ')}`, 'wait, or check the log of that service')
  return inArea('services', [finding])
}

const checkServices = async ({ env, signal, url }: Deployment): Promise<Findings> => {
  if (url !== undefined) return await checkApi(url, signal)
  const running = readRunFile(readDataDir(env))
  if (!running) {
    return [notChecked(`${describeNotServing(readDataDir(env))}. To check another one, use --url`)]
  }
  const { url: api, operatorsUrl } = running
  return [...(await checkApi(api, signal)), ...(await checkReady(operatorsUrl, signal))]
}

/** The keys of each identity provider, fetched as auth fetches them. No findings without one. */
export async function checkIssuers(env: Environment): Promise<Finding[]> {
  const { trustedIssuers, allowLoopbackIssuers: allowLoopback } = readAuthConfig(env)
  const fetchJson = (url: string) => guardedFetch(url, { allowLoopback })
  const checks = trustedIssuers.map(async (trusted) => {
    const { issuer } = trusted
    const fetched = await fetchIssuerKeys(trusted, fetchJson)
    if (fetched.ok) {
      const count = fetched.keys.jwks.keys.length
      return ok(`${issuer}: ${count} ${count === 1 ? 'key' : 'keys'} at ${fetched.url}`)
    }
    const remedy = `set TRUSTED_ISSUERS=${issuer}|<URL of its keys>`
    return fetched.isPermanent
      ? problem(`${issuer}: its ID-JAGs are refused: ${fetched.reason}`, remedy)
      : warning(`${issuer}: ${fetched.reason}`, 'try again; check the network and the issuer')
  })
  return await Promise.all(checks)
}

const checkDirectory = ({ env }: Deployment): Findings =>
  usesKafka(env) && readStoreAccess(env)
    ? [ok('not used: Kafka and a ClickHouse server are configured')]
    : checkDataDir(readDataDir(env))

type Area = {
  area: string
  /** Starts after the check of the event log. */
  needsLog?: true
  check(deployment: Examined): Findings | Promise<Findings>
}

const AREAS: readonly Area[] = [
  { area: 'settings', check: checkSettings },
  { area: 'node', check: () => [checkNode(process.versions.node)] },
  { area: 'engine', check: checkEngine },
  { area: 'data directory', check: checkDirectory },
  { area: 'event log', check: checkLog },
  { area: 'kafka', check: checkLogOnKafka },
  { area: 'chain', needsLog: true, check: checkChain },
  { area: 'store', needsLog: true, check: checkTables },
  { area: 'api', check: checkServices },
  { area: 'issuers', check: ({ env }) => checkIssuers(env) },
]

/** Runs the checks at the same time, each with its own deadline. */
export async function examine(deployment: Deployment): Promise<Findings> {
  const found: Examined['found'] = {}
  const running = new Map<string, Promise<Findings>>()
  for (const { area, needsLog, check } of AREAS) {
    const run = async () => {
      if (needsLog) await running.get('event log')
      const findings = await checkArea(deployment.signal, async (signal) =>
        check({ ...deployment, found, signal }),
      )
      return inArea(area, findings)
    }
    running.set(area, run())
  }
  return (await Promise.all(running.values())).flat()
}
