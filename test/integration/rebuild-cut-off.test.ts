// Tests of interrupted rebuilds and their cleanup: served data is never affected.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { readGenerations } from '../../projections/contract/generations.ts'
import { dropRebuilt, rebuild, type Step } from '../../projections/rebuild/rebuild.ts'
import { createLog, type RebuildRig, startRebuildRig, until } from '../support/fold/rebuild-rig.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { generateStory } from '../support/log/governance-story.ts'

let rig: RebuildRig
beforeAll(async () => {
  rig = await startRebuildRig()
})
beforeEach(() => rig.clear())
afterAll(() => rig?.stop())

const story = generateStory({ seed: 11, heights: 90 })

/** A rebuild that ends at this step as if killed. */
const cutOffAt = (kind: Step['kind']) => (step: Step) => {
  if (step.kind === kind) throw new Error(`killed at ${kind}`)
}

describe('a rebuild that is interrupted', () => {
  it.each(['migrated', 'added', 'built', 'compared', 'switched'] as const)(
    'after the step "%s" does not affect served data, and can be continued',
    { tags: 'projections:rebuild-can-be-interrupted' },
    async (kind) => {
      const log = await createLog(story.slice(0, 40))
      const projections = await rig.start(log)
      const before = await rig.tables(1)
      await expect(rebuild(rig.createOptions({ onStep: cutOffAt(kind) }))).rejects.toThrow('killed')
      expect(await rig.tables(1)).toEqual(before)
      const states = await rig.states()
      if (kind === 'migrated') expect(states).toEqual({ 1: 'active' })
      else if (kind === 'switched') expect(states).toEqual({ 1: 'retired', 2: 'active' })
      else expect(states).toEqual({ 1: 'active', 2: 'building' })
      // The projections restart in between, too.
      await projections.close()
      await rig.start(log)
      const isUnfinished = states[2] === 'building'
      if (isUnfinished) {
        await expect(rebuild(rig.createOptions())).rejects.toThrow(
          'continue it (rollcall rebuild --resume)',
        )
      }
      const outcome = await rebuild(rig.createOptions(), { resume: isUnfinished })
      expect(outcome).toMatchObject({ isSwitched: true, comparison: { equal: true } })
      await rig.expectEqualTables(1, outcome.generation)
    },
  )

  it('right after the switch still gets its views redirected, by the projections', async () => {
    await rig.start(await createLog(story.slice(0, 20)))
    await expect(rebuild(rig.createOptions({ onStep: cutOffAt('switched') }))).rejects.toThrow(
      'killed',
    )
    expect(await rig.viewsReadFrom(1)).toBe(true)
    rig.clock.aheadMs += 11_000
    await until(() => rig.viewsReadFrom(2))
  })

  it('by its user does not block another rebuild', async () => {
    await rig.start(await createLog(story.slice(0, 40)))
    const controller = new AbortController()
    const { signal } = controller
    const onStep = ({ kind }: Step) => {
      if (kind === 'added') controller.abort()
    }
    await expect(rebuild(rig.createOptions({ signal, onStep }))).rejects.toThrow('aborted')
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'building' })
    const outcome = await rebuild(rig.createOptions(), { resume: true })
    expect(outcome).toMatchObject({ generation: 2, isSwitched: true })
  })

  it('can be removed, and its number is never used again', async () => {
    await rig.start(await createLog(story.slice(0, 20)))
    await expect(rebuild(rig.createOptions({ onStep: cutOffAt('built') }))).rejects.toThrow(
      'killed',
    )
    await dropRebuilt(rig.createOptions(), 2, { force: false })
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'dropped' })
    const found = await rig.store.select(
      'SELECT 1 FROM system.databases WHERE name = {name:String}',
      {
        name: toDatabaseName(2, rig.control),
      },
    )
    expect(found).toEqual([])
    expect(await rebuild(rig.createOptions())).toMatchObject({ generation: 3, isSwitched: true })
  })

  it('by its own failure is marked failed with the reason, and served data is not affected', {
    tags: 'projections:rebuild-can-be-interrupted',
  }, async () => {
    const log = await createLog(story.slice(0, 30))
    const projections = await rig.start(log)
    const spoil = async (step: Step) => {
      if (step.kind !== 'migrated') return
      await rig.store.command(`DROP TABLE ${toDatabaseName(2, rig.control)}.ballots SYNC`)
    }
    await expect(rebuild(rig.createOptions({ onStep: spoil }))).rejects.toThrow(
      /generation 2 failed: .*ballots/,
    )
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'failed' })
    for (const height of story.slice(30, 50)) await log.append(height.map(toLogEntry))
    await until(() => projections.progress().isCaughtUp && projections.progress().nextOffset > 0n)
    expect(projections.progress().generation).toBe(1)
    expect(await rebuild(rig.createOptions())).toMatchObject({
      generation: 3,
      comparison: { equal: true },
    })
  })
})

describe('a retired generation', () => {
  it('is dropped only after its retention time, and one is kept for a rollback', {
    tags: 'projections:retired-generation-is-kept',
  }, async () => {
    await rig.start(await createLog(story.slice(0, 20)), { keptGenerations: 1 })
    await rebuild(rig.createOptions())
    await rebuild(rig.createOptions())
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'retired', 3: 'active' })
    await expect(dropRebuilt(rig.createOptions(), 1, { force: false })).rejects.toThrow(
      /15 more min; --force/,
    )
    rig.clock.aheadMs += 14 * 60_000
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'retired', 3: 'active' })
    rig.clock.aheadMs += 2 * 60_000
    await until(async () => (await rig.states())[1] === 'dropped')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await rig.states()).toEqual({ 1: 'dropped', 2: 'retired', 3: 'active' })
    const generations = await readGenerations(rig.store, rig.control)
    expect(generations.map(({ generation }) => generation)).toEqual([1, 2, 3])
    await dropRebuilt(rig.createOptions(), 2, { force: false })
    expect(await rig.states()).toEqual({ 1: 'dropped', 2: 'dropped', 3: 'active' })
  })
})
