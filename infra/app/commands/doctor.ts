// `rollcall doctor`: diagnoses this deployment and suggests fixes. Read-only.
import { readEndpointHeaders } from '../../../ingest/config.ts'
import { CONTROL_DATABASE } from '../../../projections/contract/read-model.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import { type Environment, readConfig } from '../../base/runtime/config.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { describeNotServing, readRunFile } from '../data-dir/data-dir.ts'
import { changesBetween, changeText } from '../doctor/changes.ts'
import { checkApi, checkReady } from '../doctor/check-api.ts'
import { checkChain } from '../doctor/check-chain.ts'
import { checkDataDir } from '../doctor/check-data-dir.ts'
import type { LogEnd } from '../doctor/check-log-end.ts'
import { checkEngine, checkNode, checkSandbox } from '../doctor/check-machine.ts'
import { checkStore } from '../doctor/check-store.ts'
import {
  checkArea,
  createAreaFindings,
  type Finding,
  findingsText,
  hasProblem,
  withoutSecrets,
} from '../doctor/finding.ts'
import { readTogether } from '../read-together.ts'
import { readSettings } from '../settings.ts'
import { findSimilarSettings, similarSettingText } from '../similar-settings.ts'
import { machineSettings } from '../start/settings.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  refuseArguments,
  requireHttpUrl,
  textOption,
  UsageError,
} from './command.ts'
import { openLog, readChainId } from './log-access.ts'
import { repeatEvery } from './repeat.ts'
import { withStore } from './store-access.ts'

const readAll = (env: Environment): void => {
  readTogether({
    services: () => readSettings(env),
    ...(usesKafka(env) ? { kafka: () => readKafkaConfig(env) } : {}),
  })
}

/** Any part of a configured URL may contain a key. */
const settingText = (line: string): string =>
  withoutSecrets(
    line.replace(/^\s*- /, '').replace(/^(\w+_URLS?: )".*" is not/, '$1the given value is not'),
  )

const { ok, warning, problem } = createAreaFindings('settings')

const checkValues = (env: Environment): Finding[] => {
  try {
    readAll(env)
    return [ok('all settings are valid')]
  } catch (error) {
    if (!hasCode(error, 'CONFIG_INVALID')) throw error
    const [, ...lines] = error.message.split('\n')
    return lines.map((line) =>
      problem(settingText(line), 'correct it; "rollcall settings" lists every setting'),
    )
  }
}

const checkNames = (env: Environment): Finding[] =>
  findSimilarSettings(env).map((similar) =>
    warning(similarSettingText(similar), `rename or remove ${similar.variable}`),
  )

const checkSettings = (env: Environment): Finding[] => [...checkValues(env), ...checkNames(env)]

/** Works even if another setting is invalid. */
const readDataDir = (env: Environment): string =>
  readConfig({ dataDir: machineSettings.dataDir }, env).dataDir

const checkLog = async (
  context: CommandContext,
): Promise<{ findings: Finding[]; end?: LogEnd }> => {
  const { notChecked } = createAreaFindings('event log')
  const { checkLogEnd } = await import('../doctor/check-log-end.ts')
  try {
    const { log, name, close } = await openLog(context)
    try {
      const { finding, end } = await checkLogEnd(log, name)
      return { findings: [finding], ...(end ? { end } : {}) }
    } finally {
      await close()
    }
  } catch (error) {
    if (!hasCode(error, 'NOT_IN_LOG')) throw error
    return { findings: [notChecked(error.message)] }
  }
}

const checkKafka = async (env: Environment, signal: AbortSignal): Promise<readonly Finding[]> => {
  if (!usesKafka(env))
    return [createAreaFindings('kafka').ok('not used: the event log is embedded')]
  const { diagnoseKafka } = await import('../doctor/check-kafka.ts')
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const options = { config: readKafkaConfig(env), chainId: readChainId(env), logger }
  return await diagnoseKafka(options)(signal)
}

const checkTables = async (
  { env }: CommandContext,
  readLogEnd: () => Promise<LogEnd | undefined>,
): Promise<readonly Finding[]> => {
  const { checkReadModel } = await import('../doctor/check-read-model.ts')
  const isHere = readStoreAccess(env) ?? readRunFile(readDataDir(env))
  if (!isHere) {
    return [
      createAreaFindings('store').notChecked(
        `the embedded ClickHouse runs only while Rollcall runs: ${describeNotServing(readDataDir(env))}`,
      ),
    ]
  }
  return await withStore(env, async (store) => {
    const { findings, generation } = await checkStore(store, CONTROL_DATABASE)
    if (generation === undefined) return findings
    return [...findings, ...(await checkReadModel({ store, generation, readLogEnd }))]
  })
}

const readUrl = (context: CommandContext): string | undefined => {
  const url = textOption(context, 'url')
  return url === undefined ? undefined : requireHttpUrl(url, 'url')
}

const checkServices = async (
  context: CommandContext,
  signal: AbortSignal,
): Promise<readonly Finding[]> => {
  const url = readUrl(context)
  if (url !== undefined) return await checkApi(url, signal)
  const running = readRunFile(readDataDir(context.env))
  if (!running) {
    const reason = describeNotServing(readDataDir(context.env))
    return [createAreaFindings('api').notChecked(`${reason}. To check another one, use --url`)]
  }
  return [...(await checkApi(running.url, signal)), await checkReady(running.operatorsUrl, signal)]
}

