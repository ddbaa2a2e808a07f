// Reads the list of generations: the active one, those that are being built, and those that are kept for a while.
import type { Store } from '../../infra/clickhouse/client.ts'
import type { GenerationRow, GenerationState } from './read-model.ts'
import { timestampToMs } from './timestamps.ts'

export type Generation = {
  generation: number
  state: GenerationState
  changedAtMs: number
  /** Why it failed; empty in any other state. */
  reason: string
  version: bigint
}

/** Ordered by number. */
export const readGenerations = async (
  store: Pick<Store, 'select'>,
  control: string,
  options?: Parameters<Store['select']>[2],
): Promise<Generation[]> => {
  const rows = await store.select<GenerationRow>(
    `SELECT generation, state, changed_at, reason, version
     FROM ${control}.generations FINAL ORDER BY generation`,
    {},
    options,
  )
  return rows.map(({ generation, state, changed_at: changedAt, reason, version }) => ({
    generation,
    state,
    changedAtMs: timestampToMs(changedAt),
    reason,
    version: BigInt(version),
  }))
}

/** The served generation: the highest if more than one is active. */
export const findActive = (generations: readonly Generation[]): Generation | undefined =>
  generations.filter(({ state }) => state === 'active').at(-1)
