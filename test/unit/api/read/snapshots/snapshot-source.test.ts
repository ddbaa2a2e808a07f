// Tests of the served snapshot: watermarks up to the checkpoint, few queries, and no change under a reader.
import { describe, expect, it } from 'vitest'
import { createSnapshotSource } from '../../../../../api/read/snapshots/snapshot-source.ts'
import type { Store } from '../../../../../infra/base/clickhouse/client.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import { createMemoryTables } from '../../../../support/store/memory-store.ts'
import {
  activateGeneration,
  proposalRow,
  seedMarks,
} from '../../../../support/store/read-model-seed.ts'

const setup = async () => {
  const tables = createMemoryTables()
  const queries: string[] = []
  const faults = { isAway: false }
  const read = (sql: string, params: Record<string, unknown>): unknown[] => {
    if (sql.includes('.generations')) return tables.final('generations')
    if (sql.includes('.checkpoints')) return tables.final('checkpoints')
    const [since, before] = [BigInt(String(params['since'])), BigInt(String(params['before']))]
    return tables
      .final('watermarks')
      .filter(({ position }) => BigInt(position) >= since && BigInt(position) < before)
      .sort((one, other) => Number(BigInt(one.position) - BigInt(other.position)))
  }
  const store = {
    insert: async (table: string, rows: readonly object[]) =>
      tables.insert(table.split('.').at(-1) as 'watermarks', rows),
    select: async (sql: string, params: Record<string, unknown> = {}) => {
      if (faults.isAway) throw new AppError('STORE_UNAVAILABLE', 'gone', { retryable: true })
      queries.push(sql)
      return read(sql, params)
    },
  } as unknown as Store
  await activateGeneration(store)
  const clock = createFakeClock({ startMs: Date.now(), autoAdvance: false })
  const { logger, lines } = recordingLogger()
  const state = createSnapshotSource({ store, logger, pollMs: 10, clock })
  return { state, store, queries, faults, clock, lines }
}

describe('the served snapshot', () => {
  it('is empty before the first checkpoint', async () => {
    const { state } = await setup()
    await state.refresh()
    expect(state.current()).toBeUndefined()
    expect(state.freshness()).toEqual({
      seconds: null,
      isMoving: false,
      isReachable: false,
      behind: { heights: null, seconds: null },
      catchUp: null,
      silentSinceMs: null,
    })
  })

  it('omits watermarks of a commit without a checkpoint', async () => {
    const { state, store } = await setup()
    const marks = [
      { id: 1, height: 9 },
      { id: 2, height: 11 },
    ]
    await seedMarks(store, { height: 10, marks })
    await state.refresh()
    expect([...(state.current()?.watermarks.keys() ?? [])]).toEqual(['1'])
    await seedMarks(store, { height: 11 })
    await state.refresh()
    expect([...(state.current()?.watermarks.keys() ?? [])]).toEqual(['1', '2'])
  })

  it('never changes while a reader uses it', async () => {
    const { state, store } = await setup()
    await seedMarks(store, { height: 10, marks: [{ id: 1 }] })
    await state.refresh()
    const snapshot = state.current()
    const before = snapshot?.watermarks.get(proposalRow(1, 1).proposal_id)
    await seedMarks(store, { height: 12, marks: [{ id: 1, final: true }] })
    await state.refresh()
    expect(snapshot?.watermarks.get('1')).toEqual(before)
    expect(state.current()?.watermarks.get('1')?.final).toBe(true)
  })

  it('reads watermarks only if the checkpoint moved', async () => {
    const { state, store, queries } = await setup()
    await seedMarks(store, { height: 10, marks: [{ id: 1 }] })
    for (let readSnapshot = 0; readSnapshot < 5; readSnapshot++) await state.refresh()
    expect(queries.filter((sql) => sql.includes('.watermarks'))).toHaveLength(1)
  })

  it('stays available while the store is down, and its age counts as lag', async () => {
    const { state, store, faults, clock } = await setup()
    await seedMarks(store, { height: 10, marks: [{ id: 1 }] })
    await state.refresh()
    faults.isAway = true
    await expect(state.refresh()).rejects.toThrow('gone')
    clock.advance(60_000)
    expect(state.current()?.height).toBe(10)
    expect(state.freshness().isReachable).toBe(false)
    expect(state.freshness().seconds).toBeGreaterThanOrEqual(60)
  })

  it('refreshes at once after a newer commit, and again if a refresh was in flight', async () => {
    const { state, queries } = await setup()
    const controller = new AbortController()
    const following = state.follow(controller.signal)
    const countCheckpointReads = () => queries.filter((sql) => sql.includes('.checkpoints')).length
    const flushPromises = () => new Promise((resolve) => setImmediate(resolve))
    state.wake()
    await flushPromises()
    expect(countCheckpointReads()).toBe(2)
    state.wake()
    await flushPromises()
    expect(countCheckpointReads()).toBe(3)
    controller.abort()
    await following
  })

  it('is refreshed until the source is stopped, and an outage is logged once', async () => {
    const { state, faults, lines } = await setup()
    faults.isAway = true
    const controller = new AbortController()
    const following = state.follow(controller.signal)
    await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    await following
    expect(lines.map(({ msg }) => msg)).toEqual(['could not read the snapshot'])
  })
})
