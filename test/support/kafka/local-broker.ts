// Apache Kafka as processes of this machine, for tests and for people: KRaft, one broker or several, on loopback.
// Every broker ends with the process that started it, however that one ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePorts } from '../../devnet/ports.ts'
import { createTemporaryDirectory } from '../temporary-directory.ts'
import { type BrokerPorts, loggingConfig, SASL_USER, serverProperties } from './broker-config.ts'
import { kafkaClassPath } from './jars.ts'

export type LocalBroker = {
  id: number
  /** host:port */
  address: string
  /** Resolves once it takes connections. */
  start(): Promise<void>
  /** With SIGKILL by default. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export type LocalKafka = {
  /** host:port of every broker, separated by commas: what KAFKA_BROKERS takes. */
  brokers: string
  /** The same where a password is asked for: `SASL_USER`. */
  saslBrokers: string
  nodes: readonly LocalBroker[]
  /** Ends all and removes their data. */
  stop(): Promise<void>
}

export type LocalKafkaOptions = { brokers?: number; progress?: (line: string) => void }

const START_MS = 60_000
const LAST_WORDS_CHARS = 2_000
const JVM = ['-Xms64m', '-Xmx320m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Kills the process once this one is gone, even by SIGKILL: its standard input ends then. */
const createWatchdog = (pid: number): ChildProcess => {
  const script = 'cat >/dev/null; kill -9 "$1" 2>/dev/null'
  const stdio = ['pipe', 'ignore', 'ignore'] as const
  const watchdog = spawn('sh', ['-c', script, 'sh', String(pid)], { stdio: [...stdio] })
  watchdog.unref()
  return watchdog
}

type Place = { folder: string; classPath: string; clusterId: string }

const runTool = async ({ classPath, folder }: Place, name: string, args: readonly string[]) => {
  const child = spawn('java', [...JVM, '-cp', classPath, name, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said}`)
}

const format = async (place: Place, configFile: string): Promise<void> => {
  const { username, password } = SASL_USER
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${username},password=${password}]`,
  ])
  const args = ['format', '-t', place.clusterId, '-c', configFile, ...scram]
  await runTool(place, 'kafka.tools.StorageTool', args)
}

const createBroker = (place: Place, own: BrokerPorts, all: readonly BrokerPorts[]) => {
  const { classPath, folder } = place
  const configFile = join(folder, `server-${own.id}.properties`)
  const loggingFile = join(folder, `log4j-${own.id}.xml`)
  const logFile = join(folder, `broker-${own.id}.log`)
  writeFileSync(configFile, serverProperties(own, all, join(folder, `data-${own.id}`)))
  writeFileSync(loggingFile, loggingConfig(logFile))
  let running: { child: ChildProcess; watchdog: ChildProcess; ended: Promise<unknown> } | undefined

  const lastWords = (): string => {
    try {
      return readFileSync(logFile, 'utf8').slice(-LAST_WORDS_CHARS)
    } catch {
      return 'it said nothing'
    }
  }
  const start = async (): Promise<void> => {
    const logging = `-Dlog4j2.configurationFile=${loggingFile}`
    const args = [...JVM, logging, '-cp', classPath, 'kafka.Kafka', configFile]
    const child = spawn('java', args, { stdio: 'ignore', cwd: folder })
    const ended = once(child, 'exit')
    running = { child, watchdog: createWatchdog(child.pid!), ended }
    const giveUpMs = performance.now() + START_MS
    while (!(await accepts(own.plain))) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > giveUpMs) {
        throw new Error(`broker ${own.id} did not start: ${lastWords()}`)
      }
      await pause(50)
    }
  }
  const stop = async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> => {
    if (!running) return
    const { child, watchdog, ended } = running
    running = undefined
    child.kill(signal)
    await ended
    watchdog.kill('SIGKILL')
  }
  const broker: LocalBroker = { id: own.id, address: `127.0.0.1:${own.plain}`, start, stop }
  return { broker, format: () => format(place, configFile) }
}

const portsOf = async (brokers: number): Promise<BrokerPorts[]> => {
  const free = await findFreePorts(brokers * 3)
  return Array.from({ length: brokers }, (_, at) => ({
    id: at + 1,
    plain: free[at * 3]!,
    sasl: free[at * 3 + 1]!,
    controller: free[at * 3 + 2]!,
  }))
}

/** Starts one broker, or as many as asked for; needs Java 17 and, the first time, Maven. */
export const startLocalKafka = async (options: LocalKafkaOptions = {}): Promise<LocalKafka> => {
  const { brokers = 1, progress = () => {} } = options
  const classPath = kafkaClassPath(progress)
  const directory = createTemporaryDirectory('kafka')
  // 16 bytes in URL-safe base64, as Kafka writes its own.
  const clusterId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')
  const place = { folder: directory.path, classPath, clusterId: clusterId.replace(/^-/, 'A') }
  mkdirSync(place.folder, { recursive: true })
  const ports = await portsOf(brokers)
  const made = ports.map((own) => createBroker(place, own, ports))
  const nodes = made.map(({ broker }) => broker)
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    rmSync(place.folder, { recursive: true, force: true })
  }
  try {
    const startedMs = performance.now()
    await Promise.all(made.map((each) => each.format()))
    await Promise.all(nodes.map((node) => node.start()))
    progress(`${brokers} Kafka broker(s) up in ${Math.round(performance.now() - startedMs)} ms`)
  } catch (error) {
    await stop()
    throw error
  }
  const listed = (port: 'plain' | 'sasl') => ports.map((own) => `127.0.0.1:${own[port]}`).join(',')
  return { brokers: listed('plain'), saslBrokers: listed('sasl'), nodes, stop }
}
