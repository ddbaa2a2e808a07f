// Runs Apache ZooKeeper as a local process: the coordination of replicas, which the embedded engine lacks.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePorts } from '../../devnet/ports.ts'
import { mavenClassPath } from '../process/maven-jars.ts'

const VERSION = '3.9.4'
const START_MS = 60_000
/** A connection made while the server starts can stay open without a response. */
const ANSWER_MS = 1_000
const JVM = ['-Xms32m', '-Xmx192m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

const PROGRAM = {
  title: 'Apache ZooKeeper',
  name: 'zookeeper',
  version: VERSION,
  artifacts: [
    `org.apache.zookeeper:zookeeper:${VERSION}`,
    // It needs these at run time, but declares them as optional.
    'io.dropwizard.metrics:metrics-core:4.1.12.1',
    'org.xerial.snappy:snappy-java:1.1.10.5',
  ],
}

export type ZooKeeper = { port: number; stop(): Promise<void> }

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.end('ruok'))
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.once('close', () => resolve(text === 'imok'))
    socket.once('error', () => resolve(false))
  })

const formatConfig = (folder: string, port: number): string => `dataDir=${join(folder, 'data')}
clientPortAddress=127.0.0.1
clientPort=${port}
tickTime=500
maxClientCnxns=0
admin.enableServer=false
4lw.commands.whitelist=ruok
`

const awaitReady = async (child: ChildProcess, port: number): Promise<void> => {
  const giveUpMs = performance.now() + START_MS
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > giveUpMs) {
      throw new Error('ZooKeeper did not start')
    }
    await pause(50)
  }
}

/** Ends with the process that started it. */
export const startZooKeeper = async (folder: string): Promise<ZooKeeper> => {
  const classPath = mavenClassPath(PROGRAM, (line) => console.log(line))
  const [port = 0] = await findFreePorts(1)
  const configFile = join(folder, 'zoo.cfg')
  writeFileSync(configFile, formatConfig(folder, port))
  const main = 'org.apache.zookeeper.server.ZooKeeperServerMain'
  const child = spawn('java', [...JVM, '-cp', classPath, main, configFile], {
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const script = 'cat >/dev/null; kill -9 "$1" 2>/dev/null'
  const watchdog = spawn('sh', ['-c', script, 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    watchdog.kill('SIGKILL')
  }
  try {
    await awaitReady(child, port)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, stop }
}
