// Tests the dead letters of rows that cannot be stored: each has a place of its own, with or without a record.
import { describe, expect, it } from 'vitest'
import { toPosition } from '../../../../ingest/contract/envelope.ts'
import { createRecordFinder } from '../../../../projections/runner/find-record.ts'
import { createRefusedRows } from '../../../../projections/runner/refused-rows.ts'
import type { RowFault } from '../../../../projections/runner/row-checks.ts'
import {
  createHeightEvents,
  submitted,
  toLogEntry,
} from '../../../support/log/governance-events.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

const at = (height: number, index: number): bigint => toPosition({ height, index })

const setup = async () => {
  const log = openMemoryLog()
  const heights = [5, 9].map((height) => createHeightEvents(height, [submitted(`${height}`)], 1))
  for (const height of heights) await log.append(height.map(toLogEntry))
  const findRecord = createRecordFinder(log)
  const refusedRows = createRefusedRows(
    {
      select: () => Promise.resolve([]),
      database: 'rollcall_1',
      findRecord,
      logger: silentLogger(),
      count: { inc: () => {} },
    },
    new Map(),
  )
  const recordLetters = async (...positions: bigint[]) =>
    (await refusedRows.recordFaults(positions.map(fault), [])).letters
  return { heights, findRecord, recordLetters }
}

const fault = (position: bigint): RowFault => ({
  table: 'ballots',
  proposalId: '7',
  position,
  reason: 'ballots.weight cannot hold what was computed',
  detail: `the row of ${position}`,
})

describe('the record of a refused row', () => {
  it('is the one of exactly its position', async () => {
    const { heights, findRecord } = await setup()
    const [, [event] = []] = heights
    const { height = 0, index = 0 } = event ?? {}
    expect(await findRecord(at(height, index))).toMatchObject({ height: 9, offset: 2n })
  })

  it('is never another one: not of the next height, and not the first one of its own', async () => {
    const { findRecord } = await setup()
    expect(await findRecord(at(7, 1))).toBeUndefined()
    expect(await findRecord(at(9, 1))).toBeUndefined()
    expect(await findRecord(at(10, 1))).toBeUndefined()
  })
})

describe('the dead letters of refused rows without a record', () => {
  it('do not replace each other, and replace no letter of a record', async () => {
    const { recordLetters } = await setup()
    const letters = await recordLetters(at(7, 1), at(7, 2), at(11, 1))
    expect(letters.map((letter) => [letter.offset, letter.rowPosition, letter.height])).toEqual([
      [0n, at(7, 1), 7],
      [0n, at(7, 2), 7],
      [0n, at(11, 1), 11],
    ])
  })

  it('have a key of their own even if their position is unknown', async () => {
    const { recordLetters } = await setup()
    expect(await recordLetters(0n)).toMatchObject([{ offset: 0n, rowPosition: 1n }])
  })
})
