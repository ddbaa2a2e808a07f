// Limits the memory for responses and blocks: texts, parsed values and decoded blocks. What is first in order never waits, so
// everything finishes.

export type MemoryBudget = {
  /** The lowest order is first; by default, later calls come later. */
  open(order?: number): Reservation
}

/** The memory of one response, or of one height. */
export type Reservation = {
  /** A part with its own size, for one of several responses. */
  part(): Part
  /** Closes all parts: from now on the reservation has this size. */
  settle(bytes: number): void
  /** The largest size so far. */
  readonly peakBytes: number
  close(): void
}

export type Part = {
  /** Undefined if there is free memory at once; else resolves as soon as there is. The new size counts at once. */
  resize(bytes: number): Promise<void> | undefined
  close(): void
}

type Owner = { order: number; bytes: number; peakBytes: number; waiting: (() => void)[] }

/** All reservations together have at most `totalBytes`, and the first of them any size beyond it. */
export const createMemoryBudget = (totalBytes: number): MemoryBudget => {
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
  const createPart = (owner: Owner): Part => {
    let own = 0
    let isOpen = true
    return {
      resize: (bytes) => {
        if (!isOpen) return undefined
        const added = bytes - own
        own = bytes
        grow(owner, added)
        if (added <= 0 || isFree(owner)) return undefined
        return new Promise((resolve) => {
          owner.waiting.push(resolve)
        })
      },
      close: () => {
        if (isOpen) grow(owner, -own)
        isOpen = false
      },
    }
  }
  const createReservation = (owner: Owner): Reservation => {
    let parts: Part[] = []
    const settle = (bytes: number) => {
      const settled = createPart(owner)
      // It is in memory already.
      void settled.resize(bytes)
      for (const each of parts) each.close()
      parts = [settled]
      for (const resume of owner.waiting.splice(0)) resume()
    }
    return {
      part: () => {
        const part = createPart(owner)
        parts.push(part)
        return part
      },
      settle,
      get peakBytes() {
        return owner.peakBytes
      },
      close: () => {
        settle(0)
        const at = owners.indexOf(owner)
        if (at !== -1) owners.splice(at, 1)
        wake()
      },
    }
  }
  return {
    open: (order = opened) => {
      opened++
      const owner = { order, bytes: 0, peakBytes: 0, waiting: [] }
      const later = owners.findIndex((each) => each.order > order)
      owners.splice(later === -1 ? owners.length : later, 0, owner)
      return createReservation(owner)
    },
  }
}
