// Reads the state after a block: parameters, pools, and delegations of voters that may have changed.
import { Value } from 'typebox/value'
import { type Answer, isKnown, reasonOrNull, valueOrNull } from '../chain/answer.ts'
import type { Delegation } from '../contract/delegation.ts'
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { GovParams, PoolState } from '../contract/facts.ts'
import { ruleMembers, type TallyRule } from '../contract/tally-rule.ts'
import { eventAt, splitBySize } from '../derive/event-at.ts'
import type { RawFact } from '../derive/raw-fact.ts'
import type { Observed } from '../governance/observed.ts'
import type { OpenStakes } from '../governance/open-stakes.ts'
import type { PlannedHeight } from '../governance/plan.ts'
import { RULE_MODULES } from '../tally-rules/modules.ts'
import type { HeightState } from './height-state.ts'

/** Each kind has its own range of `sub`, so that the number of one kind never shifts the IDs of another. */
export const SUB = {
  params: 0,
  pools: 1,
  stake: 256,
  tallies: SUB_LIMIT - 256,
  contexts: SUB_LIMIT - 128,
} as const
const MAX_STAKE_EVENTS = SUB.tallies - SUB.stake

type PoolReads = { pools: Answer<PoolState[]>; bondedTokens: Answer<string> }
type VoterDelegations = { voter: string; delegations: Answer<Delegation[]> }
export type Observations = {
  pools: PoolReads | undefined
  params: Answer<GovParams> | undefined
  /** The rule of tallies; undefined if it is not read, or unknown. */
  rule: TallyRule | undefined
  /** Voters whose delegations may have changed. */
  changedDelegations: readonly VoterDelegations[]
}

const readDelegations = async (
  { after }: HeightState,
  voter: string,
): Promise<VoterDelegations> => ({ voter, delegations: await after.delegations(voter) })

const readPools = async ({ plan, after }: HeightState): Promise<PoolReads | undefined> => {
  if (plan.observe === 'nothing') return undefined
  const [pools, bondedTokens] = await Promise.all([after.pools(), after.bondedTokens()])
  return { pools, bondedTokens }
}

/** Each voter once: several reasons may read one. */
export const joinReads = (reads: readonly VoterDelegations[]): VoterDelegations[] => [
  ...new Map(reads.map((read) => [read.voter, read])).values(),
]

/** Only the reads, in any order. */
export const observe = async (state: HeightState): Promise<Observations> => {
  const { plan, after } = state
  const [pools, params, rule, changedDelegations] = await Promise.all([
    readPools(state),
    plan.observesParams ? after.params() : undefined,
    plan.observesParams ? after.rule() : undefined,
    Promise.all(plan.changedVoters.map((voter) => readDelegations(state, voter))),
  ])
  const name = rule && valueOrNull(rule)?.name
  return { pools, params, rule: name, changedDelegations }
}

/** The stake of the voters that differs from the log; that of the others which the height reads is reported anyway. */
const readChanged = async (
  state: HeightState,
  stakes: OpenStakes,
  voters: readonly string[],
): Promise<VoterDelegations[]> => {
  const alreadyRead = new Set(state.plan.changedVoters)
  const others = voters.filter((voter) => !alreadyRead.has(voter))
  const read = await Promise.all(others.map((voter) => readDelegations(state, voter)))
  return read.filter(({ voter, delegations }) => {
    const before = stakes.delegationsOf(voter)
    return !before || !isKnown(delegations) || !Value.Equal(before, delegations.value)
  })
}

/**
 * Voters with delegations that a slashing changed. It unbonds redelegated shares in other pools too, and no
 * event names the delegators. Call in order: it compares with earlier heights.
 */
export const observeSlashed = async (
  state: HeightState,
  { pools }: Observations,
  known: { observed: Observed; stakes: OpenStakes },
): Promise<VoterDelegations[]> => {
  const { plan } = state
  // Unknown pools make every live number unknown, and the close reads every voter again.
  if (!plan.slashed || !pools || !isKnown(pools.pools)) return []
  const changed = known.observed.poolsWithOtherShares(pools.pools.value)
  return await readChanged(state, known.stakes, known.stakes.votersOf(changed))
}

/**
 * Voters whose stake changed by the rule of the tally, of which x/staking has no event that names them. All voters if the rule
 * is another than before. Call in order.
 */
export const observeRuled = async (
  state: HeightState,
  { rule }: Observations,
  known: { observed: Observed; stakes: OpenStakes },
): Promise<VoterDelegations[]> => {
  const { voters } = known.stakes
  const before = known.observed.rule()
  const isOther = rule !== undefined && rule !== before
  const module = RULE_MODULES.find(({ name }) => name === before)
  const named = isOther ? voters.all() : module?.listChangedVoters?.(state.plan.block, voters)
  if (!named) return []
  const voting = new Set(voters.all())
  return await readChanged(
    state,
    known.stakes,
    [...new Set(named)].filter((voter) => voting.has(voter)),
  )
}

