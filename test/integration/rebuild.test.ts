// Tests of a rebuild beside the served tables: equal tables, one switch, a way back, and interruptions at every step.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { readGenerations } from '../../projections/contract/generations.ts'
import type { StoredTable, Table } from '../../projections/contract/table/define-table.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { compareGenerations } from '../../projections/rebuild/compare.ts'
import {
  dropRebuilt,
  rebuild,
  type Step,
  switchGeneration,
} from '../../projections/rebuild/rebuild.ts'
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
    await rig.start(await createLog(story))
    const steps: string[] = []
    const outcome = await rebuild(rig.createOptions({ onStep: ({ kind }) => steps.push(kind) }))
    expect(steps).toEqual(['created', 'added', 'built', 'compared', 'switched'])
    expect(outcome).toMatchObject({ generation: 2, former: 1, isSwitched: true })
    expect(outcome.comparison).toEqual({ generations: [1, 2], equal: true, differences: [] })
    await rig.expectEqualTables(1, 2)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
    await until(() => rig.viewsReadFrom(2))
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

  it('can be reverted, at once or much later, when the previous generation has to catch up', {
    tags: 'projections:switch-can-be-reverted',
  }, async () => {
    const log = await createLog(story.slice(0, 60))
    const projections = await rig.start(log)
    await rebuild(rig.createOptions())
    await until(() => projections.progress().generation === 2)
    await switchGeneration(rig.createOptions(), 1)
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'retired' })
    await until(() => rig.viewsReadFrom(1))
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

  it('with different tables is not served until an operator accepts the difference', {
    tags: 'projections:difference-needs-consent',
  }, async () => {
    await rig.start(await createLog(story))
    const change = async (step: Step) => {
      if (step.kind !== 'built') return
      const tallies = `${toDatabaseName(2, rig.control)}.tallies`
      await rig.store.command(
        `ALTER TABLE ${tallies} UPDATE yes = 123456789 WHERE proposal_id IN (
         SELECT proposal_id FROM ${tallies} ORDER BY proposal_id LIMIT 1) SETTINGS mutations_sync = 1`,
      )
    }
    const [first] = await rig.store.select<{ id: string }>(
      `SELECT toString(min(proposal_id)) AS id FROM ${toDatabaseName(1, rig.control)}.tallies`,
    )
    const refused = await rebuild(rig.createOptions({ onStep: change }))
    const [id] = [first?.id]
    expect(refused).toMatchObject({
      isSwitched: false,
      comparison: { differences: [{ table: 'tallies', keys: 1, first: id, last: id }] },
    })
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'building' })
    await switchGeneration(rig.createOptions({ acceptsDifferences: true }), 2)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'active' })
  })

  it('is refused if no projections run, or if there is nothing to switch to or to drop', async () => {
    const projections = await rig.start(await createLog(story.slice(0, 5)))
    await expect(switchGeneration(rig.createOptions(), 1)).rejects.toThrow('the one that is served')
    await expect(switchGeneration(rig.createOptions(), 7)).rejects.toThrow('no generation 7')
    await expect(dropRebuilt(rig.createOptions(), 1)).rejects.toThrow('is served')
    await projections.close()
    const onProgress = () => {
      rig.clock.aheadMs += 10_000
    }
    await expect(rebuild(rig.createOptions({ onProgress }))).rejects.toThrow(
      /written nothing into generation 2 .*--switch 2/,
    )
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'building' })
  })
})

/** Another value of the same column type. */
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

/** The columns of a table beside its version and the keys of it and its copies, and one row of it. */
const readSample = async (table: Table) => {
  const copies = Object.values<StoredTable>(table.copies)
  const keys = [table.version, ...table.key, ...copies.flatMap(({ key }) => key)]
  const columns = table.columns.filter(({ stored }) => !keys.includes(stored))
  const from = `${toDatabaseName(2, rig.control)}.${table.name}`
  const [row] = await rig.store.select<object>(
    `SELECT * FROM ${from} FINAL ORDER BY ${table.key.join(', ')} LIMIT 1`,
  )
  return { table, columns, from, row }
}

