// Checks ClickHouse: reachable, credentials, the tables that this version expects, the progress of the projections, and which proposals
// stopped. Read-only.
import { CONTROL_DATABASE, toDatabaseName } from '../../../projections/contract/database.ts'
import { findActive, readGenerations } from '../../../projections/contract/generations.ts'
import { readStopped } from '../../../projections/contract/stopped-proposals.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { findMissingColumns } from '../../../projections/read-model/prepare.ts'
import { isRefusedLogin } from '../../base/clickhouse/check-server.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { type Finding, inArea, ok, problem, warning, withoutSecrets } from './finding.ts'

const SHOWN = 10
const NO_TABLES = /UNKNOWN_DATABASE|UNKNOWN_TABLE|does not exist/

const checkAnswer = async (store: Store): Promise<Finding> => {
  try {
    const [row] = await store.select<{ version: string; user: string }>(
      'SELECT version() AS version, currentUser() AS user',
    )
    return ok(`ClickHouse ${row?.version} answers user ${row?.user}`)
  } catch (error) {
    const message = withoutSecrets(error instanceof Error ? error.message : String(error))
    if (isRefusedLogin(message)) {
      return problem(
        'ClickHouse rejects these credentials',
        'set CLICKHOUSE_USERNAME and …_PASSWORD',
      )
    }
    return problem(message, 'start ClickHouse, or set CLICKHOUSE_URL')
  }
}

const checkTables = async (store: Store, database: string): Promise<Finding> => {
  const missing = await findMissingColumns(store, database)
  if (missing.length === 0) return ok('all tables have the columns of this version')
  return problem(
    `columns are missing or have another type: ${missing.slice(0, SHOWN).join(', ')}`,
    'start this version, which creates them, or rebuild the tables',
  )
}

export type StoreCheck = { findings: Finding[]; generation: number | undefined }

/** `generation` is the active one, if it can be read. */
export const checkStore = async (store: Store, control: string): Promise<StoreCheck> => {
  const answer = await checkAnswer(store)
  if (answer.level !== 'ok') return { findings: [answer], generation: undefined }
  try {
    const generation = findActive(await readGenerations(store, control))?.generation
    if (generation === undefined) {
      const none = problem('no generation of the read model is active', 'start the projections')
      return { findings: [answer, none], generation }
    }
    const active = ok(`generation ${generation} is active`)
    const tables = await checkTables(store, toDatabaseName(generation, control))
    return { findings: [answer, active, tables], generation }
  } catch (error) {
    const isBare = hasCode(error, 'STORE_REFUSED') && NO_TABLES.test(error.message)
    if (!isBare) throw error
    const none = problem('ClickHouse has no tables of Rollcall', 'start the projections')
    return { findings: [answer, none], generation: undefined }
  }
}

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
     FROM ${database}.${TABLES.checkpoints.name} FINAL`,
  )
  if (!row) {
    const none = warning('nothing is projected yet', 'start the projections')
    return inArea('projections', [none])
  }
  const log = await readLogEnd()
  const seconds = Number(row.age)
  const message = `projected up to height ${row.height}, last checkpoint ${seconds} s ago`
  const fresh =
    seconds <= STALE_SECONDS
      ? ok(message)
      : warning(message, 'start the projections, or check their log')
  const lag = log ? [checkLag(row, log)] : []
  return inArea('projections', [fresh, ...lag, ...(await checkStopped(store, database))])
}
