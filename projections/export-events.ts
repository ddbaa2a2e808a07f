// Exports the table of all events as a Parquet file, written by ClickHouse, for analysts.
import type { Store } from '../infra/base/clickhouse/client.ts'
import { readParquet } from '../infra/base/clickhouse/parquet.ts'
import type { ByteSink } from '../infra/base/runtime/byte-sink.ts'
import { AppError } from '../infra/base/runtime/errors.ts'
import { readCheckpoint } from './contract/checkpoints.ts'
import { CONTROL_DATABASE, toDatabaseName } from './contract/database.ts'
import { findActive, readGenerations } from './contract/generations.ts'
import { TABLES } from './contract/tables.ts'

export type ExportEventsOptions = {
  store: Store
  /** The control database, if it is not the default. */
  control?: string
  from: number | undefined
  to: number | undefined
  sink: ByteSink
  signal: AbortSignal
  onBytes(bytes: number): void
}

export type ExportedEvents = {
  generation: number
  from: number
  to: number
  rows: number
  bytes: number
}

const notThere = (message: string): AppError =>
  new AppError('NOT_IN_LOG', message, { expose: true })

const findSource = async ({ store, control = CONTROL_DATABASE, from, to }: ExportEventsOptions) => {
  const generation = findActive(await readGenerations(store, control))?.generation
  if (generation === undefined) throw notThere('no generation of the read model is active')
  const database = toDatabaseName(generation, control)
  const checkpoint = await readCheckpoint(store, database)
  if (!checkpoint) throw notThere('no height is projected yet')
  const range = { from: from ?? 0, to: Math.min(to ?? checkpoint.height, checkpoint.height) }
  const where = `FROM ${database}.${TABLES.events.name} FINAL WHERE height BETWEEN {from:UInt64} AND {to:UInt64}`
  const [counted] = await store.select<{ rows: string }>(`SELECT count() AS rows ${where}`, range)
  return { generation, range, where, rows: Number(counted?.rows ?? 0) }
}

/** Rows are in the order of the table, by proposal and position: a sort would use memory of the store. */
export const exportEvents = async (options: ExportEventsOptions): Promise<ExportedEvents> => {
  const { store, sink, signal, onBytes } = options
  const { generation, range, where, rows } = await findSource(options)
  const stream = await store.stream(
    `SELECT * ${where} ORDER BY proposal_id, position FORMAT Parquet`,
    range,
    { signal },
  )
  let written = 0
  const bytes = await readParquet(stream, async (chunk) => {
    await sink.write(chunk)
    written += chunk.length
    onBytes(written)
  })
  return { generation, ...range, rows, bytes }
}
