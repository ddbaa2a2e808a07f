// Tests the letters of one commit: a record that could neither be decoded nor stored has one letter with both reasons.
import { expect, it } from 'vitest'
import type { Store } from '../../../../infra/base/clickhouse/client.ts'
import type { DeadLetterRow } from '../../../../projections/contract/tables/dead-letters.ts'
import { emptyRows } from '../../../../projections/fold/rows/rows.ts'
import { createWriter } from '../../../../projections/runner/writer.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

const letter = (offset: bigint, reason: string, rowPosition = 0n): DeadLetterRow => ({
  offset,
  rowPosition,
  height: 2,
  proposalId: '7',
  reason,
  value: 'the record',
  version: 9n,
})

it('joins letters of the same record with all reasons, and keeps all others', async () => {
  const inserted = new Map<string, readonly object[]>()
  const writer = createWriter({
    store: { insert: async (table, rows) => void inserted.set(table, rows) } as Store,
    database: 'rollcall_1',
    logger: silentLogger(),
    clock: createFakeClock(),
    signal: new AbortController().signal,
    retryMaxMs: 1,
    countRetry: () => {},
    refusedRows: {
      amend: (rows) => [...rows],
      recordFaults: async () => ({
        letters: [letter(3n, 'a row could not be stored'), letter(0n, 'no record', 90n)],
        proposals: [],
      }),
    },
  })
  const rows = emptyRows()
  rows.deadLetters.push(letter(0n, 'not JSON'), letter(3n, 'unknown event type'))
  rows.tallies.push({ proposalId: 'seven' } as never)
  await writer.commit(rows, () => Promise.resolve({} as never))
  expect(inserted.get('rollcall_1.dead_letters')).toMatchObject([
    { offset: '0', row_position: '0', reason: 'not JSON' },
    { offset: '3', reason: 'unknown event type; a row could not be stored' },
    { offset: '0', row_position: '90' },
  ])
})
