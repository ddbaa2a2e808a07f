// Reads the tallies of two generations for display.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { selectFrom } from '../contract/table/select-from.ts'
import type { MatchesChain, TallyRow } from '../contract/tables/tallies.ts'
import { TABLES } from '../contract/tables.ts'

/** Closed rounds by whether their recomputed tally matches the chain. */
export type Verdicts = Record<MatchesChain, number>

const SHOWN = [
  'yes',
  'abstain',
  'no',
  'noWithVeto',
  'final',
  'matchesChain',
  'ballots',
  'poolsVoted',
] as const
export type ShownTally = Pick<TallyRow, (typeof SHOWN)[number]>

export type TallyDifference = {
  proposalId: string
  round: number
  /** Null if there is no such round. */
  tallies: readonly [ShownTally | null, ShownTally | null]
}

const MAX_SHOWN = 20

export const readVerdicts = async (store: Store, database: string): Promise<Verdicts> => {
  const rows = await store.select<{ verdict: MatchesChain; rounds: string }>(
    `SELECT matches_chain AS verdict, count() AS rounds FROM ${database}.${TABLES.tallies.name} FINAL
     WHERE final GROUP BY verdict`,
  )
  const verdicts: Verdicts = { yes: 0, no: 0, unknown: 0 }
  for (const { verdict, rounds } of rows) verdicts[verdict] = Number(rounds)
  return verdicts
}

type Keyed = ShownTally & Pick<TallyRow, 'proposalId' | 'round'>

const readTallies = (store: Store, database: string, ids: readonly string[]): Promise<Keyed[]> =>
  selectFrom(
    store,
    TABLES.tallies.select(['proposalId', 'round', ...SHOWN]),
    `${database}.${TABLES.tallies.name} FINAL WHERE proposal_id IN {ids:Array(UInt64)}
     ORDER BY proposal_id, round`,
    { ids: ids.map(BigInt) },
  )

const toShownTally = (row: Keyed | undefined): ShownTally | null => {
  if (!row) return null
  const { proposalId: _, round: __, ...shown } = row
  return shown
}

/** Of the first few proposals; all tallies if only the data of the numbers differs. */
export const readTallyDifferences = async (
  store: Store,
  databases: readonly [string, string],
  proposalIds: readonly string[],
): Promise<TallyDifference[]> => {
  if (proposalIds.length === 0) return []
  const ids = proposalIds.slice(0, MAX_SHOWN)
  const [one, other] = [
    await readTallies(store, databases[0], ids),
    await readTallies(store, databases[1], ids),
  ]
  const toKey = (row: Keyed) => `${row.proposalId}/${row.round}`
  const keys = new Set([...one, ...other].map(toKey))
  return [...keys].map((key) => {
    const [proposalId = '', round] = key.split('/')
    const find = (rows: readonly Keyed[]) => toShownTally(rows.find((row) => toKey(row) === key))
    return { proposalId, round: Number(round), tallies: [find(one), find(other)] }
  })
}
