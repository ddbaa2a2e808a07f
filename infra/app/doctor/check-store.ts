// Checks ClickHouse: reachable, credentials, and the tables that this version expects. Read-only.
import { toDatabaseName } from '../../../projections/contract/database.ts'
import { findActive, readGenerations } from '../../../projections/contract/generations.ts'
import { findMissingColumns } from '../../../projections/read-model/create-tables.ts'
import { isRefusedLogin } from '../../base/clickhouse/check-server.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { createAreaFindings, type Finding, withoutSecrets } from './finding.ts'

const { ok, problem } = createAreaFindings('store')

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