const checkDataDirIfUsed = (env: Environment): Finding[] => {
  const isDistributed = usesKafka(env) && readStoreAccess(env) !== undefined
  return isDistributed
    ? [
        createAreaFindings('data directory').ok(
          'not used: Kafka and a ClickHouse server are configured',
        ),
      ]
    : checkDataDir(readDataDir(env))
}

const checkEmbeddedEngine = async ({ env }: CommandContext): Promise<Finding[]> => {
  if (readStoreAccess(env)) return []
  const { canConfine } = await import('../../base/clickhouse/confine.ts')
  return [checkEngine(), checkSandbox(canConfine())]
}

const examine = async (context: CommandContext): Promise<Finding[]> => {
  const { env, signal, process } = context
  const findings: Finding[] = [...checkSettings(env), checkNode(process.versions.node)]
  const addFindings = async (
    area: string,
    check: (until: AbortSignal) => Promise<readonly Finding[]>,
  ) => {
    findings.push(...(await checkArea(area, signal, check)))
  }
  let end: LogEnd | undefined
  await addFindings('engine', () => checkEmbeddedEngine(context))
  await addFindings('data directory', async () => checkDataDirIfUsed(env))
  await addFindings('event log', async () => {
    const found = await checkLog(context)
    end = found.end
    return found.findings
  })
  await addFindings('kafka', (until) => checkKafka(env, until))
  await addFindings('chain', (until) => checkChain({ ...context, signal: until }, end))
  // A log that was not readable before has its own finding.
  const readLogEnd = async () => end && (await checkLog(context)).end
  await addFindings('store', () => checkTables(context, readLogEnd))
  await addFindings('api', (until) => checkServices(context, until))
  await addFindings('issuers', async () => {
    const { checkIssuers } = await import('../doctor/check-issuers.ts')
    return await checkIssuers(env)
  })
  return findings
}

const print = ({ terminal, options }: CommandContext, findings: readonly Finding[]): void =>
  terminal.print(options['json'] ? JSON.stringify(findings, null, 2) : findingsText(findings))

const exitCodeFor = (findings: readonly Finding[]): number =>
  hasProblem(findings) ? EXIT_CODES.differs : EXIT_CODES.ok

/** With `--json` each change is a line. The exit code is that of the last check. */
const watch = async (context: CommandContext, everyMs: number): Promise<number> => {
  const { terminal, options, signal } = context
  let last: readonly Finding[] | undefined
  await repeatEvery(everyMs, signal, async () => {
    const findings = await examine(context)
    const at = new Date().toISOString()
    if (!last) print(context, findings)
    for (const change of last ? changesBetween(last, findings) : []) {
      terminal.print(options['json'] ? JSON.stringify({ at, ...change }) : changeText(at, change))
    }
    last = findings
  })
  return exitCodeFor(last ?? [])
}

/** Needs no deployment. */
const examineEndpoint = async (context: CommandContext, address: string): Promise<number> => {
  const other = ['url', 'watch'].find((name) => textOption(context, name) !== undefined)
  if (other) throw new UsageError(`--endpoint checks one endpoint once: use it without --${other}`)
  const { diagnoseEndpoint } = await import('../doctor/endpoint/diagnose-endpoint.ts')
  const headers = readEndpointHeaders(context.env, address)
  const findings = await diagnoseEndpoint({ ...context, address, headers })
  print(context, findings)
  return exitCodeFor(findings)
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'diagnose this deployment and suggest fixes',
  options: {
    url: {
      type: 'string',
      value: '<address>',
      description: 'base URL of the API to check (default: the local API)',
    },
    endpoint: {
      type: 'string',
      value: '<address>',
      description:
        'check only this RPC endpoint, before you use it: what it has, and what Rollcall can serve from it',
    },
    json: { type: 'boolean', description: 'print the findings as JSON' },
    watch: {
      type: 'string',
      value: '<s>',
      description: 'repeat the checks at this interval and print changes, until Ctrl-C',
    },
  },
  examples: [
    {
      line: 'rollcall doctor',
      description:
        'check settings, data directory, event log, chain, ClickHouse and API; exit code 1 if there is a problem',
    },
    {
      line: 'rollcall doctor --endpoint https://rpc.example.org',
      description: 'check an endpoint, with about 100 requests; exit code 1 if there is a problem',
    },
    {
      line: 'rollcall doctor --watch 30',
      description: 'print all findings once, then new and resolved ones',
    },
  ],
  run: async (context) => {
    refuseArguments(context, doctor)
    readUrl(context)
    const endpoint = textOption(context, 'endpoint')
    if (endpoint !== undefined) return await examineEndpoint(context, endpoint)
    const everySeconds = numberOption(context, 'watch', { min: 1 })
    if (everySeconds !== undefined) return await watch(context, everySeconds * 1000)
    const findings = await examine(context)
    print(context, findings)
    return exitCodeFor(findings)
  },
}
