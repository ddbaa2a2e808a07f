// Reads one ended round of a vote as at a live close: its result, and the evidence of its tally with all inputs.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { type Answer, isKnown, known, unavailable } from '../chain/answer.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/block.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { PoolState } from '../contract/facts.ts'
import { type CloseData, closeData, type EndedFact } from '../enrich/close.ts'
import { type EvidenceData, type EvidenceMetrics, evidenceData } from '../enrich/evidence.ts'
import { type ChainStates, createStates } from '../enrich/height-state.ts'
import { withoutZeroTally } from '../enrich/reconciled.ts'
import { type Ballots, type Ended, readChainBallots } from '../enrich/tally-inputs.ts'
import { findOutcome } from '../governance/state-check.ts'
import { compareWithChain, type MatchesChain, recompute } from '../tally/strategy.ts'
import type { ClosedChain, RoundEnd } from './closing-height.ts'
import { withDelegationsByPool } from './delegations-by-pool.ts'

export type RoundOptions = {
  clock: Clock
  signal: AbortSignal
  logger: Logger
  metrics: EvidenceMetrics
}

export type ReadRound = {
  end: RoundEnd
  block: Block
  /** The index of the end in its block: later votes belong to the next round. */
  endOrdinal: number
  close: CloseData
  evidence: readonly EvidenceData[]
  /** The counted ballots by the state: of the height before, with the votes of the last block. */
  ballots: Ballots
  /** Whether the recomputed tally equals the chain's. */
  match: MatchesChain
}

/** Far more than a slow endpoint needs for a hundred thousand reads. */
const BUDGET_MS = 12 * 3_600_000

/** The end in the events of its block; without one, after all of them, as a silent end. */
const findEndedFact = (
  { plan }: ChainStates,
  { proposalId, status, isLast }: { proposalId: string; status: string; isLast: boolean },
): EndedFact => {
  const found = plan.facts
    .map(({ fact }) => fact)
    .find(
      (fact): fact is EndedFact =>
        (fact.kind === 'closed' || fact.kind === 'restarted') && fact.proposalId === proposalId,
    )
  const silent = { ordinal: ORDINAL.after, abciOrdinal: ORDINAL.after, sub: 0, txIndex: null }
  const { ordinal, abciOrdinal, sub, txIndex } = found ?? silent
  const origin = { ordinal, abciOrdinal, sub, txIndex }
  const about = { proposalId, result: found?.result ?? '', log: found?.log ?? null }
  const outcome = findOutcome(status) ?? 'unknown'
  return isLast
    ? { ...origin, ...about, kind: 'closed', outcome, isTallied: true }
    : { ...origin, ...about, kind: 'restarted' }
}

/** On a chain with more pools only those that may count are read: the others have no power, and cost a request each. */
const MANY_POOLS = 250

const isBonded = ({ status }: PoolState): boolean => status === 'bonded'
const hasStake = ({ delegatorShares }: PoolState): boolean => /[1-9]/.test(delegatorShares)

/** Pools whose delegations are read. A tally inside the block counts pools that are bonded before or after it. */
const listPools = async ({ before, after }: ChainStates): Promise<Answer<string[]>> => {
  const [was, is] = await Promise.all([before.pools(), after.pools()])
  if (!isKnown(was)) return was
  if (!isKnown(is)) return is
  const listed = (isListed: (pool: PoolState) => boolean) => {
    const pools = [...was.value, ...is.value].filter(isListed)
    return [...new Set(pools.map(({ operatorAddress }) => operatorAddress))].sort()
  }
  const all = listed(hasStake)
  return known(all.length > MANY_POOLS ? listed(isBonded) : all)
}

/** Reads the delegations of all voters after the block; before it usually none, or few. */
const withDelegations = (
  { node }: ClosedChain,
  { states, ballots }: { states: ChainStates; ballots: Ballots },
  signal: AbortSignal,
): ChainStates => {
  const voters = new Set(ballots.keys())
  const pools = () => listPools(states)
  const bound = (state: StateAt, expected: number) =>
    withDelegationsByPool(state, { node, voters, expected, pools, signal })
  return { ...states, after: bound(states.after, voters.size), before: bound(states.before, 0) }
}

const compare = (
  evidence: readonly EvidenceData[],
  { finalTally: chain }: CloseData,
): MatchesChain => {
  const pools = evidence.flatMap((chunk) => chunk.pools)
  const ballots = evidence.flatMap((chunk) => chunk.ballots)
  const strategy = evidence[0]?.strategy ?? 'inherit'
  const recomputed = recompute(strategy, { pools, ballots })?.counts
  return compareWithChain({ recomputed, chain, incompleteReason: null })
}

/** Complete evidence, or why there is none. */
export const readRound = async (
  chain: ClosedChain,
  { end, isLast }: { end: RoundEnd; isLast: boolean },
  options: RoundOptions,
): Promise<Answer<ReadRound>> => {
  const { height, round, after } = end
  const { proposalId, status } = after.proposal
  const block = await chain.blockAt(height)
  if (!isKnown(block)) return block
  const states = createStates(block.value, chain.stateAt)
  const fact = findEndedFact(states, { proposalId, status, isLast })
  const ended: Ended = { round, fact, before: undefined }
  const ballots = await readChainBallots({ state: states, ended })
  if (!isKnown(ballots)) return unavailable(`ballots: ${ballots.unavailable}`)
  const close = withoutZeroTally(await closeData(states, ended), ballots.value.size > 0)
  const tallied = {
    state: withDelegations(chain, { states, ballots: ballots.value }, options.signal),
    ended: { ...ended, before: { ballots: ballots.value, lacksBallots: false } },
    close,
    delegationsOf: () => undefined,
  }
  const evidence = await evidenceData(tallied, { ...options, budgetMs: BUDGET_MS })
  const reason = evidence[0]?.incompleteReason ?? null
  if (reason !== null) return unavailable(reason)
  const match = compare(evidence, close)
  const endOrdinal = fact.abciOrdinal
  return known({
    end,
    block: block.value,
    endOrdinal,
    close,
    evidence,
    ballots: ballots.value,
    match,
  })
}
