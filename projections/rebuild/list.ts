// Lists the generations with state, age, position and size.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toDatabaseName } from '../contract/database.ts'
import { readGenerations } from '../contract/generations.ts'
import type { GenerationState } from '../contract/tables/generations.ts'
import { createPositionReader } from './position.ts'

export type ListedGeneration = {
  generation: number
  state: GenerationState
  since: string
  reason: string | null
  /** Null if its tables are dropped. */
  height: number | null
  nextOffset: string | null
  bytes: number | null
}

const readSizes = async (store: Store): Promise<Map<string, number>> => {
  const rows = await store.select<{ database: string; bytes: string }>(
    `SELECT database, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active GROUP BY database`,
  )
  return new Map(rows.map(({ database, bytes }) => [database, Number(bytes)]))
}

export const listGenerations = async (
  store: Store,
  control: string,
): Promise<ListedGeneration[]> => {
  const positionOf = createPositionReader(store, control)
  const sizes = await readSizes(store)
  const listed: ListedGeneration[] = []
  for (const { generation, state, changedAtMs, reason } of await readGenerations(store, control)) {
    const isThere = state !== 'dropped'
    const position = isThere ? await positionOf(generation).catch(() => undefined) : undefined
    listed.push({
      generation,
      state,
      since: new Date(changedAtMs).toISOString(),
      reason: reason === '' ? null : reason,
      height: position?.height ?? null,
      nextOffset: position?.nextOffset.toString() ?? null,
      bytes: isThere ? (sizes.get(toDatabaseName(generation, control)) ?? 0) : null,
    })
  }
  return listed
}
