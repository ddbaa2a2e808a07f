// The state as of a tally inside an end block, from the committed states before and after the block. Which of both has the stake that
// the tally counted follows from the order of events; where that is open, there are several variants.
import { Value } from 'typebox/value'
import {
  type Answer,
  isKnown,
  known,
  reasonOrNull,
  unavailable,
  valueOrNull,
} from '../chain/answer.ts'
import type { StateVote } from '../chain/gov.ts'
import { addressKey } from '../contract/address.ts'
import { isCounted } from '../contract/delegation.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { GovParams, PoolState } from '../contract/facts.ts'
import { listKinds, toKindLimits } from '../contract/gov-type.ts'
import { type StakeAfterTally, stakeAfterTally } from '../derive/moved-stake.ts'
import type { RawFact, RawFactOf } from '../derive/raw-fact.ts'
import type { ChainStates } from '../heights/height-state.ts'
import { findOutcome } from '../proposals/state-check.ts'
import { findCounted, isBonded } from '../tally/counted-pools.ts'
import type { TallyPool } from '../tally/tally.ts'
import type { ReadableState } from './read-round.ts'

export type EndedFact = RawFactOf<'closed' | 'restarted'>

/** The end of a vote that no event of its block reports: after all of them. */
export function createSilentEnd(proposalId: string, status: string): RawFactOf<'closed'> {
  const origin = { ordinal: ORDINAL.after, abciOrdinal: ORDINAL.after, sub: 0, txIndex: null }
  const outcome = findOutcome(status) ?? 'unknown'
  return { ...origin, kind: 'closed', proposalId, outcome, result: '', log: null, isTallied: true }
}

const LEGACY = String.raw`\.gov\.v\w+\.MsgExecLegacyContent$|ParameterChangeProposal$`

/** Messages that can change parameters of x/gov. */
const CHANGES_GOV = new RegExp(String.raw`\.gov\.v\w+\.MsgUpdateParams$|${LEGACY}`)
/** Messages that can change how many pools a tally counts. */
const CHANGES_LIMIT = new RegExp(
  String.raw`\.(?:staking|provider)\.v\w+\.MsgUpdateParams$|${LEGACY}`,
)

/** The place of the first proposal that passed in this end block, and may have changed the parameters. */
async function findPassedChange(
  { plan, after }: ChainStates,
  changes: RegExp,
): Promise<number | undefined> {
  for (const { fact } of plan.facts) {
    if (fact.kind !== 'closed' || fact.outcome !== 'passed') continue
    const answer = await after.proposal(fact.proposalId)
    const types = isKnown(answer) ? answer.value.proposal.messageTypes : []
    if (types.some((type) => changes.test(type))) return fact.ordinal
  }
  return undefined
}

/** Whether such a proposal passed before this tally; undefined if none passed in the end block. */
export async function isAfterChange(
  states: ChainStates,
  { ordinal }: Pick<EndedFact, 'ordinal'>,
  what: 'gov' | 'limit',
): Promise<boolean | undefined> {
  const changedAt = await findPassedChange(states, what === 'gov' ? CHANGES_GOV : CHANGES_LIMIT)
  return changedAt === undefined ? undefined : changedAt < ordinal
}

/**
 * Status from before the block: staking changes it only after governance. Tokens, shares and jailing from
 * after the block. With `isPoolBefore`, tokens and shares are from before the block too.
 */
const atTally = (
  { counted: _, profile: __, ...pool }: PoolState,
  was: PoolState | undefined,
  isPoolBefore: boolean,
): PoolState => {
  const stake = isPoolBefore && was ? was : pool
  const entered = pool.status === 'bonded' ? 'unbonded' : pool.status
  return {
    ...pool,
    tokens: stake.tokens,
    delegatorShares: stake.delegatorShares,
    status: was?.status ?? entered,
  }
}

/**
 * `isPoolBefore`: whether the pool's stake is from the height before, because the end block changed it after the
 * tally. `maxPoolsAt`: the height of the limit of bonded pools; a proposal that passed
 * earlier in the same end block may have changed the limit.
 */
