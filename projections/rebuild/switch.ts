// Makes another generation the served one: both rows in one insert, then the analysts' views.

import { toDatabaseName } from '../contract/database.ts'
import { GENERATION_LINGERS_MS, type Generation, readGenerations } from '../contract/generations.ts'
import { findGeneration, isProjected, writeStates } from '../generations/list.ts'
import { dropGeneration } from '../generations/sweep.ts'
import { pointViews } from '../read-model/analyst-views.ts'
import { type BuildOptions, refuse, requireActive } from './build.ts'

/** Refuses generations that can never be served (again). */
export const requireSwitchable = (
  generations: readonly Generation[],
  generation: number,
): Generation => {
  const found = findGeneration(generations, generation)
  if (!found) throw refuse(`there is no generation ${generation}`)
  if (found.state === 'active') throw refuse(`generation ${generation} is the one that is served`)
  if (found.state === 'failed') {
    throw refuse(`generation ${generation} failed and is incomplete: ${found.reason}`)
  }
  if (found.state === 'dropped') throw refuse(`the tables of generation ${generation} were dropped`)
  return found
}

/** Projects a retired generation again, so that it can be served. */
export const reviveGeneration = async (
  { store, control, clock }: BuildOptions,
  from: Generation,
): Promise<void> => {
  const nowMs = clock.now()
  if (isProjected(from, nowMs)) return
  const { generation } = from
  await writeStates(store, control, { changes: [{ generation, state: 'building', from }], nowMs })
}

/** Both must have the same position. Returns the previously served generation. */
export const switchTo = async (
  options: BuildOptions,
  generation: number,
  { onSwitched }: { onSwitched: () => unknown },
): Promise<number> => {
  const { store, control, clock } = options
  const generations = await readGenerations(store, control)
  const former = requireActive(generations)
  const next = requireSwitchable(generations, generation)
  const changes = [
    { generation: former.generation, state: 'retired', from: former },
    { generation, state: 'active', from: next },
  ] as const
  await writeStates(store, control, { changes, nowMs: clock.now() })
  await onSwitched()
  await pointViews(store, { control, generation })
  return former.generation
}

/** For operators who drop a generation themselves. */
export const dropByHand = async (
  options: BuildOptions,
  generation: number,
  { force }: { force: boolean },
): Promise<void> => {
  const { store, control, clock } = options
  const generations = await readGenerations(store, control)
  const from = findGeneration(generations, generation)
  if (!from) throw refuse(`there is no generation ${generation}`)
  if (from.state === 'active') throw refuse(`generation ${generation} is the one that is served`)
  if (from.state === 'dropped') {
    throw refuse(`${toDatabaseName(generation, control)} is already dropped`)
  }
  const nowMs = clock.now()
  const leftMs = GENERATION_LINGERS_MS - (nowMs - from.changedAtMs)
  if (from.state === 'retired' && leftMs > 0 && !force) {
    const minutes = Math.ceil(leftMs / 60_000)
    throw refuse(
      `generation ${generation} still serves its cursors for ${minutes} more min; --force drops it now`,
    )
  }
  await dropGeneration(store, { control, from, nowMs })
}
