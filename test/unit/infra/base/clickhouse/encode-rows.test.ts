// Tests of encoded rows for ClickHouse: one JSON object per line, bigints as strings, chunks of bounded size.
import { expect, it } from 'vitest'
import { encodeRows } from '../../../../../infra/base/clickhouse/encode-rows.ts'

const encoded = (rows: object[]) => [...encodeRows(rows)].join('')

it('writes one row per line', () => {
  expect(encoded([{ a: 1, b: 'x\ny' }, { a: null }])).toBe('{"a":1,"b":"x\\ny"}\n{"a":null}\n')
})

it('writes bigints as strings, also nested ones, and does not change the row', () => {
  const row = { version: 2n ** 63n, nested: [{ shares: 1n }] }
  expect(encoded([row])).toBe('{"version":"9223372036854775808","nested":[{"shares":"1"}]}\n')
  expect(row.version).toBe(2n ** 63n)
})

it('splits many rows into chunks, never within a row', () => {
  const rows = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(10_000) }))
  const pieces = [...encodeRows(rows)]
  expect(pieces.length).toBeGreaterThan(2)
  for (const piece of pieces) {
    expect(piece.length).toBeLessThan(300_000)
    expect(piece.endsWith('}\n')).toBe(true)
  }
  expect(pieces.join('').split('\n')).toHaveLength(101)
})

it('writes nothing if there are no rows', () => {
  expect([...encodeRows([])]).toEqual([])
})
