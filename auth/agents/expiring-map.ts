// A map whose entries expire. With a maximum size, a new entry replaces the oldest one.

type Kept<Value> = { value: Value; untilMs: number }

export const createExpiringMap = <Value>(maxSize = Number.POSITIVE_INFINITY) => {
  const kept = new Map<string, Kept<Value>>()
  return {
    get: (key: string): Value | undefined => kept.get(key)?.value,
    set: (key: string, value: Value, untilMs: number): void => {
      // Moves the key to the end, so that the first key is the oldest.
      kept.delete(key)
      kept.set(key, { value, untilMs })
      if (kept.size <= maxSize) return
      for (const oldest of kept.keys()) {
        kept.delete(oldest)
        return
      }
    },
    has: (key: string): boolean => kept.has(key),
    prune: (nowMs: number): void => {
      for (const [key, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(key)
    },
    size: (): number => kept.size,
  }
}
