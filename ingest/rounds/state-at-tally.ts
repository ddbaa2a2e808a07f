// The state as of a tally inside an end block, from the committed states before and after the block. Which of both has the stake that
// the tally counted follows from the order of events; where that is open, there are several variants.
import { Value } from 'typebox/value'
import { type Answer, isKnown, known, reasonOrNull, unavailable } from '../chain/answer.ts'
import type { StateVote } from '../chain/gov.ts'
import { addressKey } from '../contract/address.ts'
import { isCounted } from '../contract/delegation.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { GovParams, PoolState } from '../contract/facts.ts'
import { type StakeAfterTally, stakeAfterTally } from '../derive/moved-stake.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
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

type ClosingBasis = {
  params: GovParams | null
  bondedTokens: string | null
  unavailableReason: string | null
}

export function createStateAtTally(
  states: ChainStates,
  { fact, close }: { fact: EndedFact; close: ClosingBasis },
  { isPoolBefore, isVoterBefore, maxPoolsAt }: TallyVariant,
): ReadableState {
  const { before, after } = states
  const read = <Value>(value: Value | null): Answer<Value> =>
    value === null ? unavailable(close.unavailableReason ?? 'it is not known') : known(value)
  return {
    height: after.height,
    // An upgrade replaces the rule before the block: its tallies are those of the new one.
    rule: after.rule,
    params: async () => read(close.params),
    bondedTokens: async () => read(close.bondedTokens),
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
