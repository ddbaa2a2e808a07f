// A rebuild beside what is served: equal tables, one switch, a way back, and nothing lost wherever it is cut off.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseOf } from '../../projections/contract/read-model.ts'
import { readGenerations } from '../../projections/generations.ts'
import { readColumns, readSums } from '../../projections/rebuild/checksums.ts'
import { type Comparison, compareGenerations } from '../../projections/rebuild/compare.ts'
import { createPositionReader } from '../../projections/rebuild/position.ts'
import {
  dropRebuilt,
  rebuild,
  type Step,
  switchGeneration,
} from '../../projections/rebuild/rebuild.ts'
import { entryOfEvent } from '../support/governance-events.ts'
import { tellStory } from '../support/governance-story.ts'
import { logOf, type RebuildRig, startRebuildRig, until } from '../support/rebuild-rig.ts'

let rig: RebuildRig
beforeAll(async () => {
  rig = await startRebuildRig()
})
beforeEach(() => rig.clear())
afterAll(() => rig?.stop())

const story = tellStory({ seed: 11, heights: 90 })

const viewsReadFrom = async (generation: number): Promise<boolean> => {
  const [row] = await rig.store.select<{ views: string; at: string }>(
    `SELECT count() AS views, countIf(position(as_select, {tables:String}) > 0) AS at
     FROM system.tables WHERE database = {control:String} AND engine = 'View'`,
    { control: rig.control, tables: `${databaseOf(generation, rig.control)}.` },
  )
  expect(Number(row?.views)).toBeGreaterThan(10)
  return row?.views === row?.at
}

/** Steps by name, and a rebuild that ends as if killed at one of them. */
const cutOffAt = (kind: Step['kind']) => (step: Step) => {
  if (step.kind === kind) throw new Error(`killed at ${kind}`)
}

describe('a rebuild', () => {
  it('gives the same tables, is served after one switch, and keeps the former generation', async () => {
    const log = await logOf(story)
    await rig.start(log)
    const steps: string[] = []
    const outcome = await rebuild(rig.asked({ onStep: ({ kind }) => steps.push(kind) }))
    expect(steps).toEqual(['migrated', 'added', 'built', 'compared', 'switched', 'pointed'])
    expect(outcome).toMatchObject({ generation: 2, former: 1, isSwitched: true })
    expect(outcome.comparison).toMatchObject({ equal: true, differences: [], notCompared: [] })
    const { tables = [], verdicts } = outcome.comparison as Comparison
    for (const { table, rows } of tables) expect([table, rows[1]]).toEqual([table, rows[0]])
    expect(tables.find(({ table }) => table === 'ballots')?.rows[0]).toBeGreaterThan(20)
    expect(verdicts?.[0]).toEqual(verdicts?.[1])
    await rig.expectEqualTables(1, 2)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
    expect(await viewsReadFrom(2)).toBe(true)
  })

  it('goes on while heights come in, and both generations have them afterwards', async () => {
    const log = await logOf(story.slice(0, 30))
    const projections = await rig.start(log)
    let next = 30
    const living = setInterval(() => {
      const height = story[next++]
      if (height) void log.append(height.map(entryOfEvent))
    }, 60)
    const outcome = await rebuild(rig.asked())
    await until(() => next > story.length)
    clearInterval(living)
    expect(outcome.comparison?.equal).toBe(true)
    await until(() => projections.progress().generation === 2 && projections.progress().isCaughtUp)
    // The retired one keeps up as long as its cursors are answered.
    const end = (await log.end()).toString()
    await until(async () => {
      const rows = await rig.store.select(
        `SELECT 1 FROM ${databaseOf(1, rig.control)}.checkpoints FINAL WHERE next_offset = ${end}`,
      )
      return rows.length === 1
    })
    await rig.expectEqualTables(1, 2)
  })

  it('can be built and compared first, and switched later', async () => {
    await rig.start(await logOf(story))
    const built = await rebuild(rig.asked(), { noSwitch: true })
    expect(built).toMatchObject({ generation: 2, isSwitched: false, comparison: { equal: true } })
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'building' })
    const switched = await switchGeneration(rig.asked(), 2)
    expect(switched).toMatchObject({ isSwitched: true, comparison: { equal: true } })
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
  })

  it('can be taken back, at once or long after, when the former one has to catch up', async () => {
    const log = await logOf(story.slice(0, 60))
    const projections = await rig.start(log)
    await rebuild(rig.asked())
    await until(() => projections.progress().generation === 2)
    await switchGeneration(rig.asked(), 1)
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'retired' })
    expect(await viewsReadFrom(1)).toBe(true)
    await until(() => projections.progress().generation === 1)
    rig.clock.aheadMs += 16 * 60_000
    // It is not projected any more.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    for (const height of story.slice(60)) await log.append(height.map(entryOfEvent))
    await until(() => projections.progress().isCaughtUp)
    const behind = await rig.tables(2)
    await switchGeneration(rig.asked(), 2)
    await until(() => projections.progress().generation === 2)
    expect(behind['events']?.length).toBeLessThan((await rig.tables(2))['events']?.length ?? 0)
    await rig.expectEqualTables(1, 2)
  })
})

