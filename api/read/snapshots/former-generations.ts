// Generations that were served until lately: looked at only when somebody follows a cursor of one.
import type { Store } from '../../../infra/clickhouse/client.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'
import { type Held, readSnapshot } from './read-snapshot.ts'

type Known = { held: Held | undefined; readAtMs: number }

export type FormerGenerations = {
  /** As it is by now, looked at less than `maxAgeMs` ago. */
  of(generation: number, maxAgeMs: number): Promise<Held | undefined>
  /** What is known of it, however old. */
  held(generation: number): Held | undefined
  /** Takes over what is known of one that is not served any more. */
  put(held: Held, readAtMs: number): void
}

/** A switch is a rare thing: whoever has seen more is of no use. */
const MAX_KNOWN = 4

export const createFormerGenerations = (options: {
  store: Store
  clock: Clock
}): FormerGenerations => {
  const { store, clock } = options
  const known = new Map<number, Known>()
  const looking = new Map<number, Promise<Held | undefined>>()

  const keep = (generation: number, its: Known): void => {
    known.delete(generation)
    known.set(generation, its)
    const [oldest] = known.keys()
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  }
  const lookAgain = async (generation: number): Promise<Held | undefined> => {
    const readAtMs = clock.now()
    const held = await readSnapshot(store, generation, known.get(generation)?.held)
    keep(generation, { held, readAtMs })
    return held
  }
  return {
    of: (generation, maxAgeMs) => {
      const its = known.get(generation)
      if (its && clock.now() - its.readAtMs < maxAgeMs) return Promise.resolve(its.held)
      const started =
        looking.get(generation) ?? lookAgain(generation).finally(() => looking.delete(generation))
      looking.set(generation, started)
      return started
    },
    held: (generation) => known.get(generation)?.held,
    put: (held, readAtMs) => keep(held.generation, { held, readAtMs }),
  }
}
