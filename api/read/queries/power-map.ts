// The voting power per validator and option in one round: the largest validators, and one sum for all others. Pure.
import { compareText } from '../../../ingest/contract/address.ts'
import { ATTO, truncate } from '../../../ingest/contract/decimal.ts'
import type { PoolVoteRow } from '../../../projections/contract/tables/votes.ts'
import { compareLargest } from './values.ts'
import type { SilentPool } from './votes.ts'

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
export type PowerByValidator = {
  /** Largest power first. */
  validators: ValidatorPower[]
  /** The sum of all others; null if there are none. */
  rest: (SplitPower & { count: number }) | null
  /** The number of validators with unknown power, which no sum includes. */
  unknown: number
}

/** In atto: the options of its own vote, those of its delegators, and the power without a vote. */
type Parts = readonly bigint[]
type Powered = Pick<ValidatorPower, 'operatorAddress' | 'moniker'> & {
  power: bigint | null
  parts: Parts
}

const NO_POWERS: Parts = Array(9).fill(0n)

const ofVote = (row: PoolVoteRow): Powered => {
  const { operatorAddress, moniker, voted, votingPower, delegatorPower } = row
  const all = [row.yes, row.no, row.noWithVeto, row.abstain].map((sum) => sum ?? 0n)
  const delegators = [
    row.delegatorYes,
    row.delegatorNo,
    row.delegatorNoWithVeto,
    row.delegatorAbstain,
  ].map((sum) => sum ?? 0n)
  const own = all.map((sum, at) => sum - (delegators[at] ?? 0n))
  const power =
    votingPower === null || delegatorPower === null ? null : votingPower + delegatorPower
  const parts = [...own, ...delegators, voted ? 0n : (votingPower ?? 0n)]
  return { operatorAddress, moniker, power, parts }
}

const ofSilent = ({ operatorAddress, moniker, tokens }: SilentPool): Powered => {
  const power = tokens === null ? null : tokens * ATTO
  return { operatorAddress, moniker, power, parts: [...NO_POWERS.slice(1), power ?? 0n] }
}

const toSplitPower = (parts: Parts): SplitPower => {
  const whole = parts.map((part) => `${truncate(part > 0n ? part : 0n)}`)
  const toOptions = ([yes = '0', no = '0', noWithVeto = '0', abstain = '0']: string[]) => ({
    yes,
    no,
    noWithVeto,
    abstain,
  })
  return {
    own: toOptions(whole.slice(0, 4)),
    delegators: toOptions(whole.slice(4, 8)),
    nonVoting: whole[8] ?? '0',
  }
}

/** `silent`: the counted pools without a vote of their own, of which some have a row. */
export function toPowerMap(
  rows: readonly PoolVoteRow[],
  silent: readonly SilentPool[],
): PowerByValidator {
  const listed = new Set(rows.map(({ operatorAddress }) => operatorAddress))
  const others = silent.filter(({ operatorAddress }) => !listed.has(operatorAddress))
  const all = [...rows.map(ofVote), ...others.map(ofSilent)]
  const known = all
    .flatMap((each) =>
      each.power !== null && each.power > 0n ? [{ ...each, power: each.power }] : [],
    )
    .sort(
      (one, other) =>
        compareLargest(one.power, other.power) ||
        compareText(one.operatorAddress, other.operatorAddress),
    )
  const rest = known.slice(MAX_VALIDATORS)
  const sums = rest.reduce<Parts>(
    (sum, { parts }) => sum.map((each, at) => each + (parts[at] ?? 0n)),
    NO_POWERS,
  )
  return {
    validators: known.slice(0, MAX_VALIDATORS).map(({ operatorAddress, moniker, parts }) => ({
      operatorAddress,
      moniker,
      ...toSplitPower(parts),
    })),
    rest: rest.length === 0 ? null : { count: rest.length, ...toSplitPower(sums) },
    unknown: all.filter(({ power }) => power === null).length,
  }
}
