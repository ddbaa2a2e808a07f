// Pages of the replay's lists where the chain's own paginators are odd.
import { describe, expect, it } from 'vitest'
import {
  type PageRequest,
  paginateCollection,
  paginateFiltered,
  readPageRequest,
} from '../../../../../infra/app/demo/pagination.ts'
import { bytesField, concat, uintField } from '../../../../../infra/app/demo/protobuf.ts'

const entries = [1, 2, 3, 4, 5, 6].map((number) => ({
  key: Uint8Array.of(number),
  value: Uint8Array.of(number * 10),
}))
const isEven = ({ key }: { key: Uint8Array }) => (key[0] ?? 0) % 2 === 0
const request = (part: Partial<PageRequest> = {}): PageRequest => ({
  key: new Uint8Array(),
  offset: 0n,
  limit: 2n,
  countTotal: false,
  reverse: false,
  ...part,
})
const seen = (page: { items: Uint8Array[]; nextKey: Uint8Array; total: bigint }) => ({
  items: page.items.map(([value]) => value),
  next: page.nextKey[0],
  total: page.total,
})

describe('pages of governance lists', () => {
  it('continue at the very next entry, match or not', () => {
    expect(seen(paginateCollection(entries, request(), isEven))).toEqual({
      items: [20, 40],
      next: 5,
      total: 0n,
    })
  })

  it('continue at the next match where the whole is counted', () => {
    const counted = request({ countTotal: true })
    expect(seen(paginateCollection(entries, counted, isEven))).toEqual({
      items: [20, 40],
      next: 6,
      total: 3n,
    })
  })

  it('skip raw entries by offset, not matches', () => {
    const page = paginateCollection(entries, request({ offset: 3n, countTotal: true }), isEven)
    expect(seen(page)).toEqual({ items: [40, 60], next: undefined, total: 5n })
  })

  it('run backwards from the key, which is included', () => {
    const page = paginateCollection(entries, request({ key: Uint8Array.of(4), reverse: true }))
    expect(seen(page)).toEqual({ items: [40, 30], next: 2, total: 0n })
  })

  it('are empty where the offset is past the end', () => {
    const page = paginateCollection(entries, request({ offset: 7n, countTotal: true }))
    expect(seen(page)).toEqual({ items: [], next: undefined, total: 0n })
  })
})

describe('pages of staking lists', () => {
  it('skip matches by offset and count all matches', () => {
    const page = paginateFiltered(
      entries,
      request({ offset: 1n, limit: 1n, countTotal: true }),
      isEven,
    )
    expect(seen(page)).toEqual({ items: [40], next: 6, total: 3n })
  })

  it('end before the next entry, match or not, when they began at a key', () => {
    const page = paginateFiltered(entries, request({ key: Uint8Array.of(2), limit: 1n }), isEven)
    expect(seen(page)).toEqual({ items: [20], next: 3, total: 0n })
  })
})

describe('a page request', () => {
  it('without a limit asks for a hundred and the total', () => {
    expect(readPageRequest([], 4)).toMatchObject({ limit: 100n, countTotal: true })
  })

  it('with both key and offset is refused', () => {
    const both = concat([bytesField(1, Uint8Array.of(1)), uintField(2, 3n)])
    expect(() => readPageRequest([{ number: 4, bytes: both }], 4)).toThrow('got both')
  })
})
