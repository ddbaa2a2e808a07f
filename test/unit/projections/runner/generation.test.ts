// Tests the running projections: order of writes, checkpoints, heartbeats, and failures.
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import { PROJECTIONS_CONFIG } from '../../../../projections/config.ts'
import { type Projections, startProjections } from '../../../../projections/main.ts'
import { caughtUp, projectAll, startForTest } from '../../../support/fold/run-projections.ts'
import {
  createHeightEvents,
  firstReading,
  submitted,
  toLogEntry,
  undecodableEvent,
  votingStarted,
} from '../../../support/log/governance-events.ts'
import { pool } from '../../../support/log/governance-values.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'
import { createMemoryStore, type TableName } from '../../../support/store/memory-store.ts'

const running: Projections[] = []
afterEach(async () => {
  for (const projections of running.splice(0)) await projections.close()
})

const opening = [
  createHeightEvents(1, [submitted('7')], 1),
  createHeightEvents(2, [votingStarted('7'), firstReading('7', [pool('a')])], 1),
]

const setup = () => {
  const log = openMemoryLog()
  const store = createMemoryStore()
  const append = (events: ReturnType<typeof createHeightEvents>) =>
    log.append(events.map(toLogEntry))
  const start = async (config = {}) => {
    const projections = await startForTest(log, store, config)
    running.push(projections)
    return projections
  }
  const checkpoint = () => store.tables.final('checkpoints')[0]
  return { log, store, append, start, checkpoint }
}

const until = async (condition: () => boolean): Promise<void> => {
  const deadline = Date.now() + 30_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition was not met in time')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

describe('the projections', () => {
  it('write rows first, then watermarks, then the checkpoint', async () => {
    const { log, store, append } = setup()
    const order: TableName[] = []
    store.onInsert = (table) => order.push(table)
    const { insert } = store
    store.insert = async (table, rows) => {
      if (table.endsWith('.watermarks')) await later(20)
      await insert(table, rows)
    }
    for (const height of opening) await append(height)
    await projectAll(log, store)
    const watermarks = order.indexOf('watermarks')
    const checkpoints = order.indexOf('checkpoints')
    expect(order.slice(1, watermarks).sort()).toEqual(
      ['events', 'pool_states', 'pools', 'proposals', 'tallies'].sort(),
    )
    expect(checkpoints).toBe(watermarks + 1)
  })

  it('begin before what waits for its state, also if the markers know of nothing open', async () => {
    const { append, start, checkpoint, log } = setup()
    for (const height of opening) await append(height)
    await append(createHeightEvents(3, []))
    await caughtUp(await start(), log)
    expect(checkpoint()).toMatchObject({ height: '3', refold_offset: '0' })
  })

  it('write a heartbeat at least every second without events', async () => {
    const { append, log, start, checkpoint } = setup()
    await append(createHeightEvents(1, []))
    const projections = await start({ heartbeatMs: 20 })
    await caughtUp(projections, log)
    const first = checkpoint()
    await until(() => checkpoint()?.written_at !== first?.written_at)
    expect(checkpoint()).toMatchObject({ next_offset: '1', height: '1' })
    expect(PROJECTIONS_CONFIG.heartbeatMs).toBeLessThanOrEqual(1000)
  })

  it('report the waiting time of the oldest height while they wait', async () => {
    const { store, append, start, checkpoint } = setup()
    await append(createHeightEvents(1, []))
    const projections = await start({ heartbeatMs: 10, storeRetryMaxMs: 5 })
    await until(() => projections.progress().isCaughtUp)
    store.onInsert = (table) => {
      if (table === 'events') throw new AppError('STORE_UNAVAILABLE', 'gone', { retryable: true })
    }
    await append(createHeightEvents(2, []))
    await until(() => checkpoint()?.oldest_waiting_since !== null)
    expect(checkpoint()).toMatchObject({ height: '1', lag_events: '1', log_end: '2' })
    expect(projections.progress().oldestWaitingSinceMs).toBeLessThanOrEqual(Date.now())
    store.onInsert = () => {}
    await until(() => checkpoint()?.height === '2')
    await until(() => checkpoint()?.oldest_waiting_since === null)
  })

  it('refuse to write two chains into one set of tables', async () => {
    const { log, store, append } = setup()
    for (const height of opening) await append(height)
    await projectAll(log, store)
    const foreign = createHeightEvents(3, []).map((event) => ({
      ...event,
      source: '/chains/other-1',
    }))
    await log.append(foreign.map(toLogEntry))
    const projections = await startForTest(log, store)
    running.push(projections)
    await expect(projections.done).rejects.toMatchObject({ code: 'CHAIN_MISMATCH' })
  })

  it('raise an alert for an undecodable record, once', async () => {
    const { log, store, append } = setup()
    for (const height of opening) await append(height)
    await append(createHeightEvents(3, [undecodableEvent('7')], 1))
    const { logger, lines } = recordingLogger()
    const config = PROJECTIONS_CONFIG
    const counted: string[] = []
    for (let attempt = 0; attempt < 2; attempt++) {
      const metrics = createMetrics('projections')
      const options = { config, log, store, logger, metrics }
      const projections = await startProjections(options)
      await caughtUp(projections, log)
      await projections.close()
      counted.push(await metrics.registry.metrics())
    }
    const errors = lines.filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([
      { height: '3', proposalId: '7', msg: 'could not decode a record' },
    ])
    expect(counted[0]).toContain('rollcall_projections_undecodable_records_total 1')
    expect(counted[1]).toContain('rollcall_projections_undecodable_records_total 0')
  })
})
