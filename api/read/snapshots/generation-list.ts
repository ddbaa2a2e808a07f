// Which generation is served, and which served before still answer the cursors that were given out of them.
import type { Store } from '../../../infra/clickhouse/client.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'
import {
  findActive,
  type Generation,
  readGenerations,
} from '../../../projections/contract/generations.ts'
import {
  CONTROL_DATABASE,
  GENERATION_LINGERS_MS,
} from '../../../projections/contract/read-model.ts'
import { READ_OPTIONS } from '../queries/as-of.ts'
import { QUERY_TIMEOUT_MS } from './read-snapshot.ts'

export type Generations = {
  /** The highest where more than one is; undefined before the first one is. */
  active: number | undefined
  /** Wall clock until which each of the others answers. */
  former: ReadonlyMap<number, number>
}

export type GenerationList = {
  /** Not older than `maxAgeMs`. */
  read(maxAgeMs: number): Promise<Generations>
}

const READ = { ...READ_OPTIONS, timeoutMs: QUERY_TIMEOUT_MS }

const toGenerations = (list: readonly Generation[]): Generations => ({
  active: findActive(list)?.generation,
  former: new Map(
    list
      .filter(({ state }) => state === 'retired')
      .map(({ generation, changedAtMs }) => [generation, changedAtMs + GENERATION_LINGERS_MS]),
  ),
})

export const createGenerationList = (store: Store, clock: Clock): GenerationList => {
  let known: { generations: Generations; readAtMs: number } | undefined
  return {
    read: async (maxAgeMs) => {
      const readAtMs = clock.now()
      if (known && readAtMs - known.readAtMs < maxAgeMs) return known.generations
      const generations = toGenerations(await readGenerations(store, CONTROL_DATABASE, READ))
      known = { generations, readAtMs }
      return generations
    },
  }
}
