// Reads the voting power per validator and option in one round: the largest validators, and one sum for all others.
import { truncate } from '../../../ingest/contract/decimal.ts'
import type { Snapshot } from '../snapshot.ts'
import { requireInSnapshot, type StoreReads, selectRows } from './as-of.ts'
import {
  buildNonVotingQuery,
  requireNoneReplaced,
  type ShownVote,
  VOTES,
} from './non-voting-pools.ts'

/** The number of validators that a page shows. */
export const MAX_VALIDATORS = 80

/** Whole base units. */
export type OptionPower = { yes: string; no: string; noWithVeto: string; abstain: string }
export type SplitPower = {
  /** Power of the vote of the validator. */
  own: OptionPower
  /** Power of delegators who voted themselves. */
  delegators: OptionPower
  /** Power without a vote. */
  nonVoting: string
}
export type ValidatorPower = SplitPower & { operatorAddress: string; moniker: string }
export type PowerMap = {
  /** Largest power first. */
  validators: ValidatorPower[]
  /** The sum of all others; null if there are none. */
  rest: (SplitPower & { count: number }) | null
  /** The number of validators with unknown power, which no sum includes. */
  unknown: number
}

const POWERS = [
  ...(['own_yes', 'own_no', 'own_veto', 'own_abstain'] as const),
  ...(['delegators_yes', 'delegators_no', 'delegators_veto', 'delegators_abstain'] as const),
  'non_voting',
] as const
type Column = (typeof POWERS)[number]
type Powers = Record<Column, string>

const OWN = (option: string): string => `toInt256(${option}) - toInt256(delegator_${option})`
const ATTO = "toInt256('1000000000000000000')"

/** The union of validators with and without a row in the vote. All amounts have the same type. */
const ALL = (snapshot: Snapshot, nonVotingSql: string) => `
  SELECT operator_address, moniker,
    toInt256(voting_power_atto) + toInt256(delegator_power_atto) AS power,
    ${OWN('yes_atto')} AS own_yes, ${OWN('no_atto')} AS own_no,
    ${OWN('no_with_veto_atto')} AS own_veto, ${OWN('abstain_atto')} AS own_abstain,
    toInt256(delegator_yes_atto) AS delegators_yes, toInt256(delegator_no_atto) AS delegators_no,
    toInt256(delegator_no_with_veto_atto) AS delegators_veto,
    toInt256(delegator_abstain_atto) AS delegators_abstain,
    if(voted, toInt256(0), toInt256(voting_power_atto)) AS non_voting
  FROM ${VOTES(snapshot)}
  UNION ALL
  SELECT operator_address, moniker, toInt256(tokens) * ${ATTO} AS power,
    ${Array(8).fill('toInt256(0)').join(', ')}, power AS non_voting
  FROM (${nonVotingSql})
  WHERE operator_address NOT IN (SELECT operator_address FROM ${VOTES(snapshot)})`

const SETTINGS = 'SETTINGS join_use_nulls = 1'
const buildColumns = (wrap: (column: string) => string): string =>
  POWERS.map((column) => `${wrap(column)} AS ${column}`).join(', ')

type Row = { operator_address: string; moniker: string } & Powers
type TotalRow = { known: string; unknown: string; latest: string } & Powers

const LARGEST = (all: string) => `
  SELECT * EXCEPT (power) REPLACE (${buildColumns((column) => `toString(${column})`)})
  FROM (${all}) WHERE power > 0 ORDER BY power DESC, operator_address LIMIT {limit:UInt32} ${SETTINGS}`

const TOTAL = (all: string, votes: string) => `
  SELECT countIf(power > 0) AS known, countIf(isNull(power)) AS unknown,
    ${buildColumns((column) => `toString(ifNull(sumIf(${column}, power > 0), 0))`)},
    (SELECT max(version) FROM ${votes}) AS latest
  FROM (${all}) ${SETTINGS}`

const toSplitPower = (getAtto: (column: Column) => bigint): SplitPower => {
  const toWholeUnits = (column: Column): string => {
    const atto = getAtto(column)
    return `${truncate(atto > 0n ? atto : 0n)}`
  }
  const toOptionPower = (voters: 'own' | 'delegators'): OptionPower => ({
    yes: toWholeUnits(`${voters}_yes`),
    no: toWholeUnits(`${voters}_no`),
    noWithVeto: toWholeUnits(`${voters}_veto`),
    abstain: toWholeUnits(`${voters}_abstain`),
  })
  return {
    own: toOptionPower('own'),
    delegators: toOptionPower('delegators'),
    nonVoting: toWholeUnits('non_voting'),
  }
}

export const readPowerMap = async (reads: StoreReads, vote: ShownVote): Promise<PowerMap> => {
  const { snapshot } = reads
  const { sql, params } = buildNonVotingQuery(snapshot, vote)
  const all = ALL(snapshot, sql)
  const limited = { ...params, limit: MAX_VALIDATORS }
  const rows = await selectRows<Row>(reads, LARGEST(all), limited)
  const [total] = await selectRows<TotalRow>(reads, TOTAL(all, VOTES(snapshot)), params)
  if (!total) throw new Error('an aggregate query returned no row')
  requireInSnapshot(snapshot, total.latest)
  if (!vote.tally.final) await requireNoneReplaced(reads, vote)
  const count = Number(total.known) - rows.length
  const computeRest = (column: Column): bigint =>
    rows.reduce((left, row) => left - BigInt(row[column]), BigInt(total[column]))
  return {
    validators: rows.map((row) => ({
      operatorAddress: row.operator_address,
      moniker: row.moniker,
      ...toSplitPower((column) => BigInt(row[column])),
    })),
    rest: count > 0 ? { count, ...toSplitPower(computeRest) } : null,
    unknown: Number(total.unknown),
  }
}
