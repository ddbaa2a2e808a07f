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
import type { GovParams, PoolState, TallyCounts } from '../contract/facts.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
import { stakeAfterTally } from '../derive/stake-after-tally.ts'
import type { PlannedFact } from '../plan.ts'
import type { ChainStates } from './height-state.ts'
import { type ProposalAsOfHeight, readProposalAtHeight } from './proposal.ts'

export type EndedFact = RawFactOf<'closed' | 'restarted'>

export type CloseData = ProposalAsOfHeight & {
  round: number
  log: string | null
  finalTally: TallyCounts | null
  bondedTokens: string | null
  params: GovParams | null
  unavailableReason: string | null
}

const NO_VOTES: TallyCounts = { yes: '0', abstain: '0', no: '0', noWithVeto: '0' }

const finalTallyAtHeight = async (
  state: ChainStates,
  fact: EndedFact,
): Promise<Answer<TallyCounts>> => {
  const answer = await state.after.proposal(fact.proposalId)
  // During a vote the node computes a new count for each query: there is no final tally.
  if (!isKnown(answer)) {
    return fact.kind === 'closed' ? await state.after.tally(fact.proposalId) : answer
  }
  if (answer.value.proposal.finalTally) return known(answer.value.proposal.finalTally)
  // In an open proposal zeros mean "not tallied"; a restarted proposal has just been tallied.
  return fact.kind === 'restarted'
    ? known(NO_VOTES)
    : unavailable('the state of the chain has no final tally of the proposal')
}

const sum = (pools: readonly PoolState[]): bigint =>
  pools.reduce((total, { tokens }) => total + BigInt(tokens), 0n)

const isBonded = ({ status }: PoolState): boolean => status === 'bonded'

/**
 * The tally runs before staking ends the block. Pools that then enter or leave the bonded set move their
 * tokens. The total of this height is corrected by them, and by stake that the proposal's own messages moved
 * after its tally.
 */
const bondedAtTally = async (
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

const CHANGES_PARAMS =
  /\.gov\.v\w+\.(MsgUpdateParams|MsgExecLegacyContent)$|ParameterChangeProposal$/

/** Passed in this end block, and able to change parameters of x/gov. */
const paramsChangers = async (state: ChainStates): Promise<EndedFact[]> => {
  const changers: EndedFact[] = []
  for (const { fact } of state.plan.facts) {
    if (fact.kind !== 'closed' || fact.outcome !== 'passed') continue
    const answer = await state.after.proposal(fact.proposalId)
    const types = isKnown(answer) ? answer.value.proposal.messageTypes : []
    if (types.some((type) => CHANGES_PARAMS.test(type))) changers.push(fact)
  }
  return changers
}

const withoutComputed = (params: Answer<GovParams>) =>
  isKnown(params) ? { ...params.value, quorum: null, minDeposit: null } : null

/** Each tally of the end block changes a computed quorum: only the first one has that of the height before. */
const withComputedQuorum = (
  { plan }: ChainStates,
  ended: EndedFact,
  before: GovParams,
): GovParams => {
  const isEarlier = ({ fact }: PlannedFact) =>
    (fact.kind === 'closed' || fact.kind === 'restarted') && fact.ordinal < ended.ordinal
  return plan.facts.some(isEarlier) ? { ...before, quorum: null } : before
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
  const changers = await paramsChangers(state)
  const [first] = changers
  if (first && first.ordinal >= ended.ordinal) return before
  return after
}

/** A proposal that never reached a vote has no ballots to count. */
const createNoVoteAnswer = (): Answer<never> => unavailable('there was no vote')

export const closeData = async (
  state: ChainStates,
  { fact, round }: PlannedFact & { fact: EndedFact },
): Promise<CloseData> => {
  const hasVote = round > 0
  const [proposal, tally, bonded, params] = await Promise.all([
    readProposalAtHeight(state, fact.proposalId),
    hasVote ? finalTallyAtHeight(state, fact) : createNoVoteAnswer(),
    hasVote ? bondedAtTally(state, fact) : createNoVoteAnswer(),
    hasVote ? readAppliedParams(state, fact) : createNoVoteAnswer(),
  ])
  const reasons = new Set([tally, bonded, params].map(reasonOrNull).filter((reason) => reason))
  return {
    ...proposal,
    round,
    log: fact.log,
    finalTally: valueOrNull<TallyCounts>(tally),
    bondedTokens: valueOrNull<string>(bonded),
    params: valueOrNull<GovParams>(params),
    unavailableReason: reasons.size === 0 ? null : [...reasons].join('; '),
  }
}
