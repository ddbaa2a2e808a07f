// Tests `npm run services`: two processes of each service serve during kills of the leaders, and the same data as one machine. They
// leave no process at their end.
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRecording } from '../../infra/app/demo/recording.ts'
import { readFacts } from '../support/process/read-facts.ts'
import {
  createRunFolder,
  type RollcallProcess,
  until,
} from '../support/process/rollcall-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READ_PAUSE_MS = 150
const PATHS = ['/api/proposals', '/api/proposals/1/votes', '/proposals', '/api/pools']

type Started = { name: string; pid: number; operatorsUrl: string }

/** One entry per started process, in order; a restarted process has two. */
const startedIn = (output: string): Started[] =>
  [...output.matchAll(/^started (\S+) \(process (\d+), operators (\S+)\)$/gm)].map(
    ([, name = '', pid = '', operatorsUrl = '']) => ({ name, pid: Number(pid), operatorsUrl }),
  )

const findInstance = (run: RollcallProcess, name: string): Started => {
  const found = startedIn(run.stderr()).findLast((each) => each.name === name)
  if (!found) throw new Error(`${name} was not started: ${run.stderr()}`)
  return found
}

const isLeading = async ({ operatorsUrl }: Started, service: string): Promise<boolean> => {
  const text = await (await fetch(new URL('/metrics', operatorsUrl))).text()
  return text.split('\n').includes(`rollcall_${service}_leading 1`)
}

const waitForLeader = (run: RollcallProcess, service: string): Promise<Started> =>
  until(`a leading ${service}`, 60_000, async () => {
    for (const number of [1, 2]) {
      const instance = findInstance(run, `${service}-${number}`)
      if (await isLeading(instance, service).catch(() => false)) return instance
    }
    return undefined
  })

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

type Takeover = { ms: number; from: string; to: string }

/** Waits until the other instance leads: the killed one restarts later. */
const killLeader = async (run: RollcallProcess, service: string): Promise<Takeover> => {
  const leader = await waitForLeader(run, service)
  const killedMs = performance.now()
  process.kill(leader.pid, 'SIGKILL')
  const next = await until(`the other ${service} leads`, 60_000, async () => {
    const leading = await waitForLeader(run, service)
    return leading.name === leader.name ? undefined : leading
  })
  return { ms: performance.now() - killedMs, from: leader.name, to: next.name }
}

const takeoverText = ({ ms, from, to }: Takeover): string => `${from} to ${to} ${seconds(ms)}`

/** Milliseconds until the same instance runs again and is ready. */
const untilRestarted = async (run: RollcallProcess, { name, pid }: Started): Promise<number> => {
  const startMs = performance.now()
  await until(`${name} is ready again`, 90_000, async () => {
    const { pid: newPid, operatorsUrl } = findInstance(run, name)
    if (newPid === pid) return undefined
    return (await fetch(new URL('/readyz', operatorsUrl))).ok ? true : undefined
  })
  return performance.now() - startMs
}

type Reads = { count: number; slowestMs: number; failures: string[] }

/** Reads one path after the other until aborted. */
const readOn = async (url: string, signal: AbortSignal): Promise<Reads> => {
  const reads: Reads = { count: 0, slowestMs: 0, failures: [] }
  while (!signal.aborted) {
    const path = PATHS[reads.count % PATHS.length] ?? '/'
    const startMs = performance.now()
    try {
      const response = await fetch(new URL(path, url))
      await response.text()
      if (!response.ok) reads.failures.push(`${path}: ${response.status}`)
    } catch (error) {
      reads.failures.push(`${path}: ${error}`)
    }
    reads.count += 1
    reads.slowestMs = Math.max(reads.slowestMs, performance.now() - startMs)
    await sleep(READ_PAUSE_MS)
  }
  return reads
}

const { lastHeight } = openRecording().manifest

/** The settings that the command prints, of one machine on the same chain. */
const settingsAlone = (output: string): Record<string, string> =>
  Object.fromEntries(
    [...output.matchAll(/export (\w+)='(.*)'/g)]
      .map(([, name = '', value = '']) => [name, value] as const)
      .filter(([name]) => !/^(?:KAFKA|CLICKHOUSE)_/.test(name)),
  )

describe('npm run services', () => {
  it('serves every read during kills of the leading ingest, the leading projections and an api, the data of one machine, and Ctrl-C ends all processes', {
    tags: 'rollcall:services-equal-one-machine',
  }, async () => {
    const { run, clean, folder } = await createRunFolder()
    onTestFinished(clean)
    const services = run({
      command: ['npm', 'run', '--silent', '--prefix', ROOT],
      args: ['services'],
      env: { DEMO_BLOCK_MS: '600', TMPDIR: folder },
    })
    const url = await services.untilServing(300_000)

    const stopping = new AbortController()
    const reading = readOn(url, stopping.signal)
    const ingest = await killLeader(services, 'ingest')
    const projections = await killLeader(services, 'projections')
    const api = findInstance(services, 'api-1')
    process.kill(api.pid, 'SIGKILL')
    const restartMs = await untilRestarted(services, api)
    stopping.abort()
    const { count, slowestMs, failures } = await reading
    console.log(
      `takeover: ${takeoverText(ingest)}, ${takeoverText(projections)}; api-1 ready again after ${seconds(restartMs)}; ` +
        `${count} reads, ${failures.length} failed, the slowest took ${seconds(slowestMs)}`,
    )
    expect(count).toBeGreaterThan(50)
    expect(failures).toEqual([])

    const servedFacts = await readFacts(url, lastHeight)
    const machine = run({ env: settingsAlone(services.stdout()) })
    const expected = await readFacts(await machine.untilServing(), lastHeight)
    expect(servedFacts).toEqual(expected)

    services.signal('SIGINT', { group: true })
    // npm itself ends by the signal after the script has ended.
    expect(await services.ended).toMatchObject({ signal: 'SIGINT' })
    await services.untilNoneLeft(5_000)
    expect(services.stderr()).not.toMatch(/"level":"fatal"/)
    expect(readdirSync(folder).filter((name) => name.startsWith('rollcall-'))).toEqual([])
  })
})
