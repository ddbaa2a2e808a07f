// Reads one ended round of a vote as at a live close: its result, and all inputs of its tally.
import { type Answer, isKnown, known, unavailable } from '../chain/answer.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/blocks/block.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { PoolState } from '../contract/facts.ts'
import { type ChainStates, createStates } from '../heights/height-state.ts'
import { findOutcome } from '../proposals/state-check.ts'
import { type CloseData, closeData, type EndedFact } from '../rounds/close.ts'
import { type ClosedReading, type ClosingOptions, readSilentClosing } from '../rounds/closing.ts'
import { withDelegationsByPool } from '../rounds/delegations-by-pool.ts'
import type { ClosedChain, RoundEnd } from './closing-height.ts'

export type PastRound = ClosedReading & {
  end: RoundEnd
  block: Block
  /** The index of the end in its block: later votes belong to the next round. */
  endOrdinal: number
  close: CloseData
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
  { states, voters }: { states: ChainStates; voters: ReadonlySet<string> },
  signal: AbortSignal,
): ChainStates => {
  const pools = () => listPools(states)
  const bound = (state: StateAt, expected: number) =>
    withDelegationsByPool(state, { node, voters, expected, pools, signal })
  return { ...states, after: bound(states.after, voters.size), before: bound(states.before, 0) }
}

/** A complete reading, or why there is none. */
export const readPastRound = async (
  chain: ClosedChain,
  { end, isLast }: { end: RoundEnd; isLast: boolean },
  options: Omit<ClosingOptions, 'budgetMs'>,
): Promise<Answer<PastRound>> => {
  const { height, round, after } = end
  const { proposalId, status } = after.proposal
  const block = await chain.blockAt(height)
  if (!isKnown(block)) return block
  const committed = createStates(block.value, chain.stateAt)
  const fact = findEndedFact(committed, { proposalId, status, isLast })
  const votes = await committed.before.votes(proposalId)
  if (!isKnown(votes)) return unavailable(`ballots: ${votes.unavailable}`)
  const voters = new Set(votes.value.map(({ voter }) => voter))
  const states = withDelegations(chain, { states: committed, voters }, options.signal)
  const closing = { states, fact, close: await closeData(states, { round, fact }) }
  const closed = await readSilentClosing(
    { ...closing, before: undefined },
    { ...options, budgetMs: BUDGET_MS },
  )
  const { missing } = closed.reading
  if (missing.length > 0) return unavailable(missing.join('; '))
  return known({ ...closed, end, block: block.value, endOrdinal: fact.abciOrdinal })
}
