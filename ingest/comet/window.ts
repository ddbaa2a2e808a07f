// Which heights an endpoint no longer has. A URL may have many nodes behind it, so one refusal says little. A bound moves only after
// repeated refusals, and moves back when a lower height is served.

export type Window = {
  /** True if the endpoint refused this height, or a higher one, since it served such a height. */
  lacks(height: number): boolean
  /** True if that refusal was repeated and never contradicted. */
  isProved(height: number): boolean
  /** True if nodes with different windows answer. */
  isMixed(): boolean
  served(height: number): void
  refused(height: number): void
}

/** So many refusals in a row move the bound. */
const REPEATED = 3

export const createWindow = (): Window => {
  let goneUpTo = 0
  let suspected = 0
  let refusals = 0
  let mixed = false
  return {
    lacks: (height) => height <= Math.max(goneUpTo, suspected),
    isProved: (height) => !mixed && height <= goneUpTo,
    isMixed: () => mixed,
    served: (height) => {
      if (height > Math.max(goneUpTo, suspected)) return
      mixed = true
      goneUpTo = Math.min(goneUpTo, height - 1)
      suspected = 0
      refusals = 0
    },
    refused: (height) => {
      if (height <= goneUpTo) return
      suspected = refusals === 0 ? height : Math.min(suspected, height)
      refusals++
      if (refusals < REPEATED) return
      goneUpTo = suspected
      suspected = 0
      refusals = 0
    },
  }
}
