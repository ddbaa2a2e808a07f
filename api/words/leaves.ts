// The parts of a value from the chain, each with its path. Pure.

/** The names on the way to it; a number for an item of a list, from 1. */
export type Leaf = { path: readonly string[]; value: unknown }

type Leaves = {
  isLeaf: (part: object) => boolean
  /** The most leaves, unless the rest is kept. */
  max: number
  /** After `max` leaves no part is divided, but none is left out. */
  keepsRest?: boolean
  /** An item that is alone in its list has no number. */
  omitsAlone?: boolean
}

const MAX_DEPTH = 6

/** The parts of a value that have no parts, or are `isLeaf`, in order. */
export function listLeaves(
  value: unknown,
  { isLeaf, max, keepsRest = false, omitsAlone = false }: Leaves,
): Leaf[] {
  const leaves: Leaf[] = []
  const visit = (part: unknown, path: readonly string[], depth: number): void => {
    const isFull = leaves.length >= max
    if (isFull && !keepsRest) return
    const isBranch = !isFull && depth < MAX_DEPTH
    const isInner = isBranch && typeof part === 'object' && part !== null && !isLeaf(part)
    const members = isInner ? Object.entries(part) : []
    if (members.length === 0) return void leaves.push({ path, value: part })
    const isAlone = omitsAlone && Array.isArray(part) && members.length === 1
    for (const [key, each] of members) {
      const name = Array.isArray(part) ? `${Number(key) + 1}` : key
      visit(each, isAlone ? path : [...path, name], depth + 1)
    }
  }
  visit(value, [], 0)
  return leaves
}
