// Tests of a rebuild beside the served tables: equal tables, one switch, a rollback, and interruptions.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toDatabaseName } from '../../projections/contract/database.ts'
import type { Comparison } from '../../projections/rebuild/compare.ts'
import { dropRebuilt, rebuild, switchGeneration } from '../../projections/rebuild/rebuild.ts'
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

describe('a rebuild', () => {
  it('gives the same tables, is served after one switch, and keeps the previous generation', {
    tags: 'projections:rebuild-gives-same-tables',
  }, async () => {
    const log = await createLog(story)
    await rig.start(log)
    const steps: string[] = []
    const outcome = await rebuild(rig.createOptions({ onStep: ({ kind }) => steps.push(kind) }))
    expect(steps).toEqual(['migrated', 'added', 'built', 'compared', 'switched', 'pointed'])
    expect(outcome).toMatchObject({ generation: 2, former: 1, isSwitched: true })
    expect(outcome.comparison).toMatchObject({ equal: true, differences: [], notCompared: [] })
    const { tables = [], verdicts } = outcome.comparison as Comparison
    for (const { table, rows } of tables) expect([table, rows[1]]).toEqual([table, rows[0]])
    expect(tables.find(({ table }) => table === 'ballots')?.rows[0]).toBeGreaterThan(20)
    expect(verdicts?.[0]).toEqual(verdicts?.[1])
    await rig.expectEqualTables(1, 2)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
    expect(await rig.viewsReadFrom(2)).toBe(true)
  })

  it('continues while heights arrive, and both generations have them afterwards', {
    tags: 'projections:rebuild-gives-same-tables',
  }, async () => {
    const log = await createLog(story.slice(0, 30))
    const projections = await rig.start(log)
    let next = 30
    const living = setInterval(() => {
      const height = story[next++]
      if (height) void log.append(height.map(toLogEntry))
    }, 60)
    const outcome = await rebuild(rig.createOptions())
    await until(() => next > story.length)
    clearInterval(living)
    expect(outcome.comparison?.equal).toBe(true)
    await until(() => projections.progress().generation === 2 && projections.progress().isCaughtUp)
    // The retired generation keeps up while its cursors are served.
    const end = (await log.end()).toString()
    await until(async () => {
      const rows = await rig.store.select(
        `SELECT 1 FROM ${toDatabaseName(1, rig.control)}.checkpoints FINAL WHERE next_offset = ${end}`,
      )
      return rows.length === 1
    })
    await rig.expectEqualTables(1, 2)
  })

  it('can be built and compared first, and switched later', async () => {
    await rig.start(await createLog(story))
    const built = await rebuild(rig.createOptions(), { noSwitch: true })
    expect(built).toMatchObject({ generation: 2, isSwitched: false, comparison: { equal: true } })
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'building' })
    const switched = await switchGeneration(rig.createOptions(), 2)
    expect(switched).toMatchObject({ isSwitched: true, comparison: { equal: true } })
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
  })

  it('can be rolled back, at once or much later, when the previous generation has to catch up', {
    tags: 'projections:switch-can-be-reverted',
  }, async () => {
    const log = await createLog(story.slice(0, 60))
    const projections = await rig.start(log)
    await rebuild(rig.createOptions())
    await until(() => projections.progress().generation === 2)
    await switchGeneration(rig.createOptions(), 1)
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'retired' })
    expect(await rig.viewsReadFrom(1)).toBe(true)
    await until(() => projections.progress().generation === 1)
    rig.clock.aheadMs += 16 * 60_000
    // It is not projected any more.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    for (const height of story.slice(60)) await log.append(height.map(toLogEntry))
    await until(() => projections.progress().isCaughtUp)
    const behind = await rig.tables(2)
    await switchGeneration(rig.createOptions(), 2)
    await until(() => projections.progress().generation === 2)
    expect(behind['events']?.length).toBeLessThan((await rig.tables(2))['events']?.length ?? 0)
    await rig.expectEqualTables(1, 2)
  })
})

describe('a rebuild is refused, with the reason', () => {
  it('if no projections run', async () => {
    const projections = await rig.start(await createLog(story.slice(0, 5)))
    await projections.close()
    rig.clock.aheadMs += 60_000
    await expect(rebuild(rig.createOptions())).rejects.toThrow(
      /no projections are running \(last seen/,
    )
    expect(await rig.states()).toEqual({ 1: 'active' })
  })

  it('if another one is running, also if it started at the same moment', async () => {
    await rig.start(await createLog(story.slice(0, 20)))
    const both = await Promise.allSettled([
      rebuild(rig.createOptions({ holder: 'one' })),
      rebuild(rig.createOptions({ holder: 'other' })),
    ])
    const failed = both.filter((each) => each.status === 'rejected')
    expect(failed).toHaveLength(1)
    expect(String(failed[0]?.reason)).toMatch(/another rebuild is running \((one|other)\)/)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
  })

  it('if the tables differ, until an operator accepts the difference', {
    tags: 'projections:difference-needs-consent',
  }, async () => {
    await rig.start(await createLog(story))
    const { store } = rig
    const tallies = `${toDatabaseName(1, rig.control)}.tallies`
    const [row] = await store.select<{ proposal_id: string }>(
      `SELECT * FROM ${tallies} FINAL ORDER BY count() OVER (PARTITION BY proposal_id) LIMIT 1`,
    )
    const other = { ...row, yes: '123456789' }
    const comparisons: Comparison[] = []
    const refusing = rig.createOptions({
      onStep: async (step) => {
        if (step.kind === 'built')
          await store.insert(`${toDatabaseName(2, rig.control)}.tallies`, [other])
        if (step.kind === 'compared') comparisons.push(step.comparison)
      },
    })
    expect(await rebuild(refusing)).toMatchObject({ isSwitched: false })
    expect(comparisons[0]).toMatchObject({
      equal: false,
      differences: [{ table: 'tallies', key: row?.proposal_id, rows: [1, 1] }],
    })
    const shown = comparisons[0]?.tallies.find(({ round }) => round === 1)
    expect(shown?.tallies[0]?.yes).not.toBe(123456789n)
    expect(shown?.tallies[1]?.yes).toBe(123456789n)
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'building' })
    await switchGeneration(rig.createOptions({ accept: () => true }), 2)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
  })

  it('if there is nothing to switch to, to continue or to drop', async () => {
    await rig.start(await createLog(story.slice(0, 5)))
    await expect(switchGeneration(rig.createOptions(), 1)).rejects.toThrow('the one that is served')
    await expect(switchGeneration(rig.createOptions(), 7)).rejects.toThrow(
      'there is no generation 7',
    )
    await expect(rebuild(rig.createOptions(), { resume: true })).rejects.toThrow(
      'no unfinished rebuild',
    )
    await expect(dropRebuilt(rig.createOptions(), 1, { force: true })).rejects.toThrow('is served')
  })
})
