// Which generation is served, and which served before still answer the cursors that were given out of them.
import type { Store } from '../../infra/clickhouse/client.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import {
  CONTROL_DATABASE,
  GENERATION_LINGERS_MS,
  type GenerationRow,
} from '../../projections/contract/read-model.ts'
import { READ_OPTIONS } from '../queries/read.ts'
import { parseTimestamp } from '../queries/values.ts'
import { QUERY_TIMEOUT_MS } from './served-look.ts'

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

type Row = Pick<GenerationRow, 'generation' | 'state' | 'changed_at'>

const readRows = (store: Store): Promise<Row[]> =>
  store.select<Row>(
    `SELECT generation, state, changed_at FROM ${CONTROL_DATABASE}.generations FINAL
     WHERE state IN ('active', 'retired') ORDER BY generation`,
    {},
    { ...READ_OPTIONS, timeoutMs: QUERY_TIMEOUT_MS },
  )

const generationsOf = (rows: readonly Row[]): Generations => ({
  active: rows.filter(({ state }) => state === 'active').at(-1)?.generation,
  former: new Map(
    rows
      .filter(({ state }) => state === 'retired')
      .map((row) => [row.generation, parseTimestamp(row.changed_at) + GENERATION_LINGERS_MS]),
  ),
})

export const createGenerationList = (store: Store, clock: Clock): GenerationList => {
  let known: { generations: Generations; readAtMs: number } | undefined
  return {
    read: async (maxAgeMs) => {
      const readAtMs = clock.now()
      if (known && readAtMs - known.readAtMs < maxAgeMs) return known.generations
      const generations = generationsOf(await readRows(store))
      known = { generations, readAtMs }
      return generations
    },
  }
}
