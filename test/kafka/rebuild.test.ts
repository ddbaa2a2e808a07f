// Tests a rebuild from a log on Kafka while another process continues to append.
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { Comparison } from '../../projections/rebuild/compare.ts'
import { rebuild } from '../../projections/rebuild/rebuild.ts'
import { type RebuildRig, startRebuildRig, until } from '../support/fold/rebuild-rig.ts'
import { createKafkaLogStorage } from '../support/kafka/kafka-log-storage.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { generateStory } from '../support/log/governance-story.ts'

const HEIGHTS = 90
const HEIGHTS_BEFORE = 40

let rig: RebuildRig
let written: EventLog
let followed: EventLog
beforeAll(async () => {
  rig = await startRebuildRig()
  await rig.clear()
  const storage = createKafkaLogStorage(inject('kafkaBrokers'))
  written = await storage.open()
  followed = (await storage.openReader?.()) ?? written
})
afterAll(async () => {
  await rig?.stop()
  await followed?.close()
  await written?.close()
})

it('a rebuild gives the same tables as live projection', async () => {
  const story = generateStory({ seed: 12, heights: HEIGHTS }).map((height) =>
    height.map(toLogEntry),
  )
  for (const height of story.slice(0, HEIGHTS_BEFORE)) await written.append(height)
  const projections = await rig.start(followed)
  const living = (async () => {
    for (const height of story.slice(HEIGHTS_BEFORE)) await written.append(height)
  })()
  const outcome = await rebuild(rig.createOptions())
  await living
  expect(outcome).toMatchObject({ generation: 2, former: 1, isSwitched: true })
  expect((outcome.comparison as Comparison).differences).toEqual([])
  const end = await written.end()
  await until(() => {
    const { generation, nextOffset } = projections.progress()
    return generation === 2 && nextOffset === end
  })
  // The previous generation is updated while its cursors are valid.
  await until(async () => {
    const rows = await rig.store.select(
      `SELECT 1 FROM ${rig.control}_1.checkpoints FINAL WHERE next_offset = ${end}`,
    )
    return rows.length === 1
  })
  await rig.expectEqualTables(1, 2)
})
