// Reads the tables of a read model in a real ClickHouse, to compare them with tables folded in memory.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { toDatabaseName } from '../../../projections/contract/read-model.ts'
import { migrate } from '../../../projections/read-model/migrate.ts'
import type { TableName } from '../store/memory-store.ts'

export type Tables = Record<string, unknown[]>

/** The sorting key of every table without values of the wall clock. */
const ORDER: Partial<Record<TableName, string>> = {
  events: 'proposal_id, position',
  proposals: 'proposal_id',
  message_bytes: 'proposal_id, message, path, chunk',
  proposal_proofs: 'proposal_id, round, state_height, chunk',
  light_blocks: 'height',
  validator_sets: 'hash',
  ballots: 'proposal_id, round, rank',
  pools: 'operator_address',
  pool_states: 'operator_address, position',
  pool_votes: 'proposal_id, round, rank',
  voter_stakes: 'voter, position',
  missed_votes: 'operator_address, proposal_id, round',
  tallies: 'proposal_id, round',
  watermarks: 'proposal_id',
  dead_letters: 'offset, row_position',
  claims: 'registration_id',
  revocations: 'token_id, version',
}

/** ClickHouse prints decimals without trailing zeros, but shares have them. */
export const normalised = (tables: Tables): Tables =>
  JSON.parse(
    JSON.stringify(tables, (key, value: unknown) =>
      key === 'delegator_shares' && typeof value === 'string' && value.includes('.')
        ? value.replace(/\.?0+$/, '')
        : value,
    ),
  )

/** The final rows of the control database's first generation, normalized. */
export const readTables = async (store: Store, control: string): Promise<Tables> => {
  const tables: Tables = {}
  for (const [table, order] of Object.entries(ORDER)) {
    const from = `${toDatabaseName(1, control)}.${table}`
    tables[table] = await store.select(`SELECT * FROM ${from} FINAL ORDER BY ${order}`)
  }
  return normalised(tables)
}

export const dropTables = async (store: Store, control: string): Promise<void> => {
  for (const name of [toDatabaseName(1, control), control]) {
    await store.command(`DROP DATABASE IF EXISTS ${name} SYNC`)
  }
}

/** Removes all rows and creates empty tables. */
export const freshTables = async (store: Store, control: string): Promise<void> => {
  await dropTables(store, control)
  await migrate(store, { control, generation: 1 })
}
