// A fair sample of a stream of unknown length, the same for the same seed. Pure.
import { createHash } from 'node:crypto'

/** Numbers in [0, 1) that depend only on the seed. */
const createFractions = (seed: string): (() => number) => {
  let drawn = 0
  return () => {
    const hash = createHash('sha256').update(`${seed}/${drawn++}`).digest()
    return hash.readUIntBE(0, 6) / 2 ** 48
  }
}

export type Sample<Item> = {
  offer(item: Item): void
  /** In the order in which they were offered. */
  items(): Item[]
}

/** Keeps `size` of all that is offered, each as likely as any other (reservoir sampling). */
export const createSample = <Item>(size: number, seed: string): Sample<Item> => {
  const draw = createFractions(seed)
  const kept: { order: number; item: Item }[] = []
  let offered = 0
  return {
    offer: (item) => {
      const order = offered++
      if (kept.length < size) {
        kept.push({ order, item })
        return
      }
      const slot = Math.floor(draw() * offered)
      if (slot < size) kept[slot] = { order, item }
    },
    items: () => kept.toSorted((one, other) => one.order - other.order).map(({ item }) => item),
  }
}

/** The same order for the same seed, for any order of the items. */
export const shuffle = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  seed: string,
): Item[] => {
  const computeSortKey = (item: Item) =>
    createHash('sha256')
      .update(`${seed}/${keyOf(item)}`)
      .digest('hex')
  return items
    .map((item) => ({ item, sortKey: computeSortKey(item) }))
    .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1))
    .map(({ item }) => item)
}

/** A height of the range that depends only on the seed. */
export const pickHeight = (seed: string, { from, to }: { from: number; to: number }): number =>
  from + Math.floor(createFractions(`${seed}/${from}-${to}`)() * (to - from + 1))
