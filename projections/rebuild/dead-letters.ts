// Lists the dead letters of a generation and retries them. A retry folds all events into a new generation, because one decoded
// record may change later state.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { decodeEvent } from '../../ingest/contract/codec.ts'
import { CONTROL_DATABASE, toDatabaseName } from '../contract/database.ts'
import { readGenerations } from '../contract/generations.ts'
import { selectFrom } from '../contract/table/select-from.ts'
import type { DeadLetterRow } from '../contract/tables/dead-letters.ts'
import { TABLES } from '../contract/tables.ts'
import { refuse, requireActive } from './build.ts'
import type { Comparison, Difference } from './compare.ts'
import { type Outcome, type RebuildOptions, rebuild } from './rebuild.ts'

export type Letter = {
  /** Null for a row without a record in the log. */
  offset: string | null
  /** The position of such a row; null for a record. */
  rowPosition: string | null
  height: number
  /** Null if it is unknown. */
  proposalId: string | null
  reason: string
  /** As in the table: text, or `base64:…`. */
  value: string
}

const toLetter = (row: DeadLetterRow): Letter => ({
  ...(row.rowPosition === 0n
    ? { offset: `${row.offset}`, rowPosition: null }
    : { offset: null, rowPosition: `${row.rowPosition}` }),
  height: row.height,
  proposalId: row.proposalId === '0' ? null : row.proposalId,
  reason: row.reason,
  value: row.value,
})

const toKey = ({ offset, rowPosition }: Letter): string => `${offset} ${rowPosition}`

const readLetters = async (
  store: Store,
  control: string,
  generation: number,
): Promise<Letter[]> => {
  const { name, key, all } = TABLES.deadLetters
  const from = `${toDatabaseName(generation, control)}.${name}`
  const rows = await selectFrom(store, all, `${from} FINAL ORDER BY ${key.join(', ')}`)
  return rows.map(toLetter)
}

/** The dead letters of the served generation, in the order of the log. */
export const listLetters = async (
  store: Store,
  control: string,
): Promise<{ generation: number; letters: Letter[] }> => {
  const { generation } = requireActive(await readGenerations(store, control))
  return { generation, letters: await readLetters(store, control, generation) }
}

const decodeValue = (value: string): Uint8Array =>
  value.startsWith('base64:')
    ? Buffer.from(value.slice('base64:'.length), 'base64')
    : Buffer.from(value, 'utf8')

/** Why this version cannot decode a record; undefined if it can. */
export const explainUndecodable = ({ offset, value }: Letter): string | undefined => {
  // Only a rebuild shows whether this version can store the row.
  if (offset === null) return undefined
  const decoded = decodeEvent(decodeValue(value))
  if (!decoded.ok) return decoded.reason
  // Ingest itself could not decode the chain's event, and the log keeps that.
  return decoded.event.type === 'rollcall.abci-event.undecodable.v1'
    ? `ingest could not decode it (${decoded.event.data.reason}): index that height again`
    : undefined
}

export type RetryFilter = {
  /** Only those of this proposal; if absent, all. */
  proposalId?: string
  /** Why this version cannot decode a letter; undefined if it can. By default `explainUndecodable`. */
  explain?: (letter: Letter) => string | undefined
}

export type RetryOutcome = Outcome & {
  tried: readonly Letter[]
  /** Retried letters that are dead letters of the new generation too. */
  remaining: readonly Letter[]
  /** Differences that these letters do not explain. */
  unexplained: readonly Difference[]
}

/** Facts of the whole chain may change with any record. */
const CHAIN_WIDE: readonly string[] = [
  TABLES.pools.name,
  TABLES.poolStates.name,
  TABLES.voterStakes.name,
]

const isExplained = (affected: ReadonlySet<string>, { table, key }: Difference): boolean =>
  CHAIN_WIDE.includes(table) || affected.has(key)

const readPartial = async (store: Store, database: string): Promise<string[]> => {
  const rows = await selectFrom(
    store,
    TABLES.proposals.select(['proposalId']),
    `${database}.${TABLES.proposals.name} FINAL WHERE history != 'complete'`,
  )
  return rows.map((row) => row.proposalId)
}

/** Proposals with incomplete data because of letters; `'0'` for letters without a proposal. */
const findAffected = async (
  store: Store,
  database: string,
  letters: readonly Letter[],
): Promise<ReadonlySet<string>> => {
  const named = letters.flatMap(({ proposalId }) => proposalId ?? [])
  const isVague = letters.some(({ proposalId }) => proposalId === null)
  return new Set(['0', ...named, ...(isVague ? await readPartial(store, database) : [])])
}

const chosenLetters = (
  letters: readonly Letter[],
  { proposalId, explain }: RetryFilter,
): Letter[] => {
  const chosen = letters.filter((letter) => !proposalId || letter.proposalId === proposalId)
  if (chosen.length === 0) {
    throw refuse(`there are no dead letters${proposalId ? ` of proposal ${proposalId}` : ''}`)
  }
  const reasons = chosen.map(explain ?? explainUndecodable)
  if (reasons.every((reason) => reason !== undefined)) {
    throw refuse(`none of ${chosen.length} can be decoded by this version: ${reasons[0]}`)
  }
  return chosen
}

/** Switches if the letters are decoded and nothing else changed, or if `accept` allows it. */
export const retryLetters = async (
  options: RebuildOptions,
  filter: RetryFilter = {},
): Promise<RetryOutcome> => {
  const { store, control = CONTROL_DATABASE, accept } = options
  const { generation: active, letters } = await listLetters(store, control)
  const tried = chosenLetters(letters, filter)
  const affected = await findAffected(store, toDatabaseName(active, control), tried)
  const keys = new Set(tried.map(toKey))
  let remaining: readonly Letter[] = []
  let unexplained: readonly Difference[] = []
  const judge = async (comparison: Comparison): Promise<boolean> => {
    const left = await readLetters(store, control, comparison.generations[1])
    remaining = left.filter((letter) => keys.has(toKey(letter)))
    unexplained = comparison.differences.filter((difference) => !isExplained(affected, difference))
    if (remaining.length === 0 && unexplained.length === 0) return true
    return accept(comparison)
  }
  const outcome = await rebuild({ ...options, accept: judge })
  return { ...outcome, tried, remaining, unexplained }
}
