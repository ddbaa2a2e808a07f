// Revoked ids in bounded memory. A revocation is never refused: a full set drops its oldest minute.
// Ids of that minute or before then count as revoked, so it fails closed: valid clients request a new token.

export type RevokedSet = {
  /** `atMs` dates the id. Every caller must use the same date for the same id. */
  add(id: string, atMs: number): void
  /** Without a date, only ids that were added and not dropped are found. */
  has(id: string, atMs: number | undefined): boolean
  /** Drops ids dated at or before `beforeMs`: their tokens have expired. */
  prune(beforeMs: number): void
  size(): number
}

const MINUTE_MS = 60_000

/** The minute that ends at or after a time. */
const toMinute = (atMs: number): number => Math.ceil(atMs / MINUTE_MS)

export const createRevokedSet = (maxSize: number): RevokedSet => {
  const minutes = new Map<string, number>()
  /** Ids per minute: at most one entry per minute of the longest lifetime. */
  const counts = new Map<number, number>()
  /** Depends on which ids were added, not on their order: every instance computes the same from the same log. */
  let floor = Number.NEGATIVE_INFINITY

  const dropWhere = (isDropped: (minute: number) => boolean): void => {
    for (const [id, minute] of minutes) if (isDropped(minute)) minutes.delete(id)
    for (const minute of [...counts.keys()]) if (isDropped(minute)) counts.delete(minute)
  }
  return {
    add: (id, atMs) => {
      const minute = toMinute(atMs)
      if (minute <= floor || minutes.has(id)) return
      minutes.set(id, minute)
      counts.set(minute, (counts.get(minute) ?? 0) + 1)
      while (minutes.size > maxSize) {
        floor = Math.min(...counts.keys())
        dropWhere((each) => each <= floor)
      }
    },
    has: (id, atMs) => minutes.has(id) || (atMs !== undefined && toMinute(atMs) <= floor),
    prune: (beforeMs) => dropWhere((minute) => minute * MINUTE_MS <= beforeMs),
    size: () => minutes.size,
  }
}
