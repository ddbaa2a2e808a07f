// Compares the tables after one height with the truth and reports each difference.

import { findUnknownSilence } from '../../../api/read/queries/non-voting-pools.ts'
import { isCounted } from '../../../ingest/contract/delegation.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { operator } from '../../support/simulator/addresses.ts'
import { NOT_COUNTED, type Tally } from '../../support/simulator/keepers/tally.ts'
import type { MemoryTables } from '../../support/store/memory-store.ts'
import type { PoolVoteRow, TallyRow } from '../../support/store/stored-rows.ts'
import type { Expected, ExpectedRound } from './hostile-chain.ts'

/** Rounds with missing input: their numbers may be unknown, but never wrong. */
export type Lossy = {
  has(round: ExpectedRound): boolean
  /** What a node said of an open round, up to this height. */
  reports(round: ExpectedRound): readonly Tally['counts'][]
}

type Comparison = {
  tables: MemoryTables
  expected: Expected
  lossy: Lossy
  /** Ingest began before these rounds, so it has all their events. */
  knowsRounds: boolean
  /** The height was at the tip when it was indexed. */
  isLive: boolean
}

const differ = (what: string, served: unknown, expected: unknown): string[] =>
  String(served) === String(expected) ? [] : [`${what} is ${served}, not ${expected}`]

const COUNTS = [
  ['yes', 'yes'],
  ['abstain', 'abstain'],
  ['no', 'no'],
  ['no_with_veto', 'noWithVeto'],
] as const
const ATTO_COLUMNS = ['yes_atto', 'abstain_atto', 'no_atto', 'no_with_veto_atto'] as const

const countDifferences = (row: TallyRow, { counts }: Tally): string[] =>
  COUNTS.flatMap(([column, key]) => differ(column, row[column], counts[key]))

const poolDifferences = (
  row: PoolVoteRow,
  name: string,
  { tally, pools }: { tally: Tally; pools: Expected['pools'] },
): string[] => {
  const part = tally.pools.get(name) ?? NOT_COUNTED
  const pool = pools.get(name)
  return [
    ...differ('voting power', row.voting_power_atto, part.votingPower),
    ...differ('power of delegators', row.delegator_power_atto, part.delegatorPower),
    ...ATTO_COLUMNS.flatMap((column, at) => differ(column, row[column], part.sums[at + 1])),
    ...(pool ? differ('tokens', row.bonded_tokens, pool.tokens) : []),
    ...(pool ? differ('is bonded', row.status === 'bonded', pool.status === 'bonded') : []),
    ...(pool ? differ('jailed', row.jailed, pool.jailed) : []),
  ].map((difference) => `pool ${name}: ${difference}`)
}

const isUnknown = (row: TallyRow): boolean => COUNTS.some(([column]) => row[column] === null)

const selectRows = (
  { tables, knowsRounds }: Comparison,
  { id, round }: ExpectedRound,
  isFinal: boolean,
): { tally: TallyRow | undefined; pools: PoolVoteRow[] } => {
  const tally = tables
    .final('tallies')
    .filter(({ proposal_id, final }) => proposal_id === id && final === isFinal)
    .findLast((row) => !knowsRounds || row.round === round)
  const pools = tables
    .final('pool_votes')
    .filter((row) => row.proposal_id === id && row.round === tally?.round)
  return { tally, pools }
}

const poolsDifferences = (
  rows: readonly PoolVoteRow[],
  round: ExpectedRound,
  pools: Expected['pools'],
): string[] => {
  const byAddress = new Map(rows.map((row) => [row.operator_address, row]))
  const names = new Set([...pools.keys(), ...round.tally.pools.keys()])
  return [...names].flatMap((name) => {
    const row = byAddress.get(operator(name))
    if (row) return poolDifferences(row, name, { tally: round.tally, pools })
    const part = round.tally.pools.get(name) ?? NOT_COUNTED
    return part.sums.some((sum) => sum > 0n) ? [`pool ${name} has no row`] : []
  })
}

/** The last answer of a node stands in for numbers that are not known. No pool has a part in it. */
const reportedDifferences = (
  comparison: Comparison,
  round: ExpectedRound,
  { tally, pools }: { tally: TallyRow; pools: readonly PoolVoteRow[] },
): string[] => {
  const { lossy } = comparison
  const isAnswer = lossy
    .reports(round)
    .some((counts) => COUNTS.every(([column, key]) => tally[column] === counts[key]))
  return [
    ...(lossy.has(round) ? [] : [`reported: ${tally.matches_chain_reason}`]),
    ...(isAnswer ? [] : ['reported, and no node said so']),
    ...pools.flatMap((pool) =>
      ATTO_COLUMNS.flatMap((column) => differ(column, pool[column], null)),
    ),
  ]
}

