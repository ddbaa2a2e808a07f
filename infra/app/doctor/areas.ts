// The table of `rollcall doctor`: one row for each fact, in the order of the output, and the run of all rows. Read-only.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Health } from '../../../api/schemas/health.ts'
import { readIngestConfig } from '../../../ingest/config.ts'
import { DEMO_NOTE, isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import { decodeMarker } from '../../../ingest/heights/governance.ts'
import { CONTROL_DATABASE, toDatabaseName } from '../../../projections/contract/database.ts'
import { findActive } from '../../../projections/contract/generations.ts'
import { readStopped } from '../../../projections/contract/stopped-proposals.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { findMissingColumns, readPresent } from '../../../projections/read-model/prepare.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import { linkedAbort } from '../../base/runtime/abort.ts'
import type { Environment } from '../../base/runtime/config.ts'
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
  warning,
} from './finding.ts'

export type Deployment = {
  env: Environment
  terminal: Terminal
  /** The base URL of the API; by default the local one. */
  url: string | undefined
  signal: AbortSignal
}

type Seen = Deployment & {
  /** The finding of the event log. */
  inLog: Findings
  /** Undefined if the event log is not readable or empty. */
  indexed: IndexedBlock | undefined
}

const checkSettings = ({ env }: Seen): Findings => {
  const kafka = () => (usesKafka(env) ? readKafkaConfig(env) : undefined)
  readTogether({ services: () => readSettings(env), kafka })
  return ok('all settings are valid')
}

const checkVariables = ({ env }: Seen): Findings =>
  findUnusedVariables(env).map((each) =>
    warning(unusedVariableText(each), `rename or remove ${each.variable}`),
  )

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

const OTHERS = 0o077

const checkDataDir = ({ env }: Seen): Findings => {
  if (usesKafka(env) && readStoreAccess(env)) {
    return ok('not used: Kafka and a ClickHouse server are configured')
  }
  const { path } = resolveDataPaths(readDataDir(env))
  const free = checkFreeSpace(path)
  const start = 'run "rollcall start", or set DATA_DIR'
  if (!existsSync(path)) return [warning(`${path} does not exist yet`, start), free]
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  if (!isOurs(path)) return [warning(`${path} is empty`, start), free]
  const held = readHolder(path)
  const used = held ? `in use by process ${held.pid} since ${held.since}` : 'no process uses it'
  const isPrivate = (statSync(path).mode & OTHERS) === 0
  return [
    ok(`${path}: ${used}`),
    ...(isPrivate ? [] : [warning(`other users can access ${path}`, `chmod 700 ${path}`)]),
    free,
  ]
}

/** Throws `LOG_DAMAGED` if the log does not end with a marker. */
const readLogEnd = async (
  deployment: Deployment,
): Promise<{ finding: Finding; indexed?: IndexedBlock }> => {
  const { log, name, close } = await openLog(deployment)
  try {
    const last = await log.last()
    const remedy = 'start ingest, or import an exported log'
    if (!last) return { finding: warning(`${name} is empty`, remedy) }
    const marker = decodeMarker(last)
    const { height, time, data } = marker
    const indexed = toIndexedBlock(marker)
    const at = `height ${height} of ${indexed.chainId} (${time})`
    const behind = `${data.tip - height} behind the tip at that time`
    return { finding: ok(`${name} ends at ${at}, ${behind}`), indexed }
  } finally {
    await close()
  }
}

const SAFE_REPLICAS = 3

const checkTopic = async (
  kind: 'governance' | 'agents',
  { env, signal }: Seen,
): Promise<Finding> => {
  const { inspectTopic, toTopicName } = await import('../../base/log/kafka-topic.ts')
  const config = readKafkaConfig(env)
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const topic = toTopicName(kind, readChainId(env))
  const state = await inspectTopic(topic, { config, logger, signal })
  const { brokers, partitions, problem: wrong, replicas, inSync } = state
  if (partitions === 0) {
    const creator = kind === 'agents' ? 'auth' : 'ingest'
    return notChecked(`${topic} does not exist: "rollcall ${creator}" creates it`)
  }
  if (wrong) return problem(wrong.what, wrong.fix)
  const kept = `${topic} keeps all events in order: ${brokers} broker(s), ${inSync} of ${replicas} replicas in sync`
  if (inSync < replicas) {
    return warning(kept, 'restart the missing broker; its replicas catch up automatically')
  }
  return replicas >= SAFE_REPLICAS
    ? ok(kept)
    : warning(kept, 'use 3 brokers and replicas: then one can fail without loss')
}

const checkKafka = async (seen: Seen): Promise<Findings> =>
  usesKafka(seen.env)
    ? [await checkTopic('governance', seen), await checkTopic('agents', seen)]
    : ok('not used: the event log is embedded')

const DEMO = warning(DEMO_NOTE, 'to follow a real chain, set CHAIN_RPC_URLS and an empty DATA_DIR')

const checkChain = async ({ env, signal, indexed }: Seen): Promise<Findings> => {
  if (isDemo(env)) return DEMO
  const { rpcUrls, rpcHeaders, chainId = indexed?.chainId } = readIngestConfig(env)
  const { diagnoseEndpoint } = await import('./endpoint.ts')
  const expected = { chainId, indexed }
  const diagnoses = await Promise.all(
    rpcUrls.map((address) =>
      diagnoseEndpoint({ address, headers: rpcHeaders?.get(address), expected, signal }),
    ),
  )
  const isDemoNode = chainId !== undefined && isDemoChain(chainId)
  return [...(isDemoNode ? [DEMO] : []), ...diagnoses.flatMap(({ findings }) => findings)]
}