export const poolsAtTally = async (
  { before, after }: ChainStates,
  { isPoolBefore, maxPoolsAt }: Pick<TallyVariant, 'isPoolBefore' | 'maxPoolsAt'>,
): Promise<Answer<TallyPool[]>> => {
  const [pools, poolsBefore, maxPools] = await Promise.all([
    after.pools(),
    before.pools(),
    maxPoolsAt === 'before' ? before.maxPools() : after.maxPools(),
  ])
  if (!isKnown(pools)) return pools
  if (!isKnown(poolsBefore)) return poolsBefore
  const was = new Map(poolsBefore.value.map((pool) => [pool.operatorAddress, pool]))
  const states = pools.value.map((pool) => {
    const { operatorAddress } = pool
    return atTally(pool, was.get(operatorAddress), isPoolBefore(operatorAddress))
  })
  // Without a rule that limits them, more than the maximum are bonded only if the limit was lowered in this end block.
  const counted = findCounted(states, isKnown(maxPools) ? maxPools.value : states.length)
  return known(states.map((pool) => ({ pool, counted: counted.has(pool.operatorAddress) })))
}

/** Selects the stake from the height before the close; all other stake is from the closing height. */
export type TallyVariant = {
  isPoolBefore(operatorAddress: string): boolean
  isVoterBefore(voter: string): boolean
  /** The height of the limit of bonded pools. */
  maxPoolsAt: 'before' | 'after'
}

/** Counts this stake as it was before the block. */
function withStakeBefore({ pools, accounts }: StakeAfterTally): Omit<TallyVariant, 'maxPoolsAt'> {
  const keys = new Set([...accounts].map(addressKey))
  return {
    isPoolBefore: (operatorAddress) => pools.has(operatorAddress),
    isVoterBefore: (voter) => keys.has(addressKey(voter)),
  }
}

/** Counts stake that moved after the tally as it was before the block. */
export async function findVariantByEvents(
  states: ChainStates,
  fact: EndedFact,
): Promise<TallyVariant> {
  return {
    ...withStakeBefore(stakeAfterTally(states.plan.block, fact.abciOrdinal)),
    maxPoolsAt: (await isAfterChange(states, fact, 'limit')) ? 'after' : 'before',
  }
}

/** A lower limit of bonded pools removes one of them at the end of the same block. */
async function losesBondedPool({ before, after }: ChainStates): Promise<boolean> {
  const [was, is] = await Promise.all([before.pools(), after.pools()])
  if (!isKnown(was) || !isKnown(is)) return false
  const bonded = new Set(was.value.filter(isBonded).map((pool) => pool.operatorAddress))
  return is.value.some((pool) => bonded.has(pool.operatorAddress) && !isBonded(pool))
}

/** No event reports that a proposal changed the maximum of bonded pools. */
async function changesMaxPools(states: ChainStates): Promise<Answer<boolean>> {
  const [was, is] = await Promise.all([states.before.maxPools(), states.after.maxPools()])
  const reason = reasonOrNull(was) ?? reasonOrNull(is)
  if (reason === null) return known(!Value.Equal(was, is))
  const mayChange = await losesBondedPool(states)
  return mayChange ? unavailable(`the maximum of bonded pools: ${reason}`) : known(false)
}