it('the comparison finds a change of any column of any table, also NULL instead of a value', {
  tags: 'projections:difference-needs-consent',
}, async () => {
  await rig.start(await createLog(story))
  let seen = 0
  const changeEach = async (step: Step): Promise<void> => {
    if (step.kind !== 'built') return
    const { store, control, clock } = rig
    const { signal } = new AbortController()
    const tables = Object.values<Table>(TABLES).filter(({ name }) => name !== 'checkpoints')
    const samples = (await Promise.all(tables.map(readSample))).filter(({ row }) => row)
    const most = Math.max(...samples.map(({ columns }) => columns.length))
    // One column of each table at a time. Of rows with one version, the last one counts.
    for (let order = 0; order < most; order++) {
      const changed = samples.filter(({ columns }) => columns[order])
      for (const { table, columns, from } of changed) {
        const values = table.columns.map(({ stored, sql }) =>
          stored === columns[order]?.stored ? otherValue(stored, sql) : stored,
        )
        const row = `SELECT * FROM ${from} FINAL ORDER BY ${table.key.join(', ')} LIMIT 1`
        await store.command(`INSERT INTO ${from} SELECT ${values.join(', ')} FROM (${row})`)
      }
      const compared = await compareGenerations({ store, control, clock, signal, pair: [1, 2] })
      const found = compared.differences.map(({ table }) => table)
      const expected = changed.flatMap(({ table }) => [
        table.name,
        ...Object.values<StoredTable>(table.copies).map(({ name }) => name),
      ])
      expect(found.sort()).toEqual(expected.sort())
      seen += changed.length
      for (const { from, row } of changed) await store.insert(from, [row as object])
    }
  }
  await rebuild(rig.createOptions({ onStep: changeEach }))
  expect(seen).toBeGreaterThan(110)
})

/** A rebuild that ends at this step as if killed. */
const cutOffAt = (kind: Step['kind']) => (step: Step) => {
  if (step.kind === kind) throw new Error(`killed at ${kind}`)
}

describe('a rebuild that is interrupted', () => {
  it.each(['created', 'added', 'built', 'compared', 'switched'] as const)(
    'after the step "%s" does not affect served data, and can be finished',
    { tags: 'projections:rebuild-can-be-interrupted' },
    async (kind) => {
      const log = await createLog(story.slice(0, 40))
      const projections = await rig.start(log)
      const before = await rig.tables(1)
      await expect(rebuild(rig.createOptions({ onStep: cutOffAt(kind) }))).rejects.toThrow('killed')
      expect(await rig.tables(1)).toEqual(before)
      const states = await rig.states()
      if (kind === 'created') expect(states).toEqual({ 1: 'active' })
      else if (kind === 'switched') expect(states).toEqual({ 1: 'retired', 2: 'active' })
      else expect(states).toEqual({ 1: 'active', 2: 'building' })
      // The projections restart in between, too.
      await projections.close()
      await rig.start(log)
      const isUnfinished = states[2] === 'building'
      if (isUnfinished) {
        await expect(rebuild(rig.createOptions())).rejects.toThrow('rollcall rebuild --switch 2')
      }
      const outcome = isUnfinished
        ? await switchGeneration(rig.createOptions(), 2)
        : await rebuild(rig.createOptions())
      expect(outcome).toMatchObject({ isSwitched: true, comparison: { equal: true } })
      await rig.expectEqualTables(1, outcome.generation)
      await until(() => rig.viewsReadFrom(outcome.generation))
    },
  )

  it('can be removed, and its number is never used again', async () => {
    await rig.start(await createLog(story.slice(0, 20)))
    await expect(rebuild(rig.createOptions({ onStep: cutOffAt('built') }))).rejects.toThrow(
      'killed',
    )
    await dropRebuilt(rig.createOptions(), 2)
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'dropped' })
    const found = await rig.store.select(
      'SELECT 1 FROM system.databases WHERE name = {name:String}',
      { name: toDatabaseName(2, rig.control) },
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
      if (step.kind !== 'created') return
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
    await dropRebuilt(rig.createOptions(), 2)
    expect(await rig.states()).toEqual({ 1: 'retired', 2: 'dropped', 3: 'active' })
  })
})

it('a retired generation is dropped only after its retention time, and one is kept for a way back', {
  tags: 'projections:retired-generation-is-kept',
}, async () => {
  await rig.start(await createLog(story.slice(0, 20)), { keptGenerations: 1 })
  await rebuild(rig.createOptions())
  await rebuild(rig.createOptions())
  expect(await rig.states()).toEqual({ 1: 'retired', 2: 'retired', 3: 'active' })
  await expect(dropRebuilt(rig.createOptions(), 1)).rejects.toThrow('still valid')
  rig.clock.aheadMs += 14 * 60_000
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(await rig.states()).toEqual({ 1: 'retired', 2: 'retired', 3: 'active' })
  rig.clock.aheadMs += 2 * 60_000
  await until(async () => (await rig.states())[1] === 'dropped')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await rig.states()).toEqual({ 1: 'dropped', 2: 'retired', 3: 'active' })
  const generations = await readGenerations(rig.store, rig.control)
  expect(generations.map(({ generation }) => generation)).toEqual([1, 2, 3])
})
