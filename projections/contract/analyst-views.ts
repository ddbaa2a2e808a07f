// What the analysts' views are: their columns with comments, and their queries. The API writes the files of /data from them. Pure.
import { readFileSync } from 'node:fs'
import { locateFile } from '../../infra/base/runtime/product-files.ts'
import { buildCastPower, MAX_TRUNCATED_UNITS } from './cast-power.ts'
import { isMissed } from './missed-votes.ts'
import { isShareAbove, isShareAtLeast } from './rounded-share.ts'
import type { Table } from './table/define-table.ts'
import { TABLES } from './tables.ts'

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

/** The statements of all views, with placeholders for their databases. */
export function readViews(): string {
  return Object.entries(SHARED)
    .reduce(
      (sql, [placeholder, shared]) => sql.replaceAll(placeholder, shared),
      readFileSync(FILE, 'utf8'),
    )
    .replace(DECLARED, (_, table: string, column: string) => quoteComment(table, column))
}

export type ViewColumn = { name: string; type: string; comment: string }

export type AnalystView = {
  comment: string
  columns: readonly ViewColumn[]
  /** Its query, with `{database}` before each table. */
  select: string
}

const VIEW =
  /^CREATE OR REPLACE VIEW \{control\}\.(\w+)\{on_cluster\}\n\(\n([\s\S]*?)\n\)\n[^\n]+\nAS ([\s\S]*?)\nCOMMENT '((?:[^']|'')*)';$/gm
const COLUMN = /^ {4}`?(\w+)`? (.+?) COMMENT '((?:[^']|'')*)',?$/gm

const unquote = (text = ''): string => text.replaceAll("''", "'")

/** By their names. */
export function describeViews(): ReadonlyMap<string, AnalystView> {
  return new Map(
    [...readViews().matchAll(VIEW)].map(([, name = '', columns = '', select = '', comment]) => [
      name,
      {
        comment: unquote(comment),
        columns: [...columns.matchAll(COLUMN)].map(([, column = '', type = '', about]) => ({
          name: column,
          type,
          comment: unquote(about),
        })),
        select,
      },
    ]),
  )
}
