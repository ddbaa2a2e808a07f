// Which heights an endpoint no longer has. A URL may have many nodes behind it, so one refusal says little. A bound moves only after
// repeated refusals, and moves back when a lower height is served.

export type Window = {
  /** True if the endpoint refused this height, or a higher one, since it served such a height. */
  lacks(height: number): boolean
  /** True if that refusal was repeated and never contradicted. */
  isProved(height: number): boolean
  /** True if nodes with different windows answer. */
  isMixed(): boolean
  /**
   * The lowest height that it keeps: what it claims, else as far below its tip as the lowest height that it served. Never one
   * that it refused. Null while unknown. `tip` and `claimed` are 0 while unknown.
   */
  earliest(now: { tip: number; claimed?: number }): number | null
  /** `tip`: the height of the endpoint; 0 while unknown. */
  served(height: number, tip: number): void
  refused(height: number, tip: number): void
}

/** So many refusals in a row move the bound. */
const REPEATED = 3

export const createWindow = (): Window => {
  let goneUpTo = 0
  let suspected = 0
  let refusals = 0
  let mixed = false
  /** How far below the tip the lowest served height was. */
  let depth: number | null = null
  return {
    lacks: (height) => height <= Math.max(goneUpTo, suspected),
    isProved: (height) => !mixed && height <= goneUpTo,
    isMixed: () => mixed,
    earliest: ({ tip, claimed = 0 }) => {
      const found = depth === null || tip === 0 ? 0 : Math.max(1, tip - depth)
      const lowest = claimed || found
      return lowest === 0 ? null : Math.max(goneUpTo + 1, lowest)
    },
    served: (height, tip) => {
      if (tip > 0) depth = Math.max(depth ?? 0, tip - height)
      if (height > Math.max(goneUpTo, suspected)) return
      mixed = true
      goneUpTo = Math.min(goneUpTo, height - 1)
      suspected = 0
      refusals = 0
    },
    refused: (height, tip) => {
      if (height <= goneUpTo) return
      suspected = refusals === 0 ? height : Math.min(suspected, height)
      refusals++
      if (refusals < REPEATED) return
      goneUpTo = suspected
      if (depth !== null) depth = Math.max(0, Math.min(depth, tip - goneUpTo - 1))
      suspected = 0
      refusals = 0
    },
  }
}
