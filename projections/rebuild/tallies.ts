// Reads the tallies of two generations for display.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { type MatchesChain, TABLE, type TallyRow } from '../contract/read-model.ts'

/** Closed rounds by whether their recomputed tally matches the chain. */
export type Verdicts = Record<MatchesChain, number>

export type ShownTally = Pick<
  TallyRow,
  'yes' | 'abstain' | 'no' | 'no_with_veto' | 'final' | 'matches_chain' | 'ballots' | 'pools_voted'
>

export type TallyDifference = {
  proposalId: string
  round: number
  /** Null if there is no such round. */
  tallies: readonly [ShownTally | null, ShownTally | null]
}

const MAX_SHOWN = 20

export const readVerdicts = async (store: Store, database: string): Promise<Verdicts> => {
  const rows = await store.select<{ verdict: MatchesChain; rounds: string }>(
    `SELECT matches_chain AS verdict, count() AS rounds FROM ${database}.${TABLE.tallies} FINAL
     WHERE final GROUP BY verdict`,
  )
  const verdicts: Verdicts = { yes: 0, no: 0, unknown: 0 }
  for (const { verdict, rounds } of rows) verdicts[verdict] = Number(rounds)
  return verdicts
}

type Keyed = ShownTally & Pick<TallyRow, 'proposal_id' | 'round'>

const readTallies = (store: Store, database: string, ids: readonly string[]): Promise<Keyed[]> =>
  store.select<Keyed>(
    `SELECT proposal_id, round, yes, abstain, no, no_with_veto, final, matches_chain, ballots, pools_voted
     FROM ${database}.${TABLE.tallies} FINAL WHERE proposal_id IN {ids:Array(UInt64)}
     ORDER BY proposal_id, round`,
    { ids: ids.map(BigInt) },
  )

const toShownTally = (row: Keyed | undefined): ShownTally | null => {
  if (!row) return null
  const { proposal_id: _, round: __, ...shown } = row
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
  const toKey = (row: Keyed) => `${row.proposal_id}/${row.round}`
  const keys = new Set([...one, ...other].map(toKey))
  return [...keys].map((key) => {
    const [proposalId = '', round] = key.split('/')
    const find = (rows: readonly Keyed[]) => toShownTally(rows.find((row) => toKey(row) === key))
    return { proposalId, round: Number(round), tallies: [find(one), find(other)] }
  })
}