const SHOWN = 10
/** The projections write their checkpoint every few seconds, even without new events. */
const STALE_SECONDS = 60

/** A deployment has the default control database. */
export async function checkStore(store: Store, control = CONTROL_DATABASE): Promise<Findings> {
  const active = findActive(await readPresent(store, control))
  const remedy = 'start the projections'
  if (!active) return problem('no generation of the read model is active', remedy)
  const database = toDatabaseName(active.generation, control)
  const missing = await findMissingColumns(store, database)
  if (missing.length > 0) {
    return problem(
      `columns are missing or have another type: ${missing.slice(0, SHOWN).join(', ')}`,
      'start this version, which creates them, or rebuild the tables',
    )
  }
  const [row] = await store.select<{ height: string; age: string; version: string }>(
    `SELECT height, dateDiff('second', written_at, now64(3)) AS age, version() AS version
     FROM ${database}.${TABLES.checkpoints.name} FINAL`,
  )
  if (!row) return warning(`nothing is projected into ${database} yet`, remedy)
  const projected = `${database} has height ${row.height}, written ${row.age} s ago, in ClickHouse ${row.version}`
  return [
    Number(row.age) <= STALE_SECONDS
      ? ok(projected)
      : warning(projected, `${remedy}, or check their log`),
    ...[...(await readStopped(store, database))].map(([id, reason]) =>
      problem(`proposal ${id}: ${reason}`, 'start a version that can store it, then rebuild'),
    ),
  ]
}

/** Names only the host: the path of the URL may be secret. */
export async function checkApi(url: string, signal: AbortSignal): Promise<Findings> {
  const { host } = new URL(url)
  const answer = await requestJson(new URL('/api/health', url), { signal })
  const { status, chain, tip, behind, limitations } = (answer.body ?? {}) as Partial<Health>
  if (answer.status !== 200 || status === undefined) {
    const message = `${host} responds to /api/health with ${answer.status}`
    return problem(message, 'check that this is the API')
  }
  const late = behind?.seconds ? `, ${durationText(behind.seconds)} behind` : ''
  const served = chain
    ? `serves height ${chain.height} of ${tip ?? chain.height}${late}`
    : 'serves no height yet'
  const message = `${host} ${served}: ${status.replace('_', ' ')}`
  return [
    status === 'ok'
      ? ok(message)
      : warning(message, 'see the findings on the chain, the event log and the store'),
    ...(limitations ?? []).map(({ message, since, reason }) =>
      warning(`${message} Since height ${since}: ${reason}`, 'see ingest/CHAINS.md, limitations'),
    ),
  ]
}

export async function checkReady(operatorsUrl: string, signal: AbortSignal): Promise<Findings> {
  const { body } = await requestJson(new URL('/readyz', operatorsUrl), { signal })
  const { ready, reasons = [] } = (body ?? {}) as { ready?: boolean; reasons?: string[] }
  return ready
    ? ok('all services are ready')
    : warning(`not ready: ${reasons.join('; ')}`, 'wait, or check the log of that service')
}

/** Of what the settings name, or what runs in the data directory. */
const onServing =
  <Target>(
    find: (seen: Seen) => Target | undefined,
    check: (target: Target, seen: Seen) => Promise<Findings>,
  ) =>
  async (seen: Seen): Promise<Findings> => {
    const target = find(seen)
    if (target !== undefined) return await check(target, seen)
    return notChecked(
      `${describeNotServing(readDataDir(seen.env))}. To check another one, use --url`,
    )
  }

const findRunning = ({ env }: Seen) => readRunFile(readDataDir(env))

/** Those of `--url`, or of this machine, where the operator port is known too. */
const findServices = (seen: Seen): { url: string; operatorsUrl?: string } | undefined =>
  seen.url === undefined ? findRunning(seen) : { url: seen.url }

type Row = { fact: string; check(seen: Seen): Findings | Promise<Findings> }

const ROWS: readonly Row[] = [
  { fact: 'settings', check: checkSettings },
  { fact: 'settings', check: checkVariables },
  { fact: 'data directory', check: checkDataDir },
  { fact: 'event log', check: ({ inLog }) => inLog },
  { fact: 'kafka', check: checkKafka },
  { fact: 'chain', check: checkChain },
  {
    fact: 'store',
    check: onServing(
      (seen) => readStoreAccess(seen.env) ?? findRunning(seen)?.clickhouse,
      (_, { env }) => withStore(env, (store) => checkStore(store)),
    ),
  },
  { fact: 'api', check: onServing(findServices, ({ url }, { signal }) => checkApi(url, signal)) },
  {
    fact: 'services',
    check: onServing(findServices, async ({ operatorsUrl: url }, { signal }) =>
      url === undefined ? [] : await checkReady(url, signal),
    ),
  },
]

/** The log first, because others compare with it, then the rows at the same time, each with its own deadline. */
export async function examine(deployment: Deployment): Promise<readonly Finding[]> {
  const { signal: all } = linkedAbort(deployment.signal)
  let indexed: IndexedBlock | undefined
  const inLog = await checkRow('event log', all, async () => {
    const end = await readLogEnd(deployment)
    indexed = end.indexed
    return end.finding
  })
  const checks = ROWS.map(({ fact, check }) =>
    checkRow(fact, all, (signal) => check({ ...deployment, signal, inLog, indexed })),
  )
  const found = (await Promise.all(checks)).flat()
  // One cause, such as a store that does not answer, has one finding.
  return found.filter(
    ({ message }, at) => at === found.findIndex((each) => each.message === message),
  )
}
