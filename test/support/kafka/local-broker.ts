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
import { runToEnd } from '../process/command.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'
import { createWatchdog } from '../process/watchdog.ts'
import { type BrokerPorts, loggingConfig, serverProperties } from './broker-config.ts'
import { kafkaClassPath } from './kafka-jars.ts'

export type LocalBroker = {
  id: number
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /** With SIGKILL by default. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Freezes the broker until it is killed: connections stay open without responses. */
  freeze(): void
}

export type LocalKafka = {
  /** host:port of every broker, separated by commas: the value of KAFKA_BROKERS. */
  brokers: string
  nodes: readonly LocalBroker[]
  /** Stops all brokers and removes their data. */
  stop(): Promise<void>
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

type BrokerSetup = { folder: string; classPath: string; clusterId: string }

const format = async (setup: BrokerSetup, configFile: string): Promise<void> => {
  const tool = [...JVM, '-cp', setup.classPath, 'kafka.tools.StorageTool']
  const args = [...tool, 'format', '-t', setup.clusterId, '-c', configFile]
  const { code, stdout, stderr } = await runToEnd('java', args, { cwd: setup.folder })
  if (code !== 0) throw new Error(`java ended with ${code}: ${stdout}${stderr}`)
}

const createBroker = (setup: BrokerSetup, own: BrokerPorts, all: readonly BrokerPorts[]) => {
  const { classPath, folder } = setup
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
  const broker: LocalBroker = { id: own.id, start, stop, freeze }
  return { broker, format: () => format(setup, configFile) }
}

const choosePorts = async (brokers: number): Promise<BrokerPorts[]> => {
  const free = await findFreePorts(brokers * 2)
  return Array.from({ length: brokers }, (_, at) => ({
    id: at + 1,
    plain: free[at * 2]!,
    controller: free[at * 2 + 1]!,
  }))
}

/** Starts one or more brokers; needs Java 17, and Maven for the first start. */
export const startLocalKafka = async ({
  brokers = 1,
  progress = () => {},
}: {
  brokers?: number
  progress?: (line: string) => void
} = {}): Promise<LocalKafka> => {
  const classPath = await kafkaClassPath(progress)
  const directory = createTemporaryDirectory('kafka')
  // 16 bytes in URL-safe base64, the format of Kafka.
  const clusterId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')
  const setup: BrokerSetup = {
    folder: directory.path,
    classPath,
    clusterId: clusterId.replace(/^-/, 'A'),
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
  return { brokers: ports.map(({ plain }) => `127.0.0.1:${plain}`).join(','), nodes, stop }
}
