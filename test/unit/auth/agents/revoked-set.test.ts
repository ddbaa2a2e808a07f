// Tests of the set of revoked IDs: it is bounded, and safe when it is full.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRevokedSet } from '../../../../auth/agents/revoked-set.ts'

const MINUTE_MS = 60_000

describe('a set of revoked ids', () => {
  it('keeps a maximum number of IDs, and treats everything as old as a dropped one as revoked', () => {
    const set = createRevokedSet(100)
    for (let at = 1; at <= 1_000; at++) set.add(`id-${at}`, at * MINUTE_MS)
    expect(set.size()).toBeLessThanOrEqual(100)
    for (let at = 1; at <= 1_000; at++) expect(set.has(`id-${at}`, at * MINUTE_MS)).toBe(true)
    expect(set.has('another of the first minutes', 3 * MINUTE_MS)).toBe(true)
    expect(set.has('another of the last minutes', 999 * MINUTE_MS)).toBe(false)
  })

  it('gives the same result for any order of additions', () => {
    const ids = fc.uniqueArray(fc.nat(40), { maxLength: 40 })
    fc.assert(
      fc.property(ids, fc.infiniteStream(fc.nat()), (dates, keys) => {
        const added = dates.map((date) => ({ id: `id-${date}`, atMs: (date % 13) * MINUTE_MS }))
        const order = added.map((each) => ({ each, key: keys.next().value as number }))
        const shuffled = order.toSorted((one, other) => one.key - other.key)
        const [one, other] = [createRevokedSet(7), createRevokedSet(7)]
        for (const { id, atMs } of added) one.add(id, atMs)
        for (const { each } of shuffled) other.add(each.id, each.atMs)
        for (let minute = 0; minute < 14; minute++) {
          const query = ['other', minute * MINUTE_MS] as const
          expect(other.has(...query)).toBe(one.has(...query))
        }
        for (const { id, atMs } of added) expect(other.has(id, atMs)).toBe(true)
      }),
    )
  })
})
