// Comparisons of a share with a limit in SQL, with the rounding of the chain: half to even at 18 places. Pure.

/** SQL expressions of integers. `part` and `limit` are in atto, `whole` is in units. */
type Share = { part: string; whole: string; limit: string }

/** Whether the rounded share is at least the limit. No division, so it is exact. */
export const isShareAtLeast = ({ part, whole, limit }: Share): string =>
  `(2 * ${part} > (2 * ${limit} - 1) * ${whole} OR (2 * ${part} = (2 * ${limit} - 1) * ${whole} AND (${limit}) % 2 = 0))`

/** Whether the rounded share is above the limit. */
export const isShareAbove = ({ limit, ...share }: Share): string =>
  isShareAtLeast({ ...share, limit: `(${limit} + 1)` })
