// Collects the inputs of one tally: uses known delegations and reads the others, within a budget.
import { type Answer, isKnown } from '../chain/answer.ts'
import type { Delegation } from '../contract/delegation.ts'
import type { WeightedOption } from '../contract/facts.ts'
import type { OpenProposal } from '../governance/open-proposals.ts'
import type { DelegationsOf } from '../governance/open-stakes.ts'
import type { PlannedFact } from '../governance/plan.ts'
import type { TallyBallot, TallyPool } from '../tally/tally.ts'
import type { EndedFact } from './close.ts'
import type { ChainStates } from './height-state.ts'
import { poolsAtTally } from './pools-at-tally.ts'
import { type ReadBudget, readEach } from './read-budget.ts'

/** The end of a round, with the ballots that are known of it. */
export type Ended = Pick<PlannedFact, 'round'> & {
  fact: EndedFact
  before: Pick<OpenProposal, 'ballots' | 'lacksBallots'> | undefined
}
export type Ballots = ReadonlyMap<string, readonly WeightedOption[]>

/** Selects the stake from the height before the close; all other stake is from the closing height. */
export type StateHeightRule = {
  isPoolBefore(operatorAddress: string): boolean
  isVoterBefore(voter: string): boolean
  /** The height of the limit of bonded pools. */
  maxPoolsAt: 'before' | 'after'
}

export type Round = {
  state: ChainStates
  ended: Ended
  /** Delegations in the log. */
  delegationsOf: DelegationsOf
  budget: ReadBudget
}

export type Inputs = {
  pools: Answer<TallyPool[]>
  ballots: TallyBallot[]
  /** Why something is missing. Empty if the inputs are complete. */
  reasons: string[]
}

/**
 * The ballots in the chain's state before the block, then the block's own votes: for rounds of which the log
 * may lack ballots.
 */
export const readChainBallots = async ({
  state,
  ended,
}: Pick<Round, 'state' | 'ended'>): Promise<Answer<Ballots>> => {
  const { proposalId, ordinal } = ended.fact
  const answer = await state.before.votes(proposalId)
  if (!isKnown(answer)) return answer
  const ballots = new Map<string, readonly WeightedOption[]>()
  // Ballots in the log come first, in the order of first ballots.
  const ofChain = new Map(answer.value.map(({ voter, options }) => [voter, options]))
  for (const voter of ended.before?.ballots.keys() ?? []) {
    const options = ofChain.get(voter)
    if (options) ballots.set(voter, options)
  }
  for (const [voter, options] of ofChain) ballots.set(voter, options)
  for (const { fact } of state.plan.facts) {
    if (fact.kind !== 'vote_cast' || fact.proposalId !== proposalId) continue
    if (fact.ordinal > ordinal || !fact.counted) continue
    if (fact.voter === null) return { unavailable: 'a vote in the closing block names no voter' }
    ballots.set(fact.voter, fact.options)
  }
  return { value: ballots }
}

type Delegations = Map<string, readonly Delegation[]>

/** Reads into `found`; returns the reasons for failed reads. */
const readDelegations = async (
  { state, budget }: Round,
  { voters, rule, found }: { voters: string[]; rule: StateHeightRule; found: Delegations },
): Promise<string[]> => {
  const failures: string[] = []
  let read = 0
  const readOne = async (voter: string) => {
    const at = rule.isVoterBefore(voter) ? state.before : state.after
    const answer = await at.delegations(voter)
    read += 1
    if (isKnown(answer)) found.set(voter, answer.value)
    else failures.push(`delegations of ${voter}: ${answer.unavailable}`)
  }
  const isDone =
    voters.length === 0 ||
    (await budget.spend((signal) => readEach(voters, { read: readOne }, signal)))
  // Reads run in any order: the first address represents all failures.
  const [first] = failures.sort()
  const others = failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''
  return [
    ...(first === undefined ? [] : [`${first}${others}`]),
    ...(isDone
      ? []
      : [`the time limit for reads was reached after ${read} of ${voters.length} voters`]),
  ]
}

type Gathering = {
  rule: StateHeightRule
  ballots: Ballots
  /** Reads the delegations of every voter, also those in the log. */
  readsAll: boolean
}

export const gatherInputs = async (
  round: Round,
  { rule, ballots, readsAll }: Gathering,
): Promise<Inputs> => {
  const { state, delegationsOf } = round
  const { isPoolBefore, maxPoolsAt } = rule
  const pools = await poolsAtTally(state, { isPoolBefore, maxPoolsAt })
  const found: Delegations = new Map()
  const voters: string[] = []
  for (const voter of ballots.keys()) {
    const known = delegationsOf(voter)
    if (known) found.set(voter, known)
    if (!known || readsAll || rule.isVoterBefore(voter)) voters.push(voter)
  }
  const reasons = await readDelegations(round, { voters, rule, found })
  return {
    pools,
    ballots: [...ballots].map(([voter, options]) => ({
      voter,
      options,
      delegations: found.get(voter) ?? [],
    })),
    reasons: isKnown(pools) ? reasons : [`pools: ${pools.unavailable}`, ...reasons],
  }
}
