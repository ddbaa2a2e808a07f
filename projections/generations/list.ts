// Changes the list of generations, and activates the first one if none is active. The list is append-only: the latest row of a
// generation has its state.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import {
  findActive,
  GENERATION_LINGERS_MS,
  type Generation,
  readGenerations,
} from '../contract/generations.ts'
import { type GenerationState, generations as table } from '../contract/tables/generations.ts'
import { wallClockTimestamp } from '../fold/timestamps.ts'

const FIRST_GENERATION = 1

export const findGeneration = (
  generations: readonly Generation[],
  generation: number,
): Generation | undefined => generations.find((each) => each.generation === generation)

/** A retired generation is projected as long as its cursors are valid. */
export const isProjected = ({ state, changedAtMs }: Generation, nowMs: number): boolean =>
  state === 'building' ||
  state === 'active' ||
  (state === 'retired' && nowMs - changedAtMs < GENERATION_LINGERS_MS)

export type StateChange = {
  generation: number
  state: GenerationState
  reason?: string
  /** The row that this change is based on; undefined for a new generation. */
  from: Generation | undefined
}

/** If two changes are based on the same row, the one from an operator wins over a failure. */
const STEP: Record<GenerationState, bigint> = {
  building: 10n,
  active: 10n,
  retired: 10n,
  dropped: 10n,
  failed: 1n,
}

/** All rows or none: one insert of one block. */
export const writeStates = async (
  store: Store,
  control: string,
  { changes, nowMs }: { changes: readonly StateChange[]; nowMs: number },
): Promise<void> => {
  const rows = changes.map(({ generation, state, reason = '', from }) =>
    table.encode({
      generation,
      state,
      changedAt: wallClockTimestamp(nowMs),
      reason,
      version: (from?.version ?? 0n) + STEP[state],
    }),
  )
  await store.insert(`${control}.${table.name}`, rows)
}

export const ensureActiveGeneration = async (
  store: Store,
  control: string,
  nowMs: number,
): Promise<number> => {
  const generations = await readGenerations(store, control)
  const active = findActive(generations)
  if (active) return active.generation
  if (generations.length > 0) {
    const message = `${control}.generations has ${generations.length} generations, and none is active`
    throw new AppError('STORE_REFUSED', message)
  }
  const first = { generation: FIRST_GENERATION, state: 'active', from: undefined } as const
  await writeStates(store, control, { changes: [first], nowMs })
  return FIRST_GENERATION
}
