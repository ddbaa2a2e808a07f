// Checks ClickHouse: reachable, credentials, and the tables that this version expects. Read-only.
import { findActive, readGenerations } from '../../../projections/contract/generations.ts'
import {
  findChanged,
  readApplied,
  readMigrations,
} from '../../../projections/read-model/migrate.ts'
import { isRefusedLogin } from '../../base/clickhouse/check-server.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { createAreaFindings, type Finding, withoutSecrets } from './finding.ts'

const { ok, warning, problem } = createAreaFindings('store')

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

const compareMigrations = (applied: ReadonlyMap<string, string>): Finding[] => {
  const expected = readMigrations()
  const names = expected.map(({ name }) => name)
  const missing = names.filter((name) => !applied.has(name)).join(', ')
  const changed = findChanged(expected, applied).join(', ')
  const later = [...applied.keys()].filter((name) => !names.includes(name)).join(', ')
  const findings: Finding[] = []
  if (missing) {
    const remedy = 'start this version, which applies them'
    findings.push(problem(`migrations are missing: ${missing}`, remedy))
  }
  if (changed) {
    const remedy = 'run the version that applied them, or rebuild into a new generation'
    findings.push(problem(`migrations changed after they were applied: ${changed}`, remedy))
  }
  if (later) {
    findings.push(warning(`a newer version applied ${later}`, 'run that version everywhere'))
  }
  return findings.length > 0 ? findings : [ok(`all ${names.length} migrations are applied`)]
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
    const applied = await readApplied(store, { control, generation })
    const active = ok(`generation ${generation} is active`)
    return { findings: [answer, active, ...compareMigrations(applied)], generation }
  } catch (error) {
    const isBare = hasCode(error, 'STORE_REFUSED') && NO_TABLES.test(error.message)
    if (!isBare) throw error
    const none = problem('ClickHouse has no tables of Rollcall', 'start the projections')
    return { findings: [answer, none], generation: undefined }
  }
}
