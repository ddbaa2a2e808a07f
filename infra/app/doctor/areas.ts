// The table of `rollcall doctor`: one row for each fact, in the order of the output, and the run of all rows. Read-only.
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
import type { Store } from '../../base/clickhouse/client.ts'
import {
  explainMissingEngine,
  findEngineLibrary,
  readPlatform,
} from '../../base/clickhouse/engine-package.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import { type KafkaConfig, readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import { linkedAbort } from '../../base/runtime/abort.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { hasCode } from '../../base/runtime/errors.ts'
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
  checkRow,
  type Finding,
  type Findings,
  notChecked,
  ok,
  problem,
  START_PROJECTIONS,
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

type Seen = Deployment & {
  /** The finding of the event log. */
  inLog: Findings
  /** Undefined if the event log is not readable or empty. */
  logEnd: LogEnd | undefined
}

/** Any part of a configured URL may contain a key. */
const settingText = (line: string): string =>
  withoutSecrets(
    line.replace(/^\s*- /, '').replace(/^(\w+_URLS?: )".*" is not/, '$1the given value is not'),
  )

const checkSettings = ({ env }: Seen): Findings => {
  const kafka = () => (usesKafka(env) ? readKafkaConfig(env) : undefined)
  try {
    readTogether({ services: () => readSettings(env), kafka })
    return ok('all settings are valid')
  } catch (error) {
    if (!hasCode(error, 'CONFIG_INVALID')) throw error
    const [, ...lines] = error.message.split('\n')
    const remedy = 'correct it; "rollcall settings" lists every setting'
    return lines.map((line) => problem(settingText(line), remedy))
  }
}

/** The same as `engines` in package.json. */
const LEAST_NODE = '20.19'

const checkNode = (version: string): Finding =>
  version.localeCompare(LEAST_NODE, 'en', { numeric: true }) >= 0
    ? ok(`Node ${version}`)
    : problem(`Node ${version} is too old`, `install Node ${LEAST_NODE} or newer`)

const checkEngine = ({ env }: Seen): Findings => {
  if (readStoreAccess(env)) return []
  if (findEngineLibrary(process)) return ok('the embedded ClickHouse is installed')
  const remedy = 'install the optional packages where there is one, or set CLICKHOUSE_URL'
  return problem(explainMissingEngine(readPlatform()), remedy)
}

const OTHERS = 0o077

const checkOwner = (path: string): Finding => {
  if (!existsSync(path)) {
    return warning(`${path} does not exist yet`, 'run "rollcall start", or set DATA_DIR')
  }
  const stats = statSync(path)
  if (!stats.isDirectory()) return problem(`${path} is not a directory`, 'set DATA_DIR to one')
  const owner = `${path} belongs to user ${stats.uid}, mode ${(stats.mode & 0o777).toString(8)}`
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const message = `${owner}: user ${process.getuid?.()} cannot write to it`
    return problem(message, 'run Rollcall as its owner, or change the owner')
  }
  return (stats.mode & OTHERS) === 0
    ? ok(owner)
    : warning(`${owner}: other users can access it`, `chmod 700 ${path}`)
}

const GIB = 2 ** 30
const LEAST_FREE_BYTES = GIB / 4
const LOW_FREE_BYTES = 2 * GIB

const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

const checkFreeSpace = (path: string): Finding => {
  const { bavail, bsize } = statfsSync(existing(path))
  const bytes = bavail * bsize
  const free = `${(bytes / GIB).toFixed(1)} GiB free on the disk of ${path}`
  if (bytes < LEAST_FREE_BYTES) return problem(free, 'free disk space: appends will stop soon')
  return bytes < LOW_FREE_BYTES ? warning(free, 'free disk space before it runs out') : ok(free)
}

