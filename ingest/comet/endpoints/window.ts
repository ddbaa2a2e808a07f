// Which heights an endpoint does not have any more, as far as its refusals show.
import { LRUCache } from 'lru-cache'

/** A URL may have many nodes behind it, so one refusal says little: so many in a row move the bound. */
const REPEATED = 3
const MAX_REMEMBERED = 1_000

/** Of one endpoint. */
export function createWindow() {
  const said = new LRUCache<number, true>({ max: MAX_REMEMBERED })
  let goneUpTo = 0
  let suspected = 0
  let refusals = 0
  /** Nodes with different windows answer. */
  let isMixed = false
  /** True if the endpoint refused this height, or a higher one, since it served such a height. */
  const lacks = (height: number) => height <= Math.max(goneUpTo, suspected)
  return {
    lacks,
    /** True if the endpoint refused this height: it stays said, until it serves this height or a lower one. */
    hasRefused: (height: number) => said.has(height) || lacks(height),
    /** True if that refusal was repeated and never contradicted. */
    isProved: (height: number) => !isMixed && height <= goneUpTo,
    served: (height: number): void => {
      for (const each of [...said.keys()]) if (each >= height) said.delete(each)
      if (!lacks(height)) return
      isMixed = true
      goneUpTo = Math.min(goneUpTo, height - 1)
      suspected = 0
      refusals = 0
    },
    refused: (height: number): void => {
      said.set(height, true)
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

/**
 * The lowest height in the range that is kept; null if `to` is not. Bisects the distance from `to` on a logarithmic
 * scale: a window of 100 heights takes about 10 requests, one of millions about 25.
 */
export async function findLowestKept(
  { from, to }: { from: number; to: number },
  isKept: (height: number) => Promise<boolean>,
): Promise<number | null> {
  if (!(await isKept(to))) return null
  if (from >= to || (await isKept(from))) return Math.min(from, to)
  // Distances from `to`, plus one.
  let kept = 1
  let missing = to - from + 1
  while (missing - kept > 1) {
    const middle = Math.min(missing - 1, Math.max(kept + 1, Math.round(Math.sqrt(kept * missing))))
    if (await isKept(to - middle + 1)) kept = middle
    else missing = middle
  }
  return to - kept + 1
}
