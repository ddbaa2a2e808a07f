// Checks the progress of the projections, and which proposals stopped.

import { CONTROL_DATABASE, RUNNER, toDatabaseName } from '../../../projections/contract/database.ts'
import { readStopped } from '../../../projections/contract/stopped-proposals.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { createAreaFindings, type Finding } from './finding.ts'

export type ReadModelOptions = {
  store: Store
  generation: number
  /** The control database, if it is not the default one. */
  control?: string
  /** Undefined if the log cannot be read. Called after the checkpoint is read, because both grow. */
  readLogEnd: () => Promise<LogEnd | undefined>
}

type LogEnd = { chainId: string; offset: bigint }

type Row = { chain_id: string; height: string; next_offset: string; age: string }

const { ok, warning, problem } = createAreaFindings('projections')

/** The runner writes its checkpoint every few seconds, even without new events. */
const STALE_SECONDS = 60
const FAR_BEHIND = 10_000n

const checkLag = (row: Row, log: LogEnd): Finding => {
  if (row.chain_id !== log.chainId) {
    return problem(
      `the tables are of chain ${row.chain_id}, but the log is of ${log.chainId}`,
      'set the right DATA_DIR, brokers or CLICKHOUSE_URL',
    )
  }
  const behind = log.offset - BigInt(row.next_offset)
  if (behind < 0n) {
    return problem(
      `the tables are ${-behind} records ahead of the end of the log`,
      'the log was replaced by a shorter one; rebuild the read model from it',
    )
  }
  const message = `${behind} records behind the log`
  return behind > FAR_BEHIND ? warning(message, 'wait if the number decreases') : ok(message)
}

const checkStopped = async (store: Store, database: string): Promise<Finding[]> => {
  const stopped = await readStopped(store, database)
  const remedy = 'start a version that can store the row, then run "rollcall rebuild"'
  return [...stopped].map(([id, reason]) => problem(`proposal ${id}: ${reason}`, remedy))
}

export const checkReadModel = async (options: ReadModelOptions): Promise<Finding[]> => {
  const { store, generation, control = CONTROL_DATABASE, readLogEnd } = options
  const database = toDatabaseName(generation, control)
  const [row] = await store.select<Row>(
    `SELECT chain_id, height, next_offset, dateDiff('second', written_at, now64(3)) AS age
     FROM ${database}.${TABLES.checkpoints.name} FINAL WHERE projection = {runner:String}`,
    { runner: RUNNER },
  )
  if (!row) return [warning('nothing is projected yet', 'start the projections')]
  const log = await readLogEnd()
  const seconds = Number(row.age)
  const message = `projected up to height ${row.height}, last checkpoint ${seconds} s ago`
  const fresh =
    seconds <= STALE_SECONDS
      ? ok(message)
      : warning(message, 'start the projections, or check their log')
  return [fresh, ...(log ? [checkLag(row, log)] : []), ...(await checkStopped(store, database))]
}