/** Its format and its holder, if it can be read: the check of the owner says it else. */
const checkContents = (path: string): Findings => {
  if (!existsSync(path) || checkOwner(path).level === 'problem') return []
  const held = readHolder(path)
  return [
    isOurs(path) ? ok('its format is supported') : warning('it is empty', 'run "rollcall start"'),
    ok(held ? `in use by process ${held.pid} since ${held.since}` : 'no process uses it'),
  ]
}

const inDirectory =
  (check: (path: string) => Findings) =>
  ({ env }: Seen): Findings =>
    usesKafka(env) && readStoreAccess(env)
      ? ok('not used: Kafka and a ClickHouse server are configured')
      : check(resolveDataPaths(readDataDir(env)).path)

/** From here ingest continues. Throws `LOG_DAMAGED` if the log does not end with a marker. */
export async function readLogEnd(
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

const openLogEnd = async (deployment: Deployment) => {
  const { log, name, close } = await openLog(deployment)
  try {
    return await readLogEnd(log, name)
  } finally {
    await close()
  }
}

const SAFE_REPLICAS = 3

/** Brokers, settings of the topics, and in-sync replicas. */
const checkKafka = async (config: KafkaConfig, { env, signal }: Seen): Promise<Finding[]> => {
  const { inspectTopic, toTopicName } = await import('../../base/log/kafka-topic.ts')
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const check = async (kind: 'governance' | 'agents', absent: (message: string) => Finding) => {
    const topic = toTopicName(kind, readChainId(env))
    const state = await inspectTopic(topic, { config, logger, signal })
    const { partitions, problem: wrong, replicas, inSync } = state
    const answer = ok(`${state.brokers} broker(s) answer`)
    if (partitions === 0) return [answer, absent(`topic ${topic} does not exist`)]
    const isSafe = inSync === replicas && replicas >= SAFE_REPLICAS
    const synced = `${inSync} of ${replicas} replicas of ${topic} are in sync`
    const remedy =
      inSync < replicas
        ? 'restart the missing broker; its replicas catch up automatically'
        : 'use 3 brokers and replicas: then one can fail without loss'
    return [
      answer,
      wrong ? problem(wrong.what, wrong.fix) : ok(`topic ${topic} keeps all events in order`),
      isSafe ? ok(synced) : warning(synced, remedy),
    ]
  }
  return [
    ...(await check('governance', (message) =>
      problem(message, 'start "rollcall ingest", which creates the topic'),
    )),
    // The log of agents exists only if agents may register.
    ...(await check('agents', (message) =>
      notChecked(`${message}: "rollcall auth" has not run yet`),
    )),
  ]
}

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
  return [...checks.flatMap(({ findings }) => findings), ...late]
}

const FOLLOW_REAL = 'to follow a real chain, set CHAIN_RPC_URLS and an empty DATA_DIR'

