// Computes row counts and checksums per table and key, to compare generations.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toDatabaseName } from '../contract/database.ts'
import { TABLES } from '../contract/tables.ts'

type KeyType = 'UInt64' | 'String'

export type ComparedTable = {
  name: string
  /** The key of rows in the report: proposals if there are any. */
  key: { column: string; type: KeyType } | undefined
  /** The position column of a table with history, where rows are only added. Absent if rows change. */
  grows?: 'position' | 'version'
}

const PROPOSAL = { column: 'proposal_id', type: 'UInt64' } as const
const VALIDATOR_SET = { column: 'hash', type: 'String' } as const
const POOL = { column: 'operator_address', type: 'String' } as const

/** All except `checkpoints`, which contain clock times. */
export const COMPARED: readonly ComparedTable[] = [
  { name: TABLES.proposals.name, key: PROPOSAL },
  { name: TABLES.tallies.name, key: PROPOSAL },
  { name: TABLES.poolVotes.name, key: PROPOSAL },
  { name: TABLES.poolVotes.copies.votesByPool.name, key: PROPOSAL },
  { name: TABLES.missedVotes.name, key: PROPOSAL },
  { name: TABLES.ballots.name, key: PROPOSAL },
  { name: TABLES.ballots.copies.ballotsByVoter.name, key: PROPOSAL },
  { name: TABLES.messageBytes.name, key: PROPOSAL, grows: 'version' },
  { name: TABLES.proposalProofs.name, key: PROPOSAL, grows: 'version' },
  { name: TABLES.lightBlocks.name, key: undefined, grows: 'version' },
  // A validator set that signs again after another one gets the position of its latest event.
  { name: TABLES.validatorSets.name, key: VALIDATOR_SET },
  { name: TABLES.watermarks.name, key: PROPOSAL },
  { name: TABLES.pools.name, key: POOL },
  { name: TABLES.poolStates.name, key: POOL, grows: 'position' },
  { name: TABLES.voterStakes.name, key: undefined, grows: 'position' },
  { name: TABLES.events.name, key: PROPOSAL, grows: 'position' },
  { name: TABLES.deadLetters.name, key: PROPOSAL, grows: 'version' },
  // From another log: their versions are not positions on the chain.
  { name: TABLES.claims.name, key: undefined },
  { name: TABLES.revocations.name, key: undefined },
]

/** Rows and checksum of one key. */
export type Sum = { rows: number; sum: string }
export type Sums = ReadonlyMap<string, Sum>

export type SumsRequest = {
  table: ComparedTable
  columns: readonly string[]
  /** Only these keys; if absent, all. */
  keys?: readonly string[]
  /** For tables with history, only earlier rows. */
  before?: bigint
}

/** Large tables take time on a single core: readers have priority. */
const READ = { timeoutMs: 30 * 60_000, settings: { max_threads: 1 } }

const createConditions = ({ table, keys, before }: SumsRequest): string[] => [
  ...(keys && table.key ? [`${table.key.column} IN {keys:Array(${table.key.type})}`] : []),
  ...(table.grows && before !== undefined ? [`${table.grows} < {before:UInt64}`] : []),
]

export const readSums = async (
  store: Store,
  database: string,
  request: SumsRequest,
  signal: AbortSignal,
): Promise<Sums> => {
  const { table, columns, keys, before } = request
  const key = table.key ? `toString(${table.key.column})` : `''`
  const conditions = createConditions(request)
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  // A tuple: a direct NULL argument would make the whole hash NULL.
  const rows = await store.select<{ key: string; rows: string; sum: string }>(
    `SELECT ${key} AS key, count() AS rows, sum(cityHash64(tuple(${columns.join(', ')}))) AS sum
     FROM ${database}.${table.name} FINAL ${where} GROUP BY key`,
    {
      ...(keys ? { keys: table.key?.type === 'UInt64' ? keys.map(BigInt) : keys } : {}),
      ...(before === undefined ? {} : { before: before.toString() }),
    },
    { ...READ, signal },
  )
  return new Map(
    rows.map(({ key: its, rows: count, sum }) => [its, { rows: Number(count), sum }] as const),
  )
}

export type Columns = {
  /** Columns in both, with the same type, by table. */
  common: ReadonlyMap<string, readonly string[]>
  /** `table.column` of columns that cannot be compared: only in one generation, or of different types. */
  others: readonly string[]
}

export const readColumns = async (
  store: Store,
  { control, pair }: { control: string; pair: readonly [number, number] },
): Promise<Columns> => {
  const rows = await store.select<{ table: string; name: string; both: boolean }>(
    `SELECT table, name, toBool(count() = 2 AND uniqExact(type) = 1) AS both
     FROM system.columns
     WHERE has({databases:Array(String)}, database) AND has({tables:Array(String)}, table)
     GROUP BY table, name ORDER BY table, min(position), name`,
    {
      databases: pair.map((generation) => toDatabaseName(generation, control)),
      tables: COMPARED.map(({ name }) => name),
    },
  )
  const common = new Map<string, string[]>(COMPARED.map(({ name }) => [name, []]))
  const others: string[] = []
  for (const { table, name, both } of rows) {
    if (both) common.get(table)?.push(name)
    else others.push(`${table}.${name}`)
  }
  return { common, others }
}
