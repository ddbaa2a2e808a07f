// Tests several generations together: which are started, which are stopped, and the effects of failures.
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { Generation } from '../../../../projections/contract/generations.ts'
import type { GenerationState } from '../../../../projections/contract/tables/generations.ts'
import { startGenerationSet } from '../../../../projections/generations/set.ts'
import { findDisposable } from '../../../../projections/generations/sweep.ts'
import type { GenerationRunner } from '../../../../projections/runner/generation.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

const NOW_MS = 1_000_000_000
const MINUTE = 60_000

const createGeneration = (generation: number, state: GenerationState, agoMs = 0): Generation => ({
  generation,
  state,
  reason: '',
  version: 1n,
  changedAtMs: NOW_MS - agoMs,
})

const controllers: AbortController[] = []
afterEach(() => {
  for (const controller of controllers.splice(0)) controller.abort()
})

const setup = async (...rows: Generation[]) => {
  const controller = new AbortController()
  controllers.push(controller)
  const list = new Map(rows.map((row) => [row.generation, row]))
  const begun: number[] = []
  const ended: number[] = []
  const faults = new Map<number, (error: unknown) => void>()
  const start = async (generation: number): Promise<GenerationRunner> => {
    begun.push(generation)
    let end = () => {}
    const done = new Promise<void>((resolve, reject) => {
      end = resolve
      faults.set(generation, reject)
    })
    const stop = async () => {
      ended.push(generation)
      end()
    }
    return { generation, done, stop, runner: {} as GenerationRunner['runner'] }
  }
  const set = await startGenerationSet(1, {
    start,
    controller,
    read: async () => [...list.values()],
    markFailed: async (from, reason) => {
      list.set(from.generation, { ...from, state: 'failed', reason })
    },
    sweep: async () => {},
    logger: silentLogger(),
    clock: { now: () => NOW_MS, sleep: () => new Promise((resolve) => setImmediate(resolve)) },
  })
  const followed = set.follow()
  followed.catch(() => {})
  const until = async (isTrue: () => boolean) => {
    for (let turn = 0; !isTrue(); turn++) {
      if (turn > 1_000) throw new Error('the condition was not met in time')
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { set, followed, list, begun, ended, faults, until, controller }
}

describe('the generations that are projected', () => {
  it('are the served one, those being built, and those that were served recently', async () => {
    const { begun, until } = await setup(
      createGeneration(1, 'active'),
      createGeneration(2, 'building'),
      createGeneration(3, 'retired', 14 * MINUTE),
      createGeneration(4, 'retired', 15 * MINUTE),
      createGeneration(5, 'failed'),
      createGeneration(6, 'dropped'),
    )
    await until(() => begun.length === 3)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(begun).toEqual([1, 2, 3])
  })

  it('follow a switch, and end when they are dropped', async () => {
    const { set, list, ended, until } = await setup(
      createGeneration(1, 'active'),
      createGeneration(2, 'building'),
    )
    list.set(1, createGeneration(1, 'retired'))
    list.set(2, createGeneration(2, 'active'))
    await until(() => set.active().generation === 2)
    expect(ended).toEqual([])
    list.set(1, createGeneration(1, 'dropped'))
    await until(() => ended.length > 0)
    expect(ended).toEqual([1])
  })

  it('continue if one that is being built fails: it is marked with its reason and not started again', async () => {
    const { set, list, begun, faults, until, controller } = await setup(
      createGeneration(1, 'active'),
      createGeneration(2, 'building'),
    )
    await until(() => faults.has(2))
    faults.get(2)?.(new AppError('STORE_REFUSED', 'no such table'))
    await until(() => list.get(2)?.state === 'failed')
    expect(list.get(2)?.reason).toBe('no such table')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(begun).toEqual([1, 2])
    expect([set.active().generation, controller.signal.aborted]).toEqual([1, false])
  })

  it('restart one with a retryable failure', async () => {
    const { list, begun, faults, until } = await setup(
      createGeneration(1, 'active'),
      createGeneration(2, 'building'),
    )
    await until(() => faults.has(2))
    faults.get(2)?.(new AppError('LOG_UNAVAILABLE', 'away', { retryable: true }))
    await until(() => begun.length === 3)
    expect(begun).toEqual([1, 2, 2])
    expect(list.get(2)?.state).toBe('building')
  })

  it('all end if the served one fails, also right after a switch', async () => {
    const first = await setup(createGeneration(1, 'active'), createGeneration(2, 'building'))
    await first.until(() => first.faults.has(2))
    first.faults.get(1)?.(new AppError('CHAIN_MISMATCH', 'another chain'))
    await expect(first.followed).rejects.toMatchObject({ code: 'CHAIN_MISMATCH' })
    expect(first.ended).toEqual([2])

    const second = await setup(createGeneration(1, 'active'), createGeneration(2, 'building'))
    await second.until(() => second.faults.has(2))
    second.list.set(1, createGeneration(1, 'retired'))
    second.list.set(2, createGeneration(2, 'active'))
    second.faults.get(2)?.(new AppError('LOG_DAMAGED', 'a record fails its checksum'))
    await expect(second.followed).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
  })
})

describe('the generations to drop', () => {
  const rows = [
    createGeneration(1, 'retired', 60 * MINUTE),
    createGeneration(2, 'retired', 20 * MINUTE),
    createGeneration(3, 'retired', 10 * MINUTE),
    createGeneration(4, 'active', 10 * MINUTE),
    createGeneration(5, 'failed', 90 * MINUTE),
    createGeneration(6, 'building', 90 * MINUTE),
  ]
  it.each([
    [0, [2, 1]],
    [1, [2, 1]],
    [2, [1]],
    [3, []],
  ])('are, with %i kept, the old retired ones: %j', (keep, gone) => {
    const found = findDisposable(rows, { keep, nowMs: NOW_MS })
    expect(found.map(({ generation }) => generation)).toEqual(gone)
  })
})
