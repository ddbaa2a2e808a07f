// Converts statements for one ClickHouse server to statements for a cluster, so that both share migrations. Pure.
import { maskQuoted } from './sql-statements.ts'

const NAME = String.raw`[a-z_][\w]*(?:\.[a-z_][\w]*)?`

/** Matches DDL of tables and databases, up to the end of the name. */
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

/** Other DDL is refused: without `ON CLUSTER` it would silently reach only one replica. */
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
 * The path in Keeper, the same on every replica, also on one that joins later: a UUID would differ there.
 * The database name contains the generation. Its number is free again only after the drop is complete.
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
 * `cluster` is a name that `parseClusterName` accepted. Returns statements other than DDL unchanged, and refuses
 * DDL of an unknown form.
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
  // Without it, the name in Keeper stays in use for minutes.
  const dropsLater = found.groups?.['drop'] !== undefined && !/\bSYNC\s*$/i.test(masked)
  return withEdits(sql, edits) + (dropsLater ? ' SYNC' : '')
}
