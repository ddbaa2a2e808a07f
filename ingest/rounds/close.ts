// Reads the result of a vote: the chain's own tally, the bonded total for the quorum, and the parameters.
import { Value } from 'typebox/value'
import {
  type Answer,
  isKnown,
  known,
  reasonOrNull,
  unavailable,
  valueOrNull,
} from '../chain/answer.ts'
import type { GovParams, PoolState, ProposalState, TallyCounts } from '../contract/facts.ts'
import { listKinds, toKindLimits } from '../contract/gov-type.ts'
import { stakeAfterTally } from '../derive/moved-stake.ts'
import type { RawFact } from '../derive/raw-fact.ts'
import type { ChainStates } from '../heights/height-state.ts'
import type { PlannedFact } from '../heights/plan.ts'
import { type ProposalAsOfHeight, readProposalAtHeight } from '../proposals/proposal.ts'
import { isBonded } from '../tally/counted-pools.ts'
import {
  type EndedFact,
  findVariantByEvents,
  isAfterChange,
  poolsAtTally,
} from './state-at-tally.ts'

export type CloseData = ProposalAsOfHeight & {
  round: number
  log: string | null
  finalTally: TallyCounts | null
  bondedTokens: string | null
  params: GovParams | null
  unavailableReason: string | null
}

/** Whether no option has power. */
export const isZero = (counts: TallyCounts): boolean =>
  Object.values(counts).every((count) => count === null || count === '0')

const NO_VOTES: TallyCounts = { yes: '0', abstain: '0', no: '0', noWithVeto: '0' }

/** The final tally in a state of the proposal; `isRestart`: it has just been tallied, or is in the round after that. */
export const readFinalTally = (
  { finalTally }: ProposalState,
  { isRestart }: { isRestart: boolean },
): Answer<TallyCounts> => {
  if (finalTally) return known(finalTally)
  // In an open proposal zeros mean "not tallied"; a restarted proposal was tallied.
  return isRestart
    ? known(NO_VOTES)
    : unavailable('the state of the chain has no final tally of the proposal')
}

const finalTallyAtHeight = async (
  state: ChainStates,
  fact: EndedFact,
): Promise<Answer<TallyCounts>> => {
  const answer = await state.after.proposal(fact.proposalId)
  // During a vote the node computes a new count for each query: there is no final tally.
  if (!isKnown(answer)) {
    return fact.kind === 'closed' ? await state.after.tally(fact.proposalId) : answer
  }
  return readFinalTally(answer.value.proposal, { isRestart: fact.kind === 'restarted' })
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
  const wasBonded = new Set(
    poolsBefore.value.filter(isBonded).map(({ operatorAddress }) => operatorAddress),
  )
  const wasBondedBefore = (pool: PoolState) => wasBonded.has(pool.operatorAddress)
  const left = sum(pools.value.filter((pool) => wasBondedBefore(pool) && !isBonded(pool)))
  const entered = sum(pools.value.filter((pool) => !wasBondedBefore(pool) && isBonded(pool)))
  const changedPools = stakeAfterTally(plan.block, abciOrdinal).pools
  const isChanged = ({ operatorAddress }: PoolState) => changedPools.has(operatorAddress)
  const staked = sum(pools.value.filter((pool) => wasBondedBefore(pool) && isChanged(pool)))
  const stakedBefore = sum(
    poolsBefore.value.filter((pool) => wasBondedBefore(pool) && isChanged(pool)),
  )
  return known((BigInt(total.value) + left - entered - staked + stakedBefore).toString())
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
const readAppliedParams = async (
  state: ChainStates,
  ended: EndedFact,
): Promise<Answer<GovParams>> => {
  const [before, after] = await Promise.all([state.before.params(), state.after.params()])
  if (isKnown(before) && Value.Equal(before, after)) return before
  const isOnlyComputed =
    isKnown(before) && Value.Equal(withoutComputed(before), withoutComputed(after))
  const computes = isOnlyComputed && valueOrNull(await state.before.computesQuorum())
  if (isKnown(before) && computes) return known(withComputedQuorum(state, ended, before.value))
  return (await isAfterChange(state, ended, 'gov')) === false ? before : after
}

/** A proposal that never reached a vote has no ballots to count. */
const createNoVoteAnswer = (): Answer<never> => unavailable('there was no vote')

export const closeData = async (
  state: ChainStates,
  { fact, round }: Pick<PlannedFact, 'round'> & { fact: EndedFact },
): Promise<CloseData> => {
  const hasVote = round > 0
  const [proposal, tally, bonded, params] = await Promise.all([
    readProposalAtHeight(state, fact.proposalId),
    hasVote ? finalTallyAtHeight(state, fact) : createNoVoteAnswer(),
    hasVote ? bondedAtTally(state, fact) : createNoVoteAnswer(),
    hasVote ? readAppliedParams(state, fact) : createNoVoteAnswer(),
  ])
  const limits = valueOrNull<GovParams>(params)
  const kinds = proposal.proposal ? listKinds(proposal.proposal) : []
  const reasons = new Set([tally, bonded, params].map(reasonOrNull).filter((reason) => reason))
  return {
    ...proposal,
    round,
    log: fact.log,
    finalTally: valueOrNull<TallyCounts>(tally),
    bondedTokens: valueOrNull<string>(bonded),
    params: limits && toKindLimits(kinds, limits),
    unavailableReason: reasons.size === 0 ? null : [...reasons].join('; '),
  }
}