const checkChain = async ({ env, signal, logEnd }: Seen): Promise<Findings> => {
  if (isDemo(env)) return warning(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`, FOLLOW_REAL)
  const { rpcUrls: urls, rpcHeaders: headers, ...config } = readIngestConfig(env)
  const chainId = config.chainId ?? logEnd?.chainId
  const isDemoNode = chainId !== undefined && isDemoChain(chainId)
  return [
    ...(isDemoNode ? [warning(DEMO_NOTE, FOLLOW_REAL)] : []),
    ...(await checkEndpoints({ urls, headers, chainId, indexed: logEnd, signal })),
  ]
}

const SHOWN = 10

/** A deployment has the default control database. */
const activeDatabase = async (store: Store, control: string): Promise<string | undefined> => {
  const active = findActive(await readGenerations(store, control))
  return active && toDatabaseName(active.generation, control)
}

export async function checkTables(store: Store, control = CONTROL_DATABASE): Promise<Findings> {
  const select = 'SELECT version() AS version, currentUser() AS user'
  const [row] = await store.select<{ version: string; user: string }>(select)
  const database = await activeDatabase(store, control)
  if (database === undefined) {
    return problem('no generation of the read model is active', START_PROJECTIONS)
  }
  const missing = await findMissingColumns(store, database)
  return [
    ok(`ClickHouse ${row?.version} answers user ${row?.user}; ${database} is active`),
    missing.length === 0
      ? ok('all tables have the columns of this version')
      : problem(
          `columns are missing or have another type: ${missing.slice(0, SHOWN).join(', ')}`,
          'start this version, which creates them, or rebuild the tables',
        ),
  ]
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

/** The progress, and which proposals stopped. `readEnd` is called after the checkpoint is read, because both grow. */
export async function checkProjections(
  store: Store,
  readEnd: () => Promise<LogEnd | undefined>,
  control = CONTROL_DATABASE,
): Promise<Findings> {
  const database = await activeDatabase(store, control)
  if (database === undefined) return []
  const [row] = await store.select<CheckpointRow>(
    `SELECT chain_id, height, next_offset, dateDiff('second', written_at, now64(3)) AS age
     FROM ${database}.${TABLES.checkpoints.name} FINAL`,
  )
  if (!row) return warning('nothing is projected yet', START_PROJECTIONS)
  const log = await readEnd()
  const message = `projected up to height ${row.height}, last checkpoint ${row.age} s ago`
  const isFresh = Number(row.age) <= STALE_SECONDS
  const remedy = 'start a version that can store the row, then run "rollcall rebuild"'
  return [
    isFresh ? ok(message) : warning(message, `${START_PROJECTIONS}, or check their log`),
    ...(log ? [checkLag(row, log)] : []),
    ...[...(await readStopped(store, database))].map(([id, reason]) =>
      problem(`proposal ${id}: ${reason}`, remedy),
    ),
  ]
}

const onStore =
  (check: (store: Store, seen: Seen) => Promise<Findings>) =>
  async (seen: Seen): Promise<Findings> => {
    const { env } = seen
    if (readStoreAccess(env) || readRunFile(readDataDir(env))) {
      return await withStore(env, (store) => check(store, seen))
    }
    const reason = describeNotServing(readDataDir(env))
    return notChecked(`the embedded ClickHouse runs only while Rollcall runs: ${reason}`)
  }

type Health = {
  status?: string
  freshnessSeconds?: number | null
  tip?: number | null
  behind?: { heights: number | null; seconds: number | null }
  chain?: { chainId: string; height: number; demo?: true } | null
  limitations?: { message: string; since: number; reason: string }[]
}

const servedText = ({ chain, tip, behind, freshnessSeconds }: Health): string => {
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
export async function checkApi(url: string, signal: AbortSignal): Promise<Findings> {
  const { host } = new URL(url)
  const answer = await requestJson(new URL('/api/health', url), { signal })
  const health = (answer.body ?? {}) as Health
  const { status, limitations = [] } = health
  if (answer.status !== 200 || status === undefined) {
    const message = `${host} responds to /api/health with ${answer.status}`
    return problem(message, 'check that this is the API')
  }
  const served = `${host} ${servedText(health)}`
  const state = status === 'catching_up' ? 'it is catching up' : status
  const remedy = 'see the findings on the chain, the event log and the store'
  const limits = limitations.map(({ message, since, reason }) =>
    warning(`${message} Since height ${since}: ${reason}`, 'see ingest/CHAINS.md, limitations'),
  )
  return [status === 'ok' ? ok(served) : warning(`${served}: ${state}`, remedy), ...limits]
}

export async function checkReady(operatorsUrl: string, signal: AbortSignal): Promise<Findings> {
  const { body } = await requestJson(new URL('/readyz', operatorsUrl), { signal })
  const { ready, reasons = [] } = (body ?? {}) as { ready?: boolean; reasons?: string[] }
  return ready
    ? ok('all services are ready')
    : warning(`not ready: ${reasons.join('; ')}`, 'wait, or check the log of that service')
}

type Services = { url: string; operatorsUrl?: string }

/** Those of `--url`, or of this machine, where the operator port is known too. */
const onServices =
  (check: (services: Services, signal: AbortSignal) => Findings | Promise<Findings>) =>
  ({ env, url, signal }: Seen) => {
    const dataDir = readDataDir(env)
    const services: Services | undefined = url === undefined ? readRunFile(dataDir) : { url }
    if (services) return check(services, signal)
    return notChecked(`${describeNotServing(dataDir)}. To check another one, use --url`)
  }

/** The keys of each identity provider, fetched as auth fetches them. No findings without one. */
const checkIssuers = async ({ env }: Seen): Promise<Findings> => {
  const { trustedIssuers, allowLoopbackIssuers: allowLoopback } = readAuthConfig(env)
  const fetchJson = (url: string) => guardedFetch(url, { allowLoopback })
  const checks = trustedIssuers.map(async (trusted) => {
    const { issuer } = trusted
    const fetched = await fetchIssuerKeys(trusted, fetchJson)
    if (fetched.ok)
      return ok(`${issuer}: ${fetched.keys.jwks.keys.length} key(s) at ${fetched.url}`)
    const remedy = `set TRUSTED_ISSUERS=${issuer}|<URL of its keys>`
    return fetched.isPermanent
      ? problem(`${issuer}: its ID-JAGs are refused: ${fetched.reason}`, remedy)
      : warning(`${issuer}: ${fetched.reason}`, 'try again; check the network and the issuer')
  })
  return await Promise.all(checks)
}

type Row = { fact: string; check(seen: Seen): Findings | Promise<Findings> }

const ROWS: readonly Row[] = [
  { fact: 'settings', check: checkSettings },
  {
    fact: 'settings',
    check: ({ env }) =>
      findUnusedVariables(env).map((each) =>
        warning(unusedVariableText(each), `rename or remove ${each.variable}`),
      ),
  },
  { fact: 'node', check: () => checkNode(process.versions.node) },
  { fact: 'engine', check: checkEngine },
  { fact: 'data directory', check: inDirectory(checkOwner) },
  { fact: 'data directory', check: inDirectory(checkContents) },
  { fact: 'data directory', check: inDirectory(checkFreeSpace) },
  { fact: 'event log', check: ({ inLog }) => inLog },
  {
    fact: 'kafka',
    check: (seen) =>
      usesKafka(seen.env)
        ? checkKafka(readKafkaConfig(seen.env), seen)
        : ok('not used: the event log is embedded'),
  },
  { fact: 'chain', check: checkChain },
  { fact: 'store', check: onStore((store) => checkTables(store)) },
  {
    fact: 'projections',
    // A log that was not readable before has its own finding.
    check: onStore((store, seen) =>
      checkProjections(store, async () => seen.logEnd && (await openLogEnd(seen)).end),
    ),
  },
  { fact: 'api', check: onServices(({ url }, signal) => checkApi(url, signal)) },
  {
    fact: 'services',
    check: onServices(({ operatorsUrl: url }, signal) => (url ? checkReady(url, signal) : [])),
  },
  { fact: 'issuers', check: checkIssuers },
]

/** The log first, because others compare with it, then the rows at the same time, each with its own deadline. */
export async function examine(deployment: Deployment): Promise<readonly Finding[]> {
  const { signal: all } = linkedAbort(deployment.signal)
  let logEnd: LogEnd | undefined
  const inLog = await checkRow('event log', all, async () => {
    const { finding, end } = await openLogEnd(deployment)
    logEnd = end
    return finding
  })
  const checks = ROWS.map(({ fact, check }) =>
    checkRow(fact, all, (signal) => check({ ...deployment, signal, inLog, logEnd })),
  )
  const found = (await Promise.all(checks)).flat()
  // One cause, such as a store that does not answer, has one finding.
  return found.filter(
    ({ message }, at) => at === found.findIndex((each) => each.message === message),
  )
}
