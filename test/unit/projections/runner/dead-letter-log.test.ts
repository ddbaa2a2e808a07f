// Tests the log of dead letters: each letter once, even if it is reported again.
import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../../../infra/base/log/event-log.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { DeadLetterRow } from '../../../../projections/contract/tables/dead-letters.ts'
import {
  createDeadLetterLog,
  type KeptLetter,
} from '../../../../projections/runner/dead-letter-log.ts'
import { caughtUp, startForTest } from '../../../support/fold/run-projections.ts'
import {
  createHeightEvents,
  submitted,
  toLogEntry,
  undecodableEvent,
} from '../../../support/log/governance-events.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { createMemoryStore } from '../../../support/store/memory-store.ts'

const letter = (offset: number): DeadLetterRow => ({
  offset: BigInt(offset),
  rowPosition: 0n,
  height: 12,
  proposalId: '7',
  reason: 'no such event is known',
  value: `{"type":"rollcall.vote.cast.v9","at":${offset}}`,
  version: BigInt(offset),
})

const sinkOn = (log: EventLog, generation = 1) =>
  createDeadLetterLog({
    log,
    generation,
    signal: new AbortController().signal,
    clock: createFakeClock(),
  })

const keptIn = async (log: EventLog): Promise<KeptLetter[]> =>
  (await log.read(0n, { maxRecords: 100, maxBytes: 2 ** 20 })).map(
    ({ value }) => JSON.parse(Buffer.from(value).toString()) as KeptLetter,
  )

describe('the log of dead letters', () => {
  it('keeps each letter with its record, its reason and its proposal', async () => {
    const log = openMemoryLog()
    await sinkOn(log).keep([letter(5)])
    expect(await keptIn(log)).toEqual([
      {
        generation: 1,
        offset: '5',
        height: '12',
        proposalId: '7',
        reason: 'no such event is known',
        value: letter(5).value,
      },
    ])
  })

  it('keeps each once, also after a restart that reports them again', async () => {
    const storage = createMemoryLogStorage()
    await sinkOn(openMemoryLog(storage)).keep([letter(5), letter(9)])
    const after = openMemoryLog(storage)
    const sink = sinkOn(after)
    await sink.keep([letter(5), letter(9), letter(12)])
    await sink.keep([letter(12), letter(15)])
    expect((await keptIn(after)).map(({ offset }) => offset)).toEqual(['5', '9', '12', '15'])
  })

  it('keeps rows without a record beside records, each once, also after a restart', async () => {
    const storage = createMemoryLogStorage()
    const row = (position: number) => ({ ...letter(0), rowPosition: BigInt(position) })
    await sinkOn(openMemoryLog(storage)).keep([row(90), letter(5)])
    const log = openMemoryLog(storage)
    const sink = sinkOn(log)
    await sink.keep([row(90), letter(5), row(91)])
    await sink.keep([row(92), letter(7)])
    const kept = (await keptIn(log)).map(({ offset, rowPosition }) => [offset, rowPosition])
    expect(kept).toEqual([
      ['0', '90'],
      ['5', undefined],
      ['0', '91'],
      ['0', '92'],
      ['7', undefined],
    ])
  })

  it('keeps the letters of another generation beside them', async () => {
    const storage = createMemoryLogStorage()
    await sinkOn(openMemoryLog(storage), 1).keep([letter(5), letter(9)])
    const log = openMemoryLog(storage)
    await sinkOn(log, 2).keep([letter(9)])
    const kept = (await keptIn(log)).map(({ generation, offset }) => [generation, offset])
    expect(kept).toEqual([
      [1, '5'],
      [1, '9'],
      [2, '9'],
    ])
  })

  it('keeps a letter once if the outcome of its append is unknown', async () => {
    const storage = createMemoryLogStorage()
    const log = openMemoryLog(storage)
    let failures = 1
    const shaky: EventLog = {
      ...log,
      append: async (entries) => {
        const end = await log.append(entries)
        if (failures-- > 0) throw new AppError('LOG_UNAVAILABLE', 'unclear', { retryable: true })
        return end
      },
    }
    await sinkOn(shaky).keep([letter(5)])
    expect(await keptIn(log)).toHaveLength(1)
  })

  it('is written by the projections before the letter counts as projected', async () => {
    const log = openMemoryLog()
    const letters = openMemoryLog()
    await log.append(createHeightEvents(1, [submitted('7')], 1).map(toLogEntry))
    await log.append(createHeightEvents(2, [undecodableEvent('7')], 1).map(toLogEntry))
    const store = createMemoryStore()
    const order: string[] = []
    store.onInsert = (table) => order.push(table)
    const deadLetterLog: EventLog = {
      ...letters,
      append: (entries) => {
        order.push('the log of dead letters')
        return letters.append(entries)
      },
    }
    const projections = await startForTest(log, store, {}, { deadLetterLog })
    await caughtUp(projections, log)
    await projections.close()
    expect(await keptIn(letters)).toMatchObject([{ height: '2', proposalId: '7' }])
    expect(order.indexOf('the log of dead letters')).toBeLessThan(order.indexOf('dead_letters'))
    expect(order.indexOf('dead_letters')).toBeLessThan(order.indexOf('checkpoints'))
  })
})
