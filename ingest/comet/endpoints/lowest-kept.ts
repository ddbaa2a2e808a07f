// Finds the lowest height that an endpoint keeps, with few requests.

type Range = { from: number; to: number }

/**
 * The lowest height in the range that is kept; null if `to` is not. Bisects the distance from `to` on a logarithmic
 * scale: a window of 100 heights takes about 10 requests, one of millions about 25.
 */
export const findLowestKept = async (
  { from, to }: Range,
  isKept: (height: number) => Promise<boolean>,
): Promise<number | null> => {
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
