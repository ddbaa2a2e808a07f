// Positions of lists whose items are never removed: the number of items before a page.
import type { Reads } from '../read/query.ts'
import { notIssued } from './cursor.ts'
import type { Range, Slice } from './list-query.ts'

/** Accepts the positions at which a page of 100 items begins. */
export const HUNDREDS = /^[1-9][0-9]{0,6}00$/
/** The same for pages of 1,000 items. */
export const THOUSANDS = /^[1-9][0-9]{0,5}000$/

export type OffsetRange = { from: number; limit: number }

type Counted<Item> = Omit<Slice<Item>, 'getPositionAfter'>

/** Reads a slice by offset. Throws `invalid-parameter` for a position at or after the end of the list. */
export const readByOffset =
  <Args, Item>(
    pageSize: number,
    read: (reads: Reads, args: Args, range: OffsetRange) => Promise<Counted<Item>>,
  ) =>
  async (reads: Reads, args: Args, { start, limit }: Range): Promise<Slice<Item>> => {
    const from = 'position' in start ? Number(start.position) : start.page * pageSize
    const slice = await read(reads, args, { from, limit })
    const total = slice.total ?? 0
    if ('position' in start && from >= total) throw notIssued()
    return {
      ...slice,
      getPositionAfter: (count) => (from + count < total ? `${from + count}` : null),
    }
  }
