// Reads the active generation, and former generations with cursors that are still valid.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import {
  findActive,
  GENERATION_LINGERS_MS,
  type Generation,
  readGenerations,
} from '../../../projections/contract/generations.ts'
import { READ_OPTIONS } from '../queries/as-of.ts'

export type Generations = {
  /** The highest active generation; undefined before the first one is active. */
  active: number | undefined
  /** Wall clock until which the cursors of each former generation are valid. */
  former: ReadonlyMap<number, number>
}

export type GenerationList = {
  /** The list, at most `maxAgeMs` old. */
  read(maxAgeMs: number): Promise<Generations>
}

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
      const list = await readGenerations(store, CONTROL_DATABASE, READ_OPTIONS)
      const generations = toGenerations(list)
      known = { generations, readAtMs }
      return generations
    },
  }
}