const openDifferences = (comparison: Comparison, round: ExpectedRound): string[] => {
  const { expected, lossy, isLive } = comparison
  const { tally, pools } = selectRows(comparison, round, false)
  if (!tally) return ['there is no row of the open vote']
  const reason = tally.matches_chain_reason
  const isExcused = lossy.has(round) || !isLive
  if (isUnknown(tally)) {
    if (!isExcused) return [`unknown: ${reason}`]
    return reason === 'the vote is still open' ? ['unknown without a reason'] : []
  }
  if (tally.reported) return reportedDifferences(comparison, round, { tally, pools })
  // Votes may be newer than the stake.
  if (isExcused && Number(tally.stake_height) !== expected.height) return []
  const bonded = tally.bonded_tokens === null && lossy.has(round)
  return [
    ...countDifferences(tally, round.tally),
    ...(bonded ? [] : differ('bonded total', tally.bonded_tokens, expected.bondedTokens)),
    ...poolsDifferences(pools, round, expected.pools),
  ]
}

/** Pools at the time of the tally: staking ends its block later, so only the numbers of the tally are compared. */
const talliedDifferences = (comparison: Comparison, round: ExpectedRound): string[] => {
  const { tally, pools } = selectRows(comparison, round, true)
  if (!tally) return ['there is no row of the round that ended']
  const isLossy = comparison.lossy.has(round)
  if (isLossy && tally.matches_chain === 'unknown' && tally.matches_chain_reason) return []
  const mismatch = differ('matches_chain', tally.matches_chain, 'yes')
  const reason = mismatch.length > 0 ? [`${mismatch[0]}: ${tally.matches_chain_reason}`] : []
  const bonded = tally.bonded_tokens === null && isLossy
  return [
    ...reason,
    ...countDifferences(tally, round.tally),
    ...(bonded ? [] : differ('bonded total', tally.bonded_tokens, round.tally.bondedTokens)),
    ...poolsDifferences(pools, round, new Map()),
  ]
}

/** Where the API says who did not vote, it is right: for all pools of a tally, and for each of an open vote. */
const silenceDifferences = (
  comparison: Comparison,
  round: ExpectedRound,
  isFinal: boolean,
): string[] => {
  const { tally, pools } = selectRows(comparison, round, isFinal)
  if (!tally) return []
  const why = findUnknownSilence(TABLES.tallies.decode(tally))
  if (why !== null) return []
  const { tables } = comparison
  const voted = new Set(
    pools.filter((row) => row.voted).map(({ operator_address: address }) => address),
  )
  const silent = new Set(
    isFinal
      ? tables
          .final('missed_votes')
          .filter((row) => row.proposal_id === round.id && row.round === tally.round)
          .map(({ operator_address: address }) => address)
      : tables
          .final('pools')
          .filter((row) => isCounted(row) && !voted.has(row.operator_address))
          .map(({ operator_address: address }) => address),
  )
  return [...round.tally.pools].flatMap(([name, truth]) => {
    const isSilent = silent.has(operator(name))
    if (isSilent && truth.voted) return [`pool ${name} voted, and is reported as silent`]
    return isFinal && !isSilent && !truth.voted ? [`pool ${name} missed it without a row`] : []
  })
}

const named = (
  height: number,
  { id, round }: ExpectedRound,
  differences: readonly string[],
): string[] =>
  differences.map((text) => `height ${height}, proposal ${id}, round ${round}: ${text}`)

/** Every number of a table is at least zero and fits into its column. */
export const refusedNumber = (row: object): string | undefined => {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== 'string' || !/_atto$|^(yes|no|abstain|no_with_veto|tokens)$/.test(column))
      continue
    if (!/^\d+$/.test(value)) return `${column} is ${value}`
    if (BigInt(value) >= 2n ** 256n) return `${column} is beyond 256 bits`
  }
  return undefined
}

export const differencesAt = (comparison: Comparison): string[] => {
  const { expected } = comparison
  return [
    ...expected.open.flatMap((round) =>
      named(expected.height, round, [
        ...openDifferences(comparison, round),
        ...silenceDifferences(comparison, round, false),
      ]),
    ),
    ...expected.tallied.flatMap((round) =>
      named(expected.height, round, [
        ...talliedDifferences(comparison, round),
        ...silenceDifferences(comparison, round, true),
      ]),
    ),
  ]
}