/** Another value of the same type than the one a column has. */
const otherValue = (name: string, type: string): string => {
  const inner = /^(?:Nullable|Array)\((.*)\)$/.exec(type)?.[1] ?? ''
  if (type.startsWith('Nullable')) {
    return `if(${name} IS NULL, CAST(defaultValueOfTypeName('${inner.replaceAll("'", "\\'")}'), '${type.replaceAll("'", "\\'")}'), NULL)`
  }
  if (type.startsWith('Array')) {
    return `arrayPushBack(${name}, defaultValueOfTypeName('${inner}'))`
  }
  if (type.includes('String')) return `concat(${name}, 'x')`
  if (type.startsWith('DateTime64')) return `${name} + INTERVAL 1 SECOND`
  return type === 'Bool' ? `NOT ${name}` : `CAST(${name} + 1, '${type}')`
}

describe('the comparison', () => {
  it('sees a change of any column of any table, NULL for zero among them', async () => {
    await rig.start(await logOf(story))
    await rebuild(rig.asked(), { noSwitch: true })
    const { store, control, clock } = rig
    const { signal } = new AbortController()
    const pair = [1, 2] as const
    const { common } = await readColumns(store, { control, pair })
    const database = databaseOf(2, control)
    let seen = 0
    for (const [table, columns] of common) {
      const types = await store.select<{ name: string; type: string }>(
        'SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String}',
        { database, table },
      )
      const request = { table: { name: table, key: undefined }, columns }
      const sums = await readSums(store, database, request, signal)
      if (sums.size === 0) continue
      for (const { name, type } of types) {
        const changed = columns.map((each) => (each === name ? otherValue(name, type) : each))
        const after = await readSums(store, database, { ...request, columns: changed }, signal)
        expect([table, name, after.get('')?.rows]).toEqual([table, name, sums.get('')?.rows])
        expect([table, name, after.get('')?.sum]).not.toEqual([table, name, sums.get('')?.sum])
        seen += 1
      }
    }
    expect(seen).toBeGreaterThan(130)

    await store.command(
      `ALTER TABLE ${database}.tallies UPDATE chain_yes = if(chain_yes IS NULL, 0, NULL) WHERE proposal_id = 10 SETTINGS mutations_sync = 1`,
    )
    const positionOf = createPositionReader(store, control)
    const { differences } = await compareGenerations({
      ...{ store, control, clock, signal, pair, positionOf },
    })
    expect(differences).toMatchObject([{ table: 'tallies', key: '10' }])
  })
})

describe('a rebuild is refused, with the reason', () => {
  it('where no projections run', async () => {
    const projections = await rig.start(await logOf(story.slice(0, 5)))
    await projections.close()
    rig.clock.aheadMs += 60_000
    await expect(rebuild(rig.asked())).rejects.toThrow(/no projections are running \(last seen/)
    expect(await rig.states()).toEqual({ 1: 'active' })
  })

  it('where another one is under way, also one that began in the same moment', async () => {
    await rig.start(await logOf(story.slice(0, 20)))
    const both = await Promise.allSettled([
      rebuild(rig.asked({ holder: 'one' })),
      rebuild(rig.asked({ holder: 'other' })),
    ])
    const failed = both.filter((each) => each.status === 'rejected')
    expect(failed).toHaveLength(1)
    expect(String(failed[0]?.reason)).toMatch(/a rebuild is under way already \((one|other)\)/)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
  })

  it('where the tables differ, and is switched once a person says that they are meant to', async () => {
    await rig.start(await logOf(story))
    const { store } = rig
    const [row] = await store.select<{ version: string }>(
      `SELECT * FROM ${databaseOf(1, rig.control)}.tallies FINAL WHERE proposal_id = 10 LIMIT 1`,
    )
    const other = { ...row, yes: '123456789' }
    const comparisons: Comparison[] = []
    const refusing = rig.asked({
      onStep: async (step) => {
        if (step.kind === 'built')
          await store.insert(`${databaseOf(2, rig.control)}.tallies`, [other])
        if (step.kind === 'compared') comparisons.push(step.comparison)
      },
    })
    expect(await rebuild(refusing)).toMatchObject({ isSwitched: false })
    expect(comparisons[0]).toMatchObject({
      equal: false,
      differences: [{ table: 'tallies', key: '10', rows: [1, 1] }],
    })
    const shown = comparisons[0]?.tallies.find(({ round }) => round === 1)
    expect(shown?.tallies[0]?.yes).not.toBe('123456789')
    expect(shown?.tallies[1]?.yes).toBe('123456789')
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'building' })
    await switchGeneration(rig.asked({ accept: () => true }), 2)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
  })

  it('where there is nothing to switch to, to go on with or to drop', async () => {
    await rig.start(await logOf(story.slice(0, 5)))
    await expect(switchGeneration(rig.asked(), 1)).rejects.toThrow('the one that is served')
    await expect(switchGeneration(rig.asked(), 7)).rejects.toThrow('there is no generation 7')
    await expect(rebuild(rig.asked(), { resume: true })).rejects.toThrow('no unfinished rebuild')
    await expect(dropRebuilt(rig.asked(), 1, { force: true })).rejects.toThrow('is served')
  })
})

