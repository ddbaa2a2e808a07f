// Points the analysts' views to one generation of the read model, at every start and after every switch. Stores no data.
import { readFileSync } from 'node:fs'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { locateFile } from '../../infra/base/runtime/product-files.ts'
import { buildCastPower, MAX_TRUNCATED_UNITS } from '../contract/cast-power.ts'
import { toDatabaseName } from '../contract/database.ts'
import { isMissed } from '../contract/missed-votes.ts'
import { isShareAbove, isShareAtLeast } from '../contract/rounded-share.ts'
import type { Table } from '../contract/table/define-table.ts'
import { TABLES } from '../contract/tables.ts'

export type PointViewsOptions = {
  /** The database of the views. */
  control: string
  generation: number
}

const FILE = locateFile('projections/read-model/analyst-views.sql')
const ATTO = "toInt256('1000000000000000000')"

/** What the views share with the API and with each other. */
const SHARED = {
  '{atto}': ATTO,
  '{known_by}':
    "if(proposal_id IN (SELECT proposal_id FROM {database}.proposals FINAL WHERE history = 'reconstructed'), 'reconstructed', 'indexed')",
  '{is_missed}': isMissed('{database}.proposals FINAL'),
  '{cast_power}': buildCastPower({
    ballots: '{database}.ballots FINAL WHERE true',
    poolVotes: '{database}.pool_votes FINAL WHERE true',
    pools: '{database}.pools FINAL',
  }),
  '{reaches_quorum}': isShareAtLeast({
    part: 'c.power',
    whole: 't.bonded',
    limit: 't.quorum_atto',
  }),
  '{is_quorate}': isShareAtLeast({
    part: `t.voted * ${ATTO}`,
    whole: 't.bonded',
    limit: 't.quorum_atto',
  }),
  '{is_vetoed}': isShareAbove({
    part: `t.for_veto * ${ATTO}`,
    whole: 't.voted',
    limit: 't.veto_atto',
  }),
  '{is_above_threshold}': isShareAbove({
    part: `t.for_yes * ${ATTO}`,
    whole: '(t.voted - t.abstained)',
    limit: 't.threshold_atto',
  }),
  '{max_truncated_units}': `${MAX_TRUNCATED_UNITS}`,
} as const

/** `COMMENT {proposals.title}`: a column of a view that says the same as that of a table. */
const DECLARED = /(?<= COMMENT )\{(\w+)\.(\w+)\}/g

const quoteComment = (table: string, column: string): string => {
  const declared = Object.values<Table>(TABLES).find(({ name }) => name === table)
  const found = declared?.columns.find(({ stored }) => stored === column)
  if (!found) throw new Error(`no table has the column ${table}.${column}`)
  return `'${found.description.replaceAll("'", "''")}'`
}

const readViews = (): string =>
  Object.entries(SHARED)
    .reduce(
      (sql, [placeholder, shared]) => sql.replaceAll(placeholder, shared),
      readFileSync(FILE, 'utf8'),
    )
    .replace(DECLARED, (_, table: string, column: string) => quoteComment(table, column))

/**
 * Each view is replaced atomically: a reader gets the old or the new one. Views run with the rights of the
 * user of `store`, so an analyst needs none on the tables.
 */
export const pointViews = async (
  store: Store,
  { control, generation }: PointViewsOptions,
): Promise<void> => {
  const filled = readViews()
    .replaceAll('{control}', control)
    .replaceAll('{database}', toDatabaseName(generation, control))
    .replaceAll('{generation}', String(generation))
    .replaceAll('{generation}', String(generation))
  // Each statement ends with a semicolon at the end of a line.
  for (const statement of filled.split(/;\s*$/m)) {
    if (statement.trim() !== '') await store.command(statement.trim())
  }
}
