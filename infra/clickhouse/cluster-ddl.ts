// Converts statements for one ClickHouse server to statements for a cluster, so that both share migrations. Pure.
import { maskQuoted } from './sql-statements.ts'

const NAME = String.raw`[a-z_][\w]*(?:\.[a-z_][\w]*)?`

/** What changes tables or databases, up to the end of the name it is about. */
const DDL = new RegExp(
  String.raw`^\s*(?:${[
    'CREATE\\s+DATABASE(?:\\s+IF\\s+NOT\\s+EXISTS)?',
    'CREATE\\s+TABLE(?:\\s+IF\\s+NOT\\s+EXISTS)?',
    'CREATE(?:\\s+OR\\s+REPLACE)?\\s+VIEW(?:\\s+IF\\s+NOT\\s+EXISTS)?',
    'CREATE\\s+MATERIALIZED\\s+VIEW(?:\\s+IF\\s+NOT\\s+EXISTS)?',
    'ALTER\\s+TABLE',
    'TRUNCATE\\s+TABLE(?:\\s+IF\\s+EXISTS)?',
    '(?<drop>DROP)\\s+(?:DATABASE|TABLE|VIEW)(?:\\s+IF\\s+EXISTS)?',
  ].join('|')})\s+${NAME}(?=[\s(]|$)`,
  'i',
)

/** A statement that begins so and is none of the above must not quietly reach one replica alone. */
const CHANGES_SCHEMA = /^\s*(?:CREATE|ALTER|DROP|DETACH|ATTACH|TRUNCATE|RENAME|EXCHANGE|UNDROP)\b/i

const ENGINE = /\bENGINE\s*=\s*(?<engine>\w*MergeTree)\b(?<parameters>\s*\()?/i

type Edit = { at: number; length: number; text: string }

const withEdits = (sql: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((one, other) => other.at - one.at)
    .reduce(
      (text, { at, length, text: added }) => text.slice(0, at) + added + text.slice(at + length),
      sql,
    )

/**
 * The same place for a table on every replica, one that joins later included: a UUID would be another one there.
 * The database's name carries the generation, and the store drops a generation to the end before its number is free.
 */
const replicaParameters = (cluster: string): string =>
  `'/clickhouse/tables/${cluster}/{shard}/{database}/{table}', '{replica}'`

const engineEdit = (masked: string, cluster: string): Edit[] => {
  const found = ENGINE.exec(masked)
  const { engine, parameters } = found?.groups ?? {}
  if (!found || engine === undefined) return []
  if (engine.startsWith('Replicated')) throw new RangeError(`${engine} is replicated already`)
  const at = found.index + found[0].length - engine.length - (parameters?.length ?? 0)
  const given = replicaParameters(cluster)
  const hasMore =
    parameters !== undefined && !/^\s*\)/.test(masked.slice(found.index + found[0].length))
  const text = parameters === undefined ? `(${given})` : `(${given}${hasMore ? ', ' : ''}`
  return [
    { at, length: engine.length + (parameters?.length ?? 0), text: `Replicated${engine}${text}` },
  ]
}

const firstWords = (masked: string): string => masked.trim().split(/\s+/).slice(0, 4).join(' ')

/**
 * `cluster` is a name that `parseClusterName` let through. What changes no schema comes back as it is; DDL of a
 * form that is not known here is refused.
 */
export const clusterDdl = (sql: string, cluster: string): string => {
  const masked = maskQuoted(sql)
  const found = DDL.exec(masked)
  if (!found) {
    if (!CHANGES_SCHEMA.test(masked)) return sql
    throw new RangeError(`no known form for a cluster: ${firstWords(masked)}`)
  }
  const end = found[0].length
  const edits: Edit[] = [{ at: end, length: 0, text: ` ON CLUSTER '${cluster}'` }]
  if (/^\s*CREATE\s+TABLE\b/i.test(masked)) edits.push(...engineEdit(masked, cluster))
  // Without it, the name in Keeper stays taken for minutes.
  const dropsLater = found.groups?.['drop'] !== undefined && !/\bSYNC\s*$/i.test(masked)
  return withEdits(sql, edits) + (dropsLater ? ' SYNC' : '')
}
