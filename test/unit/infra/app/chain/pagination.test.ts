// Tests of the pages of lists, with the special cases of the Cosmos SDK.
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { describe, expect, it } from 'vitest'
import {
  paginateCollection,
  paginateFiltered,
  readPage,
} from '../../../../../infra/app/chain/pagination.ts'

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
  it('continue at the next entry, whether it matches or not', () => {
    expect(seen(paginateCollection(entries, request(), isEven))).toEqual({
      items: [20, 40],
      next: 5,
      total: 0n,
    })
  })

  it('continue at the next match if the total is counted', () => {
    const counted = request({ countTotal: true })
    expect(seen(paginateCollection(entries, counted, isEven))).toEqual({
      items: [20, 40],
      next: 6,
      total: 3n,
    })
  })

  it('skip raw entries by offset, and not matches', () => {
    const page = paginateCollection(entries, request({ offset: 3n, countTotal: true }), isEven)
    expect(seen(page)).toEqual({ items: [40, 60], next: undefined, total: 5n })
  })

  it('go backwards from the key, which is included', () => {
    const page = paginateCollection(entries, request({ key: Uint8Array.of(4), reverse: true }))
    expect(seen(page)).toEqual({ items: [40, 30], next: 2, total: 0n })
  })

  it('are empty if the offset is past the end', () => {
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

  it('end before the next entry, whether it matches or not, if they start at a key', () => {
    const page = paginateFiltered(entries, request({ key: Uint8Array.of(2), limit: 1n }), isEven)
    expect(seen(page)).toEqual({ items: [20], next: 3, total: 0n })
  })
})

describe('a page request', () => {
  it('without a limit returns up to 100 entries and the total', () => {
    expect(readPage(undefined)).toMatchObject({ limit: 100n, countTotal: true })
  })

  it('returns no more than the node allows', () => {
    expect(readPage(request({ limit: 50n }), 7)).toMatchObject({ limit: 7n, countTotal: false })
    expect(readPage(request({ limit: 5n }), 7)).toMatchObject({ limit: 5n })
  })

  it('with both a key and an offset is refused', () => {
    const both = PageRequest.fromPartial({ key: Uint8Array.of(1), offset: 3n })
    expect(() => readPage(both)).toThrow('got both')
  })
})
