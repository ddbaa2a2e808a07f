// What several pages are made of, read once for all of them: from memory, else one reading for all who wait.
import type { CacheArea } from './byte-cache.ts'
import type { Verdict } from './page-kind.ts'

/** `key` names all that the value depends on. Only settled values are kept. */
export type SharedReads<Value extends { verdict: Verdict }> = (
  key: string,
  read: () => Promise<Value>,
) => Promise<Value>

export const createSharedReads = <Value extends { verdict: Verdict }>(
  kept: CacheArea<Value>,
): SharedReads<Value> => {
  const reading = new Map<string, Promise<Value>>()
  const start = async (key: string, read: () => Promise<Value>): Promise<Value> => {
    const value = await read()
    if (value.verdict === 'settled') kept.set(key, value)
    return value
  }
  return async (key, read) => {
    const known = kept.get(key) ?? reading.get(key)
    if (known) return await known
    const started = start(key, read).finally(() => reading.delete(key))
    reading.set(key, started)
    return await started
  }
}