describe('a rebuild that is cut off', () => {
  it.each(['migrated', 'added', 'built', 'compared', 'switched'] as const)(
    'when it has %s leaves what is served untouched, and is gone on with',
    async (kind) => {
      const log = await logOf(story.slice(0, 40))
      const projections = await rig.start(log)
      const before = await rig.tables(1)
      await expect(rebuild(rig.asked({ onStep: cutOffAt(kind) }))).rejects.toThrow('killed')
      expect(await rig.tables(1)).toEqual(before)
      const states = await rig.states()
      if (kind === 'migrated') expect(states).toEqual({ 1: 'active' })
      else if (kind === 'switched') expect(states).toEqual({ 1: 'retired', 2: 'active' })
      else expect(states).toEqual({ 1: 'active', 2: 'building' })
      // The projections end and start in between, too.
      await projections.close()
      await rig.start(log)
      const isUnfinished = states[2] === 'building'
      if (isUnfinished) {
        await expect(rebuild(rig.asked())).rejects.toThrow(
          'go on with it (rollcall rebuild --resume)',
        )
      }
      const outcome = await rebuild(rig.asked(), { resume: isUnfinished })
      expect(outcome).toMatchObject({ isSwitched: true, comparison: { equal: true } })
      await rig.expectEqualTables(1, outcome.generation)
    },
  )

  it('right after the switch still has its views pointed, by the projections', async () => {
    await rig.start(await logOf(story.slice(0, 20)))
    await expect(rebuild(rig.asked({ onStep: cutOffAt('switched') }))).rejects.toThrow('killed')
    expect(await viewsReadFrom(1)).toBe(true)
    rig.clock.aheadMs += 11_000
    await until(() => viewsReadFrom(2))
  })

  it('can be taken away, and its number is never used again', async () => {
    await rig.start(await logOf(story.slice(0, 20)))
    await expect(rebuild(rig.asked({ onStep: cutOffAt('built') }))).rejects.toThrow('killed')
    await dropRebuilt(rig.asked(), 2, { force: false })
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'dropped' })
    const found = await rig.store.select(
      'SELECT 1 FROM system.databases WHERE name = {name:String}',
      {
        name: databaseOf(2, rig.control),
      },
    )
    expect(found).toEqual([])
    expect(await rebuild(rig.asked())).toMatchObject({ generation: 3, isSwitched: true })
  })

  it('by its own fault is marked failed with the reason, and what is served goes on', async () => {
    const log = await logOf(story.slice(0, 30))
    const projections = await rig.start(log)
    const spoil = async (step: Step) => {
      if (step.kind !== 'migrated') return
      await rig.store.command(`DROP TABLE ${databaseOf(2, rig.control)}.ballots SYNC`)
    }
    await expect(rebuild(rig.asked({ onStep: spoil }))).rejects.toThrow(
      /generation 2 failed: .*ballots/,
    )
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'failed' })
    for (const height of story.slice(30, 50)) await log.append(height.map(entryOfEvent))
    await until(() => projections.progress().isCaughtUp && projections.progress().nextOffset > 0n)
    expect(projections.progress().generation).toBe(1)
    expect(await rebuild(rig.asked())).toMatchObject({ generation: 3, comparison: { equal: true } })
  })
})

describe('a retired generation', () => {
  it('is dropped only after its time, and one is kept to go back to', async () => {
    await rig.start(await logOf(story.slice(0, 20)), { keptGenerations: 1 })
    await rebuild(rig.asked())
    await rebuild(rig.asked())
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'retired', 3: 'active' })
    await expect(dropRebuilt(rig.asked(), 1, { force: false })).rejects.toThrow(
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
    await dropRebuilt(rig.asked(), 2, { force: false })
    expect(await rig.states()).toEqual({ 1: 'dropped', 2: 'dropped', 3: 'active' })
  })
})
