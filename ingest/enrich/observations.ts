// What stands after a block's events: parameters, pools, and the new delegations of voters who restaked.
import { type Answer, isKnown, reasonOrNull, valueOrNull } from '../chain/answer.ts'
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { Delegation, GovParams, PoolState } from '../contract/facts.ts'
import { poolsOfStakingEvents } from '../derive/stake-hints.ts'
import { eventAt, splitBySize } from '../event-at.ts'
import type { Observed } from '../observed.ts'
import type { OpenStakes } from '../open-stakes.ts'
import type { PlannedHeight } from '../plan.ts'
import type { HeightState } from './height-state.ts'

/** Each kind has its own range of `sub`, so that more of one never moves the others' ids. */
const SUB = { params: 0, pools: 1, stake: 256 } as const
export const MAX_STAKE_CHANGES = SUB_LIMIT - SUB.stake

type Looked = {
  pools: Answer<PoolState[]>
  bondedTokens: Answer<string>
  params: Answer<GovParams>
}
type Restaked = { voter: string; delegations: Answer<Delegation[]> }
export type Observations = {
  looked: Looked | undefined
  restaked: readonly Restaked[]
  /** Pools whose shares a slashing changed without an event that says whose they were. */
  unsettled: ReadonlySet<string>
}

const restake = async ({ after }: HeightState, voter: string): Promise<Restaked> => ({
  voter,
  delegations: await after.delegations(voter),
})

const unsettledPools = async ({ plan, after, before }: HeightState): Promise<Set<string>> => {
  if (!plan.slashed) return new Set()
  const [pools, poolsBefore] = await Promise.all([after.pools(), before.pools()])
  // Not known: the close compares, and then reads everybody again.
  if (!isKnown(pools) || !isKnown(poolsBefore)) return new Set()
  const explained = poolsOfStakingEvents(plan.block)
  const was = new Map(poolsBefore.value.map((pool) => [pool.operatorAddress, pool]))
  const changed = pools.value.filter(({ operatorAddress, delegatorShares }) => {
    const known = was.get(operatorAddress)
    return known && known.delegatorShares !== delegatorShares && !explained.has(operatorAddress)
  })
  return new Set(changed.map(({ operatorAddress }) => operatorAddress))
}

/** The reads alone, in any order. */
export const observe = async (state: HeightState): Promise<Observations> => {
  const { plan, after } = state
  const look = async (): Promise<Looked | undefined> => {
    if (plan.observe === 'nothing') return undefined
    const [pools, bondedTokens, params] = await Promise.all([
      after.pools(),
      after.bondedTokens(),
      after.params(),
    ])
    return { pools, bondedTokens, params }
  }
  const [looked, restaked, unsettled] = await Promise.all([
    look(),
    Promise.all(plan.restaked.slice(0, MAX_STAKE_CHANGES).map((voter) => restake(state, voter))),
    unsettledPools(state),
  ])
  return { looked, restaked, unsettled }
}

const sameDelegations = (left: readonly Delegation[], right: readonly Delegation[]): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

/**
 * Of the voters in unsettled pools those who really have other delegations now. Call in order: who
 * they are is known only once all earlier heights are. Whom there is no room for stays in doubt.
 */
export const observeUnsettled = async (
  state: HeightState,
  { restaked, unsettled }: Observations,
  stakes: OpenStakes,
): Promise<Restaked[]> => {
  if (unsettled.size === 0) return []
  const told = new Set(state.plan.restaked)
  const voters = stakes.votersOf(unsettled).filter((voter) => !told.has(voter))
  const room = MAX_STAKE_CHANGES - restaked.length
  stakes.doubt(voters.slice(room))
  const read = voters.slice(0, room).map((voter) => restake(state, voter))
  return (await Promise.all(read)).filter(({ voter, delegations }) => {
    const known = stakes.delegationsOf(voter)
    return !known || !isKnown(delegations) || !sameDelegations(known, delegations.value)
  })
}

const poolsEvents = (
  { block, observe: wish }: PlannedHeight,
  { pools, bondedTokens }: Looked,
  observed: Observed,
): GovernanceEvent[] => {
  const isFull = wish === 'all_pools'
  const states = valueOrNull(pools) ?? []
  const told = isFull ? states : observed.changedPools(states)
  // Between two full readings only news is worth an event.
  if (!isFull && told.length === 0) return []
  const parts = splitBySize(told)
  return parts.map((part, chunk) =>
    eventAt(
      block,
      { ordinal: ORDINAL.after, sub: SUB.pools + chunk },
      {
        type: 'rollcall.pools.observed.v1',
        data: {
          chunk,
          chunks: parts.length,
          full: isFull,
          pools: part,
          bondedTokens: valueOrNull(bondedTokens),
          unavailableReason: reasonOrNull(pools) ?? reasonOrNull(bondedTokens),
        },
      },
    ),
  )
}

const paramsEvents = (
  { block, facts }: PlannedHeight,
  { params }: Looked,
  observed: Observed,
): GovernanceEvent[] => {
  // Always then: whoever folds from the start of a vote on must know the rules it began with.
  const isStart = facts.some((each) => each.startsVoting || each.fact.kind === 'voting_started')
  const isNews = isKnown(params) && observed.isNewParams(params.value)
  if (!isStart && !isNews) return []
  return [
    eventAt(
      block,
      { ordinal: ORDINAL.after, sub: SUB.params },
      {
        type: 'rollcall.params.observed.v1',
        data: { params: valueOrNull(params), unavailableReason: reasonOrNull(params) },
      },
    ),
  ]
}

const stakeEvents = (
  { block }: PlannedHeight,
  restaked: readonly Restaked[],
): EventOf<'rollcall.stake.changed.v1'>[] =>
  restaked.map(({ voter, delegations }, order) =>
    eventAt(
      block,
      { ordinal: ORDINAL.after, sub: SUB.stake + order },
      {
        type: 'rollcall.stake.changed.v1',
        subject: `voters/${voter}`,
        data: {
          voter,
          delegations: valueOrNull(delegations),
          delegationsReason: reasonOrNull(delegations),
        },
      },
    ),
  )

/** Needs all earlier heights' observations in `observed`: call in order. */
export const observationEvents = (
  plan: PlannedHeight,
  { looked, restaked }: Observations,
  observed: Observed,
): GovernanceEvent[] => [
  ...(looked ? paramsEvents(plan, looked, observed) : []),
  ...(looked ? poolsEvents(plan, looked, observed) : []),
  ...stakeEvents(plan, restaked),
]
