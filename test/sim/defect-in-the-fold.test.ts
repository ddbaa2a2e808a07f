// Tests a defect in the fold, with the writer as a process under the real supervisor and a real ClickHouse.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { resolveDataPaths } from '../../infra/app/data-dir.ts'
import { readMachineConfig } from '../../infra/app/machine-settings.ts'
import {
  MACHINE_SERVICES,
  planMachine,
  startMachineOperators,
} from '../../infra/app/start/machine.ts'
import { keepRunning, spawnService } from '../../infra/app/start/supervisor.ts'
import type { Readiness } from '../../infra/base/http/operators.ts'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { createLifecycle } from '../../infra/base/runtime/lifecycle.ts'
import { decodeEvent } from '../../ingest/contract/codec.ts'
import { readCheckpoint } from '../../projections/contract/checkpoints.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { dropTables, freshTables, readTables } from '../support/fold/read-tables.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { until } from '../support/process/rollcall-process.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'
import { type Bundle, bundleChild } from './bundle.ts'
import { createSeededStory, toControlName, undisturbedTables } from './seeded-tables.ts'

const SEED = 4
const PLANTED_HEIGHT = 25
const STORY = createSeededStory(SEED)
const PLANTED_OFFSET = BigInt(STORY.slice(0, PLANTED_HEIGHT).flat().length)
const PLANTED = decodeEvent(STORY.flat()[Number(PLANTED_OFFSET)]!.value)
const EVENT_ID = PLANTED.ok ? PLANTED.event.id : ''
const EVENT = `(${EVENT_ID}) at offset ${PLANTED_OFFSET}`

let bundle: Bundle
let clickHouse: TestClickHouse
beforeAll(async () => {
  bundle = await bundleChild('supervised', { 'evolve.ts': 'planted-evolve' })
  clickHouse = await startTestClickHouse()
})
afterAll(async () => {
  bundle.remove()
  await clickHouse.stop()
})

const fillLog = async (path: string): Promise<void> => {
  const log = await openEmbeddedLog({ path })
  for (const height of STORY) await log.append(height)
  await log.close()
}

const startMachine = async (directory: string, plantedFile: string, control: string) => {
  const { url, username, password } = clickHouse
  const logger = silentLogger()
  const lifecycle = createLifecycle({ logger, budgetMs: 10_000 })
  onTestFinished(() => lifecycle.shutdown('end of the test'))
  const lines: string[] = []
  /** Parts that the supervisor reported as recovered, in order. */
  const working: string[] = []
  const down = new (class extends Map<string, string> {
    override delete(part: string): boolean {
      working.push(part)
      return super.delete(part)
    }
  })()
  const settings = {
    config: readMachineConfig({ LOG_LEVEL: 'info' }),
    store: { url, username, password },
    api: { host: '127.0.0.1', port: 0 },
  }
  const planted = { PLANTED_FILE: plantedFile, PLANTED_EVENT: EVENT_ID }
  const env = { PATH: process.env['PATH'], CONTROL: control, ...planted }
  const plan = await planMachine(settings, env, resolveDataPaths(directory))
  const supervised = { lifecycle, logger, down }
  const operators = await startMachineOperators({ host: '127.0.0.1', port: 0, plan, ...supervised })
  lifecycle.onShutdown('operators', () => operators.close())
  for (const name of MACHINE_SERVICES) {
    const start = () =>
      spawnService({
        command: [fileURLToPath(bundle.url), name],
        env: plan[name].env,
        settings: Promise.resolve(plan.secrets),
        onLine: (line) => void lines.push(line),
        stopMs: 3_000,
      })
    lifecycle.onShutdown(name, keepRunning({ name, start }, supervised).stop)
  }
  /** On a busy machine, a writer that has just started does not answer yet. */
  const readiness = async (): Promise<Readiness> => {
    const response = await fetch(new URL('/readyz', operators.url))
    const { ready, reasons } = (await response.json()) as Readiness
    const isStarting = (reason: string) => /^writer: (?:does not answer|starting)$/.test(reason)
    return { ready, reasons: reasons.filter((reason) => !isStarting(reason)) }
  }
  return { readiness, lines, working, lifecycle }
}

it('a defect in the fold loses nothing: it stops the writer before the commit, and /readyz names the event until the writer has passed it', {
  tags: 'projections:defect-stops',
}, async () => {
  const directory = createTemporaryDirectory('sim')
  onTestFinished(() => directory.remove())
  const control = toControlName(SEED)
  const { store } = clickHouse
  await freshTables(store, control)
  onTestFinished(() => dropTables(store, control))
  await fillLog(join(directory.path, 'log'))
  const plantedFile = join(directory.path, 'planted')
  writeFileSync(plantedFile, '')

  const machine = await startMachine(directory.path, plantedFile, control)
  const { readiness, lines, working, lifecycle } = machine
  const { reasons } = await until('a third failure', 60_000, async () => {
    const answer = await readiness()
    return answer.reasons.join().includes('ended 3 times') ? answer : undefined
  })
  expect(reasons).toEqual([
    expect.stringMatching(/^writer: .*FOLD_FAILED: .* TypeError: Cannot read/),
  ])
  expect(reasons[0]).toContain(EVENT)
  expect(lines.filter((line) => line.includes('failed permanently'))[0]).toContain(EVENT)

  // The restarted writer becomes ready and fails again: the supervisor must not report it as recovered.
  const before = working.length
  await until('a fifth failure', 60_000, async () => {
    const answer = await readiness()
    expect(answer).toEqual({ ready: false, reasons: [expect.stringContaining(EVENT)] })
    return answer.reasons.join().includes('ended 5 times') ? true : undefined
  })
  expect(working.length).toBe(before)
  const readPosition = () => readCheckpoint(store, toDatabaseName(1, control))
  const checkpoint = await readPosition()
  expect(checkpoint?.nextOffset).toBeGreaterThan(0n)
  expect(checkpoint?.nextOffset).toBeLessThanOrEqual(PLANTED_OFFSET)
  const [committed] = await store.select<{ height: string }>(
    `SELECT max(height) AS height FROM ${toDatabaseName(1, control)}.events`,
  )
  expect(Number(committed?.height)).toBe(checkpoint?.height)

  rmSync(plantedFile)
  await until('a machine that is ready', 90_000, async () =>
    (await readiness()).ready ? true : undefined,
  )
  expect(working.slice(before)).toEqual(['writer'])
  await until('the end of the log', 60_000, async () =>
    (await readPosition())?.nextOffset === BigInt(STORY.flat().length) ? true : undefined,
  )
  expect(await readTables(store, control)).toEqual(await undisturbedTables(STORY))
  expect(lifecycle.failure()).toBeUndefined()
})
