// Reads the list of generations: the active one, those that are being built, and those that are kept for a while.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Digits, Timestamp } from './read-model.ts'
import { timestampToMs } from './timestamps.ts'

/**
 * `building`: being filled beside the active one. `retired`: was active; answers cursors for a while.
 * `failed`: could not be built. `dropped`: its tables are deleted; its number is never used again.
 */
export type GenerationState = 'building' | 'active' | 'retired' | 'failed' | 'dropped'
export type GenerationRow = {
  generation: number
  state: GenerationState
  changed_at: Timestamp
  /** Why it failed; empty in any other state. */
  reason: string
  version: Digits
}

/** After a switch, cursors of the previous generation stay valid for this long. */
export const GENERATION_LINGERS_MS = 15 * 60_000

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
