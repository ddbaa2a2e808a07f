// Limits the memory for responses and blocks: texts, and what an owner keeps of them. What is first in order never waits, so everything
// finishes.

export type MemoryBudget = ReturnType<typeof createMemoryBudget>
/** The memory of one response, or of one height. */
export type Reservation = ReturnType<MemoryBudget['open']>
/** Of one of several responses. */
export type Part = ReturnType<Reservation['part']>

type Owner = { order: number; bytes: number; peakBytes: number; waiting: (() => void)[] }

/** All reservations together have at most `totalBytes`, and the first of them any size beyond it. */
export function createMemoryBudget(totalBytes: number) {
  /** In order. */
  const owners: Owner[] = []
  let used = 0
  let opened = 0

  const isFree = (owner: Owner): boolean => owner === owners[0] || used <= totalBytes
  const wake = () => {
    for (const owner of owners) {
      if (!isFree(owner)) return
      for (const resume of owner.waiting.splice(0)) resume()
    }
  }
  const grow = (owner: Owner, bytes: number) => {
    used += bytes
    owner.bytes += bytes
    owner.peakBytes = Math.max(owner.peakBytes, owner.bytes)
    if (bytes < 0) wake()
  }
  const createPart = (owner: Owner) => {
    let own = 0
    let isOpen = true
    return {
      /** Undefined if there is free memory at once; else resolves as soon as there is. The new size counts at once. */
      resize: (bytes: number): Promise<void> | undefined => {
        if (!isOpen) return undefined
        const added = bytes - own
        own = bytes
        grow(owner, added)
        if (added <= 0 || isFree(owner)) return undefined
        return new Promise<void>((resolve) => {
          owner.waiting.push(resolve)
        })
      },
      close: (): void => {
        if (isOpen) grow(owner, -own)
        isOpen = false
      },
    }
  }
  const createReservation = (owner: Owner) => {
    let parts: ReturnType<typeof createPart>[] = []
    /** Closes all parts: from now on the reservation has this size. */
    const settle = (bytes: number): void => {
      const settled = createPart(owner)
      // It is in memory already.
      void settled.resize(bytes)
      for (const each of parts) each.close()
      parts = [settled]
      for (const resume of owner.waiting.splice(0)) resume()
    }
    return {
      /** A part with its own size. */
      part: () => {
        const part = createPart(owner)
        parts.push(part)
        return part
      },
      settle,
      /** The largest size so far. */
      get peakBytes(): number {
        return owner.peakBytes
      },
      close: (): void => {
        settle(0)
        const at = owners.indexOf(owner)
        if (at !== -1) owners.splice(at, 1)
        wake()
      },
    }
  }
  return {
    /** The lowest order is first; by default, later calls come later. */
    open: (order = opened) => {
      opened++
      const owner: Owner = { order, bytes: 0, peakBytes: 0, waiting: [] }
      const later = owners.findIndex((each) => each.order > order)
      owners.splice(later === -1 ? owners.length : later, 0, owner)
      return createReservation(owner)
    },
  }
}
