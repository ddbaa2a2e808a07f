// Reads the list of generations: the active one, those that are being built, and those that are kept for a while.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { selectFrom } from './table/select-from.ts'
import { type GenerationState, generations } from './tables/positions.ts'
import { timestampToMs } from './timestamps.ts'

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
  const rows = await selectFrom(
    store,
    generations.all,
    `${control}.${generations.name} FINAL ORDER BY generation`,
    {},
    options,
  )
  return rows.map(({ changedAt, ...row }) => ({ ...row, changedAtMs: timestampToMs(changedAt) }))
}

/** The served generation: the highest if more than one is active. */
export const findActive = (generations: readonly Generation[]): Generation | undefined =>
  generations.filter(({ state }) => state === 'active').at(-1)
