// What stands after a block's events: parameters, pools, and the new delegations of voters who restaked.
import { type Answer, isKnown, reasonOrNull, valueOrNull } from '../chain/answer.ts'
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { Delegation, GovParams, PoolState } from '../contract/facts.ts'
import { eventAt, splitBySize } from '../event-at.ts'
import type { Observed } from '../observed.ts'
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
export type Observations = { looked: Looked | undefined; restaked: readonly Restaked[] }

/** The reads alone, in any order. */
export const observe = async ({ plan, after }: HeightState): Promise<Observations> => {
  const look = async (): Promise<Looked | undefined> => {
    if (plan.observe === 'nothing') return undefined
    const [pools, bondedTokens, params] = await Promise.all([
      after.pools(),
      after.bondedTokens(),
      after.params(),
    ])
    return { pools, bondedTokens, params }
  }
  const restake = async (voter: string): Promise<Restaked> => ({
    voter,
    delegations: await after.delegations(voter),
  })
  const [looked, restaked] = await Promise.all([
    look(),
    Promise.all(plan.restaked.slice(0, MAX_STAKE_CHANGES).map(restake)),
  ])
  return { looked, restaked }
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
