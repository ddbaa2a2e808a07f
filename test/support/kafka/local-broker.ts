// Apache Kafka as local processes, for tests and for development: KRaft, one or several brokers, on loopback.
// Every broker ends with the process that started it, even after SIGKILL.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePorts } from '../../devnet/ports.ts'
import { mavenClassPath } from '../process/maven-jars.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'
import { createWatchdog } from '../process/watchdog.ts'
import {
  type BrokerPorts,
  type Keystore,
  loggingConfig,
  SASL_USER,
  serverProperties,
} from './broker-config.ts'

const VERSION = '4.1.0'

/** The class path of a complete Apache Kafka. */
const kafkaClassPath = (progress: (line: string) => void): string =>
  mavenClassPath(
    {
      title: 'Apache Kafka',
      name: 'kafka',
      version: VERSION,
      artifacts: [
        `org.apache.kafka:kafka_2.13:${VERSION}`,
        `org.apache.kafka:kafka-tools:${VERSION}`,
        // Without this logger Kafka logs nothing, not even why a broker ends.
        'org.apache.logging.log4j:log4j-slf4j-impl:2.24.3',
      ],
    },
    progress,
  )

export type LocalBroker = {
  id: number
  /** host:port */
  address: string
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /** With SIGKILL by default. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Freezes the broker until it is killed: connections stay open without responses. */
  freeze(): void
  /** Resolves when the broker has ended for any reason, or at once if it does not run. */
  ended(): Promise<void>
}

export type LocalKafka = {
  /** host:port of every broker, separated by commas: the value of KAFKA_BROKERS. */
  brokers: string
  /** The same over TLS with a login, if requested. */
  secure: { brokers: string; caFile: string } | undefined
  nodes: readonly LocalBroker[]
  /** Stops all brokers and removes their data. */
  stop(): Promise<void>
}

export type LocalKafkaOptions = {
  brokers?: number
  /** Also listens with TLS, with the login `SASL_USER`. */
  secure?: boolean
  progress?: (line: string) => void
}

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

type BrokerSetup = { folder: string; classPath: string; clusterId: string; keystore?: Keystore }

const run = async (command: string, args: readonly string[], cwd: string): Promise<void> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`)
}

/** A self-signed certificate for loopback; clients trust its PEM. */
const createKeystore = async (folder: string): Promise<{ keystore: Keystore; caFile: string }> => {
  const keystore = { file: join(folder, 'broker.p12'), password: 'only-for-tests' }
  const caFile = join(folder, 'ca.pem')
  const store = ['-keystore', keystore.file, '-storepass', keystore.password, '-alias', 'broker']
  const names = ['-dname', 'CN=localhost', '-ext', 'san=ip:127.0.0.1,dns:localhost']
  const key = ['-genkeypair', '-keyalg', 'EC', '-storetype', 'PKCS12', '-validity', '2']
  await run('keytool', [...key, ...store, ...names], folder)
  await run('keytool', ['-exportcert', '-rfc', '-file', caFile, ...store], folder)
  return { keystore, caFile }
}

const format = async (setup: BrokerSetup, configFile: string): Promise<void> => {
  const { username, password } = SASL_USER
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${username},password=${password}]`,
  ])
  const tool = [...JVM, '-cp', setup.classPath, 'kafka.tools.StorageTool']
  const args = ['format', '-t', setup.clusterId, '-c', configFile, ...scram]
  await run('java', [...tool, ...args], setup.folder)
}

const createBroker = (setup: BrokerSetup, own: BrokerPorts, all: readonly BrokerPorts[]) => {
  const { classPath, folder, keystore } = setup
  const configFile = join(folder, `server-${own.id}.properties`)
  const loggingFile = join(folder, `log4j-${own.id}.xml`)
  const logFile = join(folder, `broker-${own.id}.log`)
  writeFileSync(
    configFile,
    serverProperties(own, { all, keystore }, join(folder, `data-${own.id}`)),
  )
  writeFileSync(loggingFile, loggingConfig(logFile))
  let running: { child: ChildProcess; watchdog: ChildProcess; ended: Promise<unknown> } | undefined

  const lastWords = (): string => {
    try {
      return readFileSync(logFile, 'utf8').slice(-LAST_WORDS_CHARS)
    } catch {
      return 'it printed nothing'
    }
  }
  const start = async (): Promise<void> => {
    const logging = `-Dlog4j2.configurationFile=${loggingFile}`
    const args = [...JVM, logging, '-cp', classPath, 'kafka.Kafka', configFile]
    // Its own process group: after Ctrl-C, the users of the broker end first.
    const child = spawn('java', args, { stdio: 'ignore', cwd: folder, detached: true })
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
  const freeze = () => {
    running?.child.kill('SIGSTOP')
  }
  const ended = async () => {
    await running?.ended
  }
  const address = `127.0.0.1:${own.plain}`
  const broker: LocalBroker = { id: own.id, address, start, stop, freeze, ended }
  return { broker, format: () => format(setup, configFile) }
}

const choosePorts = async (brokers: number): Promise<BrokerPorts[]> => {
  const free = await findFreePorts(brokers * 3)
  return Array.from({ length: brokers }, (_, at) => ({
    id: at + 1,
    plain: free[at * 3]!,
    secure: free[at * 3 + 1]!,
    controller: free[at * 3 + 2]!,
  }))
}

/** Starts one or more brokers; needs Java 17, and Maven for the first start. */
export const startLocalKafka = async (options: LocalKafkaOptions = {}): Promise<LocalKafka> => {
  const { brokers = 1, progress = () => {} } = options
  const classPath = kafkaClassPath(progress)
  const directory = createTemporaryDirectory('kafka')
  // 16 bytes in URL-safe base64, the format of Kafka.
  const clusterId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')
  const certificate = options.secure ? await createKeystore(directory.path) : undefined
  const setup: BrokerSetup = {
    folder: directory.path,
    classPath,
    clusterId: clusterId.replace(/^-/, 'A'),
    ...(certificate ? { keystore: certificate.keystore } : {}),
  }
  const ports = await choosePorts(brokers)
  const made = ports.map((own) => createBroker(setup, own, ports))
  const nodes = made.map(({ broker }) => broker)
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    rmSync(setup.folder, { recursive: true, force: true })
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
  const listed = (port: 'plain' | 'secure') =>
    ports.map((own) => `127.0.0.1:${own[port]}`).join(',')
  const secure = certificate && { brokers: listed('secure'), caFile: certificate.caFile }
  return { brokers: listed('plain'), secure, nodes, stop }
}
