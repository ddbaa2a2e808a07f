// Which generation of the read model is projected and served. Makes the first one active where there is none.
import type { Store } from '../infra/clickhouse/client.ts'
import type { GenerationRow } from './contract/read-model.ts'
import { wallClockTimestamp } from './models/moment.ts'

const FIRST_GENERATION = 1

/** The active generation; the highest where a switch was cut off and two are. */
const activeGeneration = async (store: Store, control: string): Promise<number | undefined> => {
  const [row] = await store.select<Pick<GenerationRow, 'generation'>>(
    `SELECT generation FROM ${control}.generations FINAL
     WHERE state = 'active' ORDER BY generation DESC LIMIT 1`,
  )
  return row?.generation
}

export const ensureActiveGeneration = async (
  store: Store,
  control: string,
  nowMs: number,
): Promise<number> => {
  const active = await activeGeneration(store, control)
  if (active !== undefined) return active
  const row: GenerationRow = {
    generation: FIRST_GENERATION,
    state: 'active',
    changed_at: wallClockTimestamp(nowMs),
    version: '1',
  }
  await store.insert(`${control}.generations`, [row])
  return FIRST_GENERATION
}