/** Others than that of the order of events: only if stake, or the maximum of pools, changed in the block. */
export async function listOtherVariants(
  states: ChainStates,
  { abciOrdinal }: EndedFact,
  byEvents: TallyVariant,
): Promise<{ variants: readonly TallyVariant[]; reason: string | null }> {
  const all = (isBefore: boolean): TallyVariant => ({
    ...byEvents,
    isPoolBefore: () => isBefore,
    isVoterBefore: () => isBefore,
  })
  const { block } = states.plan
  const isMoved = stakeAfterTally(block, abciOrdinal).hasMoved
  const joined = stakeAfterTally(block, abciOrdinal, { allEnd: true })
  const byPhase = joined.hasMoved ? [{ ...byEvents, ...withStakeBefore(joined) }] : []
  const byStake = [...byPhase, ...(isMoved ? [all(true), all(false)] : [])]
  const changes = await changesMaxPools(states)
  if (!isKnown(changes)) return { variants: byStake, reason: changes.unavailable }
  const maxPoolsAt = byEvents.maxPoolsAt === 'before' ? 'after' : 'before'
  const withOther = [byEvents, ...byStake].map((variant) => ({ ...variant, maxPoolsAt }) as const)
  return { variants: changes.value ? [...byStake, ...withOther] : byStake, reason: null }
}

const sum = (pools: readonly PoolState[]): bigint =>
  pools.reduce((total, { tokens }) => total + BigInt(tokens), 0n)

/**
 * The tally runs before staking ends the block. Pools that then enter or leave the bonded set move their
 * tokens. The total of this height is corrected by them, and by stake that moved after the tally in the same end
 * block.
 */
const bondedPoolAtTally = async (
  { plan, after, before }: ChainStates,
  { abciOrdinal }: EndedFact,
): Promise<Answer<string>> => {
  const [total, pools, poolsBefore] = await Promise.all([
    after.bondedTokens(),
    after.pools(),
    before.pools(),
  ])
  if (!isKnown(total)) return total
  if (!isKnown(pools)) return pools
  if (!isKnown(poolsBefore)) return poolsBefore
  const wasBonded = new Map(
    poolsBefore.value.filter(isBonded).map((pool) => [pool.operatorAddress, pool]),
  )
  const wasBondedBefore = (pool: PoolState) => wasBonded.has(pool.operatorAddress)
  const left = sum(pools.value.filter((pool) => wasBondedBefore(pool) && !isBonded(pool)))
  const entered = sum(pools.value.filter((pool) => !wasBondedBefore(pool) && isBonded(pool)))
  const moved = stakeAfterTally(plan.block, abciOrdinal)
  const movedTokens = pools.value.map(({ operatorAddress, jailed, tokens }): bigint => {
    const was = wasBonded.get(operatorAddress)
    if (!was || !moved.pools.has(operatorAddress)) return 0n
    // No event of a slashing names the operator, who is jailed with it.
    const isChangedTwice = moved.poolsBefore.has(operatorAddress) || jailed !== was.jailed
    return isChangedTwice
      ? (moved.tokens.get(operatorAddress) ?? 0n)
      : BigInt(tokens) - BigInt(was.tokens)
  })
  const movedAfter = movedTokens.reduce((total, tokens) => total + tokens, 0n)
  return known((BigInt(total.value) + left - entered - movedAfter).toString())
}

/** The tokens of the pools that the tally counts. */
const countedAtTally = async (state: ChainStates, fact: EndedFact): Promise<Answer<string>> => {
  const pools = await poolsAtTally(state, await findVariantByEvents(state, fact))
  if (!isKnown(pools)) return pools
  return known(sum(pools.value.filter(({ counted }) => counted).map(({ pool }) => pool)).toString())
}

const bondedAtTally = async (state: ChainStates, fact: EndedFact): Promise<Answer<string>> => {
  const rule = await state.after.rule()
  if (!isKnown(rule)) return rule
  const counted = await countedAtTally(state, fact)
  if (rule.value.maxPools !== undefined) return counted
  const bonded = await bondedPoolAtTally(state, fact)
  // They differ only if a pool is jailed, or over the maximum, in this block.
  if (!isKnown(bonded) || !isKnown(counted) || bonded.value === counted.value) return bonded
  const takesCounted = await state.after.takesCountedBase()
  if (!isKnown(takesCounted)) return takesCounted
  return takesCounted.value ? counted : bonded
}

const withoutQuorums = (params: GovParams): GovParams => {
  const { kinds } = params
  if (!kinds) return { ...params, quorum: null }
  return {
    ...params,
    quorum: null,
    kinds: {
      constitutionAmendment: { ...kinds.constitutionAmendment, quorum: null },
      law: { ...kinds.law, quorum: null },
    },
  }
}

