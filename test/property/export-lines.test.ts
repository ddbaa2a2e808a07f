// Property tests that a record of any bytes is one line of an export, and can be restored.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeLine, readLine } from '../../infra/app/tools/log/lines.ts'
import type { LogEntry } from '../../infra/base/log/event-log.ts'
import { hostileText } from '../support/api/hostile-texts.ts'

const json = fc.json().map((text) => Buffer.from(text))
const eventLike = fc
  .record({
    height: fc.nat(5),
    time: fc.constantFrom('2026-01-01T00:00:00Z', 'never'),
    x: hostileText(),
  })
  .chain((event) =>
    fc.constantFrom(0, 2).map((indent) => Buffer.from(JSON.stringify(event, null, indent))),
  )
const value = fc.oneof(fc.uint8Array({ maxLength: 64 }), json, eventLike)
const entry: fc.Arbitrary<LogEntry> = fc.record({
  height: fc.nat(5),
  timeMs: fc.constantFrom(Date.UTC(2026, 0, 1), 0),
  value,
})

it('a line of an export restores any record, byte for byte, and wraps only what needs it', () => {
  fc.assert(
    fc.property(entry, (record) => {
      const { line, reason } = encodeLine(record)
      expect(Buffer.from(line).includes(0x0a)).toBe(false)
      const read = readLine(line)
      if (typeof read === 'string' || !('entry' in read)) throw new Error(`read as ${read}`)
      expect({ ...read.entry, value: Buffer.from(read.entry.value) }).toEqual({
        ...record,
        value: Buffer.from(record.value),
      })
      expect(reason === undefined).toBe(Buffer.compare(line, record.value) === 0)
    }),
    { numRuns: 2_000 },
  )
})
