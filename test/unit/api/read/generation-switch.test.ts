// Tests of a switch of generations: data never goes back in time, and old cursors stay valid for a while.
import { describe, expect, it } from 'vitest'
import { createSnapshotSource } from '../../../../api/read/snapshots.ts'
import type { Store } from '../../../../infra/base/clickhouse/client.ts'
import type { GenerationState } from '../../../../projections/contract/tables/positions.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'
import { timestampAt } from '../../../support/store/read-model-seed.ts'

const MINUTE = 60_000
const at = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')

const setup = () => {
  const clock = createFakeClock({ startMs: Date.parse('2026-11-21T08:00:00Z'), autoAdvance: false })
  const generations = new Map<number, { state: GenerationState; changedAtMs: number }>()
  const heights = new Map<number, number>()
  const queries: string[] = []
  const createCheckpoint = (generation: number, height: number) => ({
    next_offset: String(height),
    refold_offset: '0',
    chain_id: 'test-1',
    height: String(height),
    time: timestampAt(height),
    tip: String(height),
    log_end: String(height),
    lag_events: '0',
    oldest_waiting_since: null,
    limitations: '[]',
    history: '',
    written_at: at(clock.now()),
    generation,
  })
  const select = async (sql: string): Promise<unknown[]> => {
    queries.push(sql)
    if (sql.includes('.generations')) {
      return [...generations]
        .filter(([, { state }]) => state === 'active' || state === 'retired')
        .map(([generation, { state, changedAtMs }]) => ({
          generation,
          state,
          reason: '',
          version: '1',
          changed_at: at(changedAtMs),
        }))
    }
    const generation = Number(/rollcall_(\d+)\./.exec(sql)?.[1])
    const height = heights.get(generation)
    return sql.includes('.checkpoints') && height ? [createCheckpoint(generation, height)] : []
  }
  const store = { select } as unknown as Store
  const state = createSnapshotSource({ store, logger: silentLogger(), pollMs: 75, clock })
  const set = (generation: number, newState: GenerationState) =>
    generations.set(generation, { state: newState, changedAtMs: clock.now() })
  const serve = async (generation: number, height: number) => {
    set(generation, 'active')
    heights.set(generation, height)
    await state.refresh()
  }
  const readSnapshot = async () => {
    clock.advance(501)
    await state.refresh()
    return state.current()?.generation
  }
  return { state, clock, heights, queries, set, serve, readSnapshot }
}

describe('a switch of generations', () => {
  it('to a generation that is slightly behind waits until that generation catches up', async () => {
    const { state, clock, heights, set, serve, readSnapshot } = setup()
    await serve(1, 10)
    set(1, 'retired')
    set(2, 'active')
    expect(await readSnapshot()).toBe(1)
    heights.set(2, 9)
    expect(await readSnapshot()).toBe(1)
    heights.set(1, 11)
    await readSnapshot()
    expect(state.current()?.height).toBe(11)
    heights.set(2, 11)
    expect(await readSnapshot()).toBe(2)
    // The next one waits again, however long ago that was.
    clock.advance(MINUTE)
    set(2, 'retired')
    set(3, 'active')
    heights.set(3, 10)
    expect(await readSnapshot()).toBe(2)
  })
})

describe('a cursor', () => {
  it('of the previous generation stays valid for 15 minutes, with current data', {
    tags: 'api:cursors-outlive-a-switch',
  }, async () => {
    const { state, clock, heights, set, serve, readSnapshot } = setup()
    await serve(1, 10)
    set(1, 'retired')
    await serve(2, 10)
    expect(await readSnapshot()).toBe(2)
    heights.set(1, 12)
    clock.advance(75)
    expect(await state.find(1)).toMatchObject({ generation: 1, database: 'rollcall_1', height: 12 })
    clock.advance(14 * MINUTE)
    expect((await state.find(1))?.generation).toBe(1)
    clock.advance(MINUTE)
    expect(await state.find(1)).toBeUndefined()
  })

  it('of a generation that was never served, or was dropped, is refused', async () => {
    const { state, heights, set, serve } = setup()
    await serve(4, 10)
    set(1, 'dropped')
    set(2, 'failed')
    set(5, 'building')
    for (const generation of [1, 2, 5]) heights.set(generation, 10)
    for (const generation of [0, 1, 2, 3, 5, 999_999_999]) {
      expect([generation, await state.find(generation)]).toEqual([generation, undefined])
    }
  })
})
