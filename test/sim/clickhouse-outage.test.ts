// Kills ClickHouse during projection and restarts it after a minute, while the chain continues.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../../infra/base/clickhouse/embedded-server.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { startIngest } from '../../ingest/main.ts'
import { ingestConfig, readEvents, withoutLiveReadings } from '../support/chain/ingest-run.ts'
import { startTestNode } from '../support/chain/test-recording.ts'
import { freshTables, normalised, readTables } from '../support/fold/read-tables.ts'
import { caughtUp, finalTables, projectAll, startForTest } from '../support/fold/run-projections.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { until } from '../support/process/rollcall-process.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'
import { openLogAt, toEmbeddedLocation } from './log-locations.ts'

const OUTAGE_MS = 60_000
const WAIT_TIMEOUT_MS = 200_000
const CONTROL = 'rollcall'
/** Blocks at the start; the last blocks are made during and after the outage. */
const PRELOAD = 200
const BLOCK_MS = 250

const ingestInto = async (log: EventLog, url: string) => {
  const ingest = await startIngest({
    config: ingestConfig({ CHAIN_RPC_URLS: url }),
    log,
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(() => ingest.close())
  return ingest
}

/** The result of an undisturbed run over the whole recording. */
const undisturbed = async () => {
  const node = await startTestNode({ preload: Number.MAX_SAFE_INTEGER })
  onTestFinished(() => node.close())
  const log = openMemoryLog()
  const ingest = await ingestInto(log, node.url)
  const lastHeight = node.height()
  await until('the whole recording', WAIT_TIMEOUT_MS, () =>
    ingest.progress().height >= lastHeight ? true : undefined,
  )
  await ingest.close()
  return { log, lastHeight }
}

const readFacts = async (log: EventLog) => withoutLiveReadings(await readEvents(log))

const setup = async () => {
  const directory = createTemporaryDirectory('sim')
  onTestFinished(() => directory.remove())
  const password = randomBytes(12).toString('hex')
  const start = (ports: { httpPort?: number; tcpPort?: number | undefined } = {}) =>
    startEmbeddedClickHouse({
      dataDir: join(directory.path, 'clickhouse'),
      password,
      logger: silentLogger(),
      ...ports,
    })
  const engine = await start()
  const store = createStore(engine)
  await freshTables(store, CONTROL)
  const log = await openLogAt(toEmbeddedLocation(join(directory.path, 'log')))
  onTestFinished(() => log.close())
  return { start, engine, store, log }
}

it('an outage of ClickHouse for 60 s loses nothing: the tables equal those of an undisturbed run', async () => {
  const { start, engine, store, log } = await setup()
  const node = await startTestNode({ preload: PRELOAD, blockMs: BLOCK_MS })
  onTestFinished(() => node.close())
  const projections = await startForTest(log, store, { batchEvents: 50 })
  onTestFinished(() => projections.close())
  const ingest = await ingestInto(log, node.url)
  await until('something is projected', WAIT_TIMEOUT_MS, () =>
    projections.progress().nextOffset > 0n ? true : undefined,
  )
  const { httpPort, tcpPort } = engine
  process.kill(engine.pid, 'SIGKILL')
  await engine.exited
  const heightBefore = ingest.progress().height
  const [expected] = await Promise.all([undisturbed(), pause(OUTAGE_MS)])
  // Ingest followed the chain during the outage, and no commit was lost.
  expect(ingest.progress().height).toBeGreaterThan(heightBefore)
  expect(projections.progress().isCaughtUp).toBe(false)
  const again = await start({ httpPort, tcpPort })
  onTestFinished(() => again.close())
  await until('the whole recording is in the log', WAIT_TIMEOUT_MS, () =>
    ingest.progress().height >= expected.lastHeight ? true : undefined,
  )
  await ingest.close()
  expect(await readFacts(log)).toEqual(await readFacts(expected.log))
  await caughtUp(projections, log)
  await projections.close()
  const memory = createMemoryStore()
  await projectAll(log, memory)
  expect(await readTables(store, CONTROL)).toEqual(normalised(finalTables(memory.tables)))
  await store.close()
})
