// The calculation of a tally: the votes of each pool, the sums, the decision. Pure.
import { formatDecimal, parseDecimal } from '../../../../ingest/contract/decimal.ts'
import type { GovParams, TallyCounts, WeightedOption } from '../../../../ingest/contract/facts.ts'
import type { OptionSums } from '../../../../ingest/contract/option-sums.ts'
import { decide, type Rules, toLimits } from '../../../../ingest/tally/decision.ts'
import { sameCounts } from '../../../../ingest/tally/strategy.ts'
import type { Tally, TallyPool } from '../../../../ingest/tally/tally.ts'

/** Decimals as text, exact. */
type Sums = OptionSums<string>

export type PoolWorking = {
  operatorAddress: string
  moniker: string
  /** Null if the validator of the pool did not vote. */
  vote: readonly WeightedOption[] | null
  votingPower: string
  delegators: { ballots: number; votingPower: string } & Sums
  tally: Sums
}

/** One comparison, in the order of the chain. Undecided if the divisor is zero or the limit is null. */
export type Comparison = {
  name: 'quorum' | 'veto' | 'threshold'
  value: string | null
  /** Null if the chain has no such limit. */
  limit: string | null
  isMet: boolean | null
}

export type Working = {
  proposalId: string
  round: number
  strategy: string
  ballots: number
  /** Pools with a vote of the validator or of delegators, most power first. */
  pools: PoolWorking[]
  sums: Sums
  votingPower: string
  bondedTokens: string | null
  comparisons: Comparison[]
  /** Null if the evidence lacks the parameters or the bonded total. `passes` is null without a threshold. */
  decision: { passes: boolean | null; reason: string } | null
  recomputed: TallyCounts
  served: TallyCounts
  equal: boolean
}

const formatSums = (sums: OptionSums): Sums => ({
  yes: formatDecimal(sums.yes),
  abstain: formatDecimal(sums.abstain),
  no: formatDecimal(sums.no),
  noWithVeto: formatDecimal(sums.noWithVeto),
})

const total = (sums: OptionSums): bigint => sums.yes + sums.abstain + sums.no + sums.noWithVeto

const poolWorkings = (tally: Tally, pools: readonly TallyPool[]): PoolWorking[] => {
  const monikers = new Map(pools.map(({ pool }) => [pool.operatorAddress, pool.moniker]))
  return [...tally.pools.values()]
    .filter(({ vote, delegators }) => vote !== null || delegators.ballots > 0)
    .sort((one, other) => (total(one.sums) < total(other.sums) ? 1 : -1))
    .map(({ operatorAddress, vote, votingPower, delegators, sums }) => ({
      operatorAddress,
      moniker: monikers.get(operatorAddress) ?? '',
      vote,
      votingPower: formatDecimal(votingPower),
      delegators: {
        ballots: delegators.ballots,
        votingPower: formatDecimal(delegators.votingPower),
        ...formatSums(delegators.sums),
      },
      tally: formatSums(sums),
    }))
}

const toComparisons = (decision: ReturnType<typeof decide>, rules: Rules): Comparison[] => {
  const { quorum, vetoThreshold, threshold } = toLimits(rules)
  const limits = { quorum, veto: vetoThreshold, threshold }
  return (['quorum', 'veto', 'threshold'] as const).map((name) => {
    const { value, isMet } = decision.comparisons[name]
    const stored = limits[name]
    const limit = stored === null ? null : formatDecimal(parseDecimal(stored))
    return { name, value: value === null ? null : formatDecimal(value), limit, isMet }
  })
}

export type WorkingParts = {
  proposalId: string
  round: number
  strategy: string
  ballots: number
  pools: readonly TallyPool[]
  params: GovParams | null
  bondedTokens: string | null
  expedited: boolean
  served: TallyCounts
}

export const createWorking = (tally: Tally, parts: WorkingParts): Working => {
  const { proposalId, round, strategy, ballots, params, bondedTokens, expedited, served } = parts
  const rules = params && bondedTokens !== null ? { params, bondedTokens, expedited } : null
  const decision = rules && decide(tally, rules)
  return {
    proposalId,
    round,
    strategy,
    ballots,
    pools: poolWorkings(tally, parts.pools),
    sums: formatSums(tally.sums),
    votingPower: formatDecimal(tally.votingPower),
    bondedTokens,
    comparisons: rules && decision ? toComparisons(decision, rules) : [],
    decision: decision && { passes: decision.passes, reason: decision.reason },
    recomputed: tally.counts,
    served,
    equal: sameCounts(tally.counts, served),
  }
}