const withoutComputed = (params: Answer<GovParams>) =>
  isKnown(params) ? { ...withoutQuorums(params.value), minDeposit: null } : null

/** Each tally of the end block changes a computed quorum: only the first one has that of the height before. */
const withComputedQuorum = (
  { plan }: ChainStates,
  ended: EndedFact,
  before: GovParams,
): GovParams => {
  const isEarlier = ({ fact }: { fact: RawFact }) =>
    (fact.kind === 'closed' || fact.kind === 'restarted') && fact.ordinal < ended.ordinal
  return plan.facts.some(isEarlier) ? withoutQuorums(before) : before
}

/**
 * Parameters of the height before. Those of this height if a proposal that passed earlier in the same end
 * block, or an upgrade, changed them.
 */
const paramsAtTally = async (state: ChainStates, ended: EndedFact): Promise<Answer<GovParams>> => {
  const [before, after] = await Promise.all([state.before.params(), state.after.params()])
  if (isKnown(before) && Value.Equal(before, after)) return before
  const isOnlyComputed =
    isKnown(before) && Value.Equal(withoutComputed(before), withoutComputed(after))
  const computes = isOnlyComputed && valueOrNull(await state.before.computesQuorum())
  if (isKnown(before) && computes) return known(withComputedQuorum(state, ended, before.value))
  return (await isAfterChange(state, ended, 'gov')) === false ? before : after
}

/** The ballots in the state before the block, then the block's own votes up to the tally. */
async function votesAtTally(
  { plan, before }: ChainStates,
  { proposalId, ordinal }: EndedFact,
): Promise<Answer<StateVote[]>> {
  const answer = await before.votes(proposalId)
  if (!isKnown(answer)) return answer
  const votes = new Map(answer.value.map((vote) => [addressKey(vote.voter), vote]))
  for (const { fact } of plan.facts) {
    if (fact.kind !== 'vote_cast' || fact.proposalId !== proposalId) continue
    if (fact.ordinal > ordinal || !fact.counted) continue
    if (fact.voter === null) return unavailable('a vote in the closing block names no voter')
    const key = addressKey(fact.voter)
    const { metadata } = fact.reason ?? {}
    votes.set(key, {
      voter: votes.get(key)?.voter ?? fact.voter,
      options: fact.options,
      ...(metadata ? { metadata } : {}),
    })
  }
  return known([...votes.values()])
}

/** A pool that is bonded and not jailed counts, unless there are too many of them. */
const markCounted = (pool: PoolState, counted: boolean): PoolState =>
  isCounted(pool) && !counted ? { ...pool, counted: false } : pool

/** The limits of the kinds of the proposal count. */
async function limitsAtTally(states: ChainStates, fact: EndedFact): Promise<Answer<GovParams>> {
  const [params, content] = await Promise.all([
    paramsAtTally(states, fact),
    states.after.proposal(fact.proposalId),
  ])
  if (!isKnown(params) || !isKnown(content)) return params
  return known(toKindLimits(listKinds(content.value.proposal), params.value))
}

export function createStateAtTally(
  states: ChainStates,
  fact: EndedFact,
  { isPoolBefore, isVoterBefore, maxPoolsAt }: TallyVariant,
): ReadableState {
  const { before, after } = states
  return {
    height: after.height,
    rule: after.rule,
    params: () => limitsAtTally(states, fact),
    bondedTokens: () => bondedAtTally(states, fact),
    votes: () => votesAtTally(states, fact),
    delegations: (voter) => (isVoterBefore(voter) ? before : after).delegations(voter),
    pools: async () => {
      const pools = await poolsAtTally(states, { isPoolBefore, maxPoolsAt })
      return isKnown(pools)
        ? known(pools.value.map(({ pool, counted }) => markCounted(pool, counted)))
        : pools
    },
  }
}
