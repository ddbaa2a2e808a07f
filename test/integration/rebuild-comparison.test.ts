// Tests that the comparison of two generations covers every column of every table.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { readColumns, readSums } from '../../projections/rebuild/checksums.ts'
import { compareGenerations } from '../../projections/rebuild/compare.ts'
import { createPositionReader } from '../../projections/rebuild/position.ts'
import { rebuild } from '../../projections/rebuild/rebuild.ts'
import { createLog, type RebuildRig, startRebuildRig } from '../support/fold/rebuild-rig.ts'
import { generateStory } from '../support/log/governance-story.ts'

let rig: RebuildRig
beforeAll(async () => {
  rig = await startRebuildRig()
  await rig.clear()
})
afterAll(() => rig?.stop())

const story = generateStory({ seed: 11, heights: 90 })

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

describe('the comparison of two generations', () => {
  it('detects a change of any column of any table, also NULL instead of zero', async () => {
    await rig.start(await createLog(story))
    await rebuild(rig.createOptions(), { noSwitch: true })
    const { store, control, clock } = rig
    const { signal } = new AbortController()
    const pair = [1, 2] as const
    const { common } = await readColumns(store, { control, pair })
    const database = toDatabaseName(2, control)
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

    const [row] = await store.select<{ key: string }>(
      `SELECT toString(max(proposal_id)) AS key FROM ${database}.tallies`,
    )
    await store.command(
      `ALTER TABLE ${database}.tallies UPDATE chain_yes = if(chain_yes IS NULL, 0, NULL) WHERE proposal_id = ${row?.key} SETTINGS mutations_sync = 1`,
    )
    const positionOf = createPositionReader(store, control)
    const { differences } = await compareGenerations({
      store,
      control,
      clock,
      signal,
      pair,
      positionOf,
    })
    expect(differences).toMatchObject([{ table: 'tallies', key: row?.key }])
  })
})