/** Limit of one height: the others are read at the next period. */
const MAX_UNKNOWN = 500

/**
 * Delegations that an earlier height lacks: the live tally needs those of now. Call in order. Read with the parameters, once in a
 * period; the first one shows whether the state can be read.
 */
export const observeUnknown = async (
  state: HeightState,
  stakes: OpenStakes,
): Promise<VoterDelegations[]> => {
  const { plan } = state
  if (!plan.observesParams) return []
  const alreadyRead = new Set(plan.changedVoters)
  const voters = stakes.unknownVoters().filter((voter) => !alreadyRead.has(voter))
  const [first, ...others] = voters.slice(0, MAX_UNKNOWN)
  if (first === undefined) return []
  const read = await readDelegations(state, first)
  if (!isKnown(read.delegations)) return []
  const all = [read, ...(await Promise.all(others.map((voter) => readDelegations(state, voter))))]
  return all.filter(({ delegations }) => isKnown(delegations))
}

const poolsEvents = (
  { block, observe: scope }: PlannedHeight,
  { pools, bondedTokens }: PoolReads,
  observed: Observed,
): GovernanceEvent[] => {
  // If the states cannot be read, all are lost: older states must not replace those of this height.
  const isFull = scope === 'all_pools' || !isKnown(pools)
  const states = valueOrNull(pools) ?? []
  const reported = isFull ? states : observed.changedPools(states)
  const hasChanged = isKnown(pools)
    ? reported.length > 0 || observed.isNewBondedTotal(valueOrNull(bondedTokens))
    : observed.hasPools()
  if (scope === 'changed_pools' && !hasChanged) return []
  const parts = splitBySize(reported)
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

const STARTS: ReadonlySet<RawFact['kind']> = new Set(['submitted', 'voting_started'])

/** Needs the observations of all earlier heights in `observed`: call in order. */
export const paramsEvents = (
  { block, facts }: PlannedHeight,
  { params, rule: known }: Pick<Observations, 'params' | 'rule'>,
  observed: Observed,
): GovernanceEvent[] => {
  if (!params) return []
  const rule = known ?? observed.rule()
  // Always at a start: a fold that begins with the proposal or its vote needs the rules of that height.
  const isStart = facts.some(({ startsVoting, fact }) => startsVoting || STARTS.has(fact.kind))
  const hasChanged =
    (isKnown(params) && observed.isNewParams(params.value)) || rule !== observed.rule()
  if (!isStart && !hasChanged) return []
  return [
    eventAt(
      block,
      { ordinal: ORDINAL.after, sub: SUB.params },
      {
        type: 'rollcall.params.observed.v1',
        data: {
          params: valueOrNull(params),
          ...ruleMembers(rule),
          unavailableReason: reasonOrNull(params),
        },
      },
    ),
  ]
}

const stakeChange = ({ voter, delegations }: VoterDelegations) => ({
  voter,
  delegations: valueOrNull(delegations),
  delegationsReason: reasonOrNull(delegations),
})

/** One event per voter; several voters share one event if the height has too many. */
const stakeEvents = (
  { block }: PlannedHeight,
  changedDelegations: readonly VoterDelegations[],
): EventOf<'rollcall.stake.changed.v1'>[] => {
  const size = Math.max(1, Math.ceil(changedDelegations.length / MAX_STAKE_EVENTS))
  const events: EventOf<'rollcall.stake.changed.v1'>[] = []
  for (let from = 0; from < changedDelegations.length; from += size) {
    const [first, ...others] = changedDelegations.slice(from, from + size).map(stakeChange)
    if (!first) continue
    events.push(
      eventAt(
        block,
        { ordinal: ORDINAL.after, sub: SUB.stake + events.length },
        {
          type: 'rollcall.stake.changed.v1',
          subject: `voters/${first.voter}`,
          data: { ...first, ...(others.length > 0 ? { others } : {}) },
        },
      ),
    )
  }
  return events
}

/** Needs the observations of all earlier heights in `observed`: call in order. */
export const observationEvents = (
  plan: PlannedHeight,
  { pools, changedDelegations }: Pick<Observations, 'pools' | 'changedDelegations'>,
  observed: Observed,
): GovernanceEvent[] => [
  ...(pools ? poolsEvents(plan, pools, observed) : []),
  ...stakeEvents(plan, changedDelegations),
]
