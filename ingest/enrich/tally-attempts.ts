// The ways to read the inputs of a tally again if it differs from the chain's result, in order of attempts.
import { Value } from 'typebox/value'
import { type Answer, isKnown, known, reasonOrNull, unavailable } from '../chain/answer.ts'
import type { PoolState } from '../contract/facts.ts'
import { type StakeAfterTally, stakeAfterTally } from '../derive/stake-after-tally.ts'
import { findLimitHeight } from './passed-changes.ts'
import {
  type Ballots,
  gatherInputs,
  type Inputs,
  type Round,
  readChainBallots,
  type StateHeightRule,
} from './tally-inputs.ts'

export type Attempt = {
  name: string
  /** Undefined if the attempt does not apply to the round. Starts no read before it is called. */
  gather(): Promise<Answer<Inputs> | undefined>
}

type NamedRule = StateHeightRule & { name: string }

/** In a crowded block the ordinal of the fact is not that of its ABCI event. */
const findStakeAfterTally = ({ state, ended }: Round): StakeAfterTally =>
  stakeAfterTally(state.plan.block, ended.fact.abciOrdinal)

/** Counts stake that moved after the tally as it was before the block. */
const ruleByEvents = (
  { pools, accounts }: StakeAfterTally,
  maxPoolsAt: NamedRule['maxPoolsAt'],
): NamedRule => ({
  name: 'stake by the order of events',
  isPoolBefore: (operatorAddress) => pools.has(operatorAddress),
  isVoterBefore: (voter) => accounts.has(voter),
  maxPoolsAt,
})

const findRuleByEvents = async (round: Round): Promise<NamedRule> =>
  ruleByEvents(findStakeAfterTally(round), await findLimitHeight(round.state, round.ended.fact))

/** The other rules apply only if stake moved after the tally. */
const listStakeRules = async (round: Round): Promise<readonly NamedRule[]> => {
  const stake = findStakeAfterTally(round)
  const byEvents = await findRuleByEvents(round)
  if (!stake.hasMoved) return [byEvents]
  const all = (isBefore: boolean, name: string): NamedRule => ({
    ...byEvents,
    name,
    isPoolBefore: () => isBefore,
    isVoterBefore: () => isBefore,
  })
  return [
    byEvents,
    all(true, 'all stake before the block'),
    all(false, 'all stake after the block'),
  ]
}

const withOtherMaxPools = (rule: NamedRule): NamedRule => ({
  ...rule,
  name: `${rule.name}, other maximum of pools`,
  maxPoolsAt: rule.maxPoolsAt === 'before' ? 'after' : 'before',
})

const isBonded = ({ status }: PoolState): boolean => status === 'bonded'

/** A lower limit of bonded pools removes one of them at the end of the same block. */
const losesBondedPool = async ({ state: { before, after } }: Round): Promise<boolean> => {
  const [was, is] = await Promise.all([before.pools(), after.pools()])
  if (!isKnown(was) || !isKnown(is)) return false
  const bonded = new Set(was.value.filter(isBonded).map((pool) => pool.operatorAddress))
  return is.value.some((pool) => bonded.has(pool.operatorAddress) && !isBonded(pool))
}

/** No event reports that a proposal changed the maximum of bonded pools. */
const changesMaxPools = async (round: Round): Promise<Answer<boolean>> => {
  const { before, after } = round.state
  const [was, is] = await Promise.all([before.maxPools(), after.maxPools()])
  const reason = reasonOrNull(was) ?? reasonOrNull(is)
  if (reason === null) return known(!Value.Equal(was, is))
  const mayChange = await losesBondedPool(round)
  return mayChange ? unavailable(`the maximum of bonded pools: ${reason}`) : known(false)
}

/** Uses delegations from the log without a read. */
export const gatherAsLogged = async (round: Round, ballots: Ballots): Promise<Inputs> =>
  gatherInputs(round, { rule: await findRuleByEvents(round), ballots, readsAll: false })

/**
 * Reads every delegation. First with the ballots in the log, then with the chain's, which may include ballots
 * without an event. Each first with the maximum of pools that the order of events gives, then with the other one.
 */
export const createAttempts = async (
  round: Round,
  ballots: Ballots,
): Promise<readonly Attempt[]> => {
  const rules = await listStakeRules(round)
  let answer: ReturnType<typeof readChainBallots> | undefined
  const chainBallots = () => (answer ??= readChainBallots(round))
  const sources = [
    { source: 'known ballots', ballotsOf: async () => known(ballots) },
    { source: 'ballots of the chain', ballotsOf: chainBallots },
  ]
  return sources.flatMap(({ source, ballotsOf }) =>
    [
      ...rules.map((rule) => ({ rule, isOther: false })),
      ...rules.map((rule) => ({ rule: withOtherMaxPools(rule), isOther: true })),
    ].map(({ rule, isOther }) => ({
      name: `${source}, ${rule.name}`,
      gather: async () => {
        if (isOther) {
          const changes = await changesMaxPools(round)
          if (!isKnown(changes)) return changes
          if (!changes.value) return undefined
        }
        const source = await ballotsOf()
        // Ballots in the log are complete, as far as events report them.
        if (!isKnown(source)) return undefined
        return known(await gatherInputs(round, { rule, ballots: source.value, readsAll: true }))
      },
    })),
  )
}

type SearchResult = {
  inputs: Inputs
  /**
   * Null if no attempt matched. `inputs` are then those of the first attempt that applied. Their reasons
   * include failed reads of the other attempts, because one of those may have matched.
   */
  matched: string | null
}

/** `otherwise`: the inputs if no attempt applies. */
export const findFirstMatch = async (
  attempts: readonly Attempt[],
  { matches, otherwise }: { matches: (inputs: Inputs) => boolean; otherwise: Inputs },
): Promise<SearchResult> => {
  let first: Inputs | undefined
  const reasons = new Set<string>()
  for (const { name, gather } of attempts) {
    const answer = await gather()
    if (!answer) continue
    if (!isKnown(answer)) {
      reasons.add(answer.unavailable)
      continue
    }
    const inputs = answer.value
    if (matches(inputs)) return { inputs, matched: name }
    first ??= inputs
    // Out of time, or the state is pruned: more reads cannot help.
    if (inputs.reasons.length > 0) break
  }
  const inputs = first ?? otherwise
  if (reasons.size === 0) return { inputs, matched: null }
  return { inputs: { ...inputs, reasons: [...inputs.reasons, ...reasons] }, matched: null }
}
