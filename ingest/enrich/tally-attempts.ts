// The ways to gather the inputs of a tally again where it differs from the chain's result, in the order they are tried.
import { Value } from 'typebox/value'
import { isKnown } from '../chain/answer.ts'
import { stakeAfterTally } from '../derive/stake-after-tally.ts'
import {
  type Ballots,
  ballotsOfChain,
  gatherInputs,
  type Inputs,
  type Round,
  type StateHeightRule,
} from './tally-inputs.ts'

export type Attempt = {
  name: string
  /** Undefined where the attempt does not apply to the round. Reads nothing before it is called. */
  gather(): Promise<Inputs | undefined>
}

type NamedRule = StateHeightRule & { name: string }

/** The stake that the proposal's own messages moved was counted as it was before the block. */
const ruleByEvents = ({ state, ended }: Round): NamedRule => {
  const { pools, accounts } = stakeAfterTally(state.plan.block, ended.fact.ordinal)
  return {
    name: 'stake by the order of events',
    isPoolBefore: (operatorAddress) => pools.has(operatorAddress),
    isVoterBefore: (voter) => accounts.has(voter),
    maxPoolsAt: 'before',
  }
}

/** The other rules only where a proposal's messages moved stake. */
const stakeRulesOf = (round: Round): readonly NamedRule[] => {
  const byEvents = ruleByEvents(round)
  const { pools } = stakeAfterTally(round.state.plan.block, round.ended.fact.ordinal)
  if (pools.size === 0) return [byEvents]
  const all = (isBefore: boolean, name: string): NamedRule => ({
    ...byEvents,
    name,
    isPoolBefore: () => isBefore,
    isVoterBefore: () => isBefore,
  })
  return [byEvents, all(true, 'all stake before the block'), all(false, 'all stake after it')]
}

const withLaterMaxPools = (rule: NamedRule): NamedRule => ({
  ...rule,
  name: `${rule.name}, new maximum of bonded pools`,
  maxPoolsAt: 'after',
})

/** No event reports that a proposal changed how many pools may be bonded. */
const changesMaxPools = async ({ state: { before, after } }: Round): Promise<boolean> =>
  !Value.Equal(...(await Promise.all([before.maxPools(), after.maxPools()])))

/** Delegations that the log knows are not read. */
export const gatherAsLogged = (round: Round, ballots: Ballots): Promise<Inputs> =>
  gatherInputs(round, { rule: ruleByEvents(round), ballots, readsAll: false })

/**
 * Every delegation is read. First with the ballots that are `known`, then with the chain's, which may
 * have some that no event reported; with each of them first the maximum of bonded pools from before
 * the block, then the one after it.
 */
export const attemptsOf = (round: Round, known: Ballots): readonly Attempt[] => {
  const rules = stakeRulesOf(round)
  let answer: ReturnType<typeof ballotsOfChain> | undefined
  const chainBallots = async (): Promise<Ballots | undefined> => {
    answer ??= ballotsOfChain(round)
    const ballots = await answer
    return isKnown(ballots) ? ballots.value : undefined
  }
  const sources = [
    { source: 'known ballots', ballotsOf: async () => known },
    { source: 'ballots of the chain', ballotsOf: chainBallots },
  ]
  return sources.flatMap(({ source, ballotsOf }) =>
    [...rules, ...rules.map(withLaterMaxPools)].map((rule) => ({
      name: `${source}, ${rule.name}`,
      gather: async () => {
        if (rule.maxPoolsAt === 'after' && !(await changesMaxPools(round))) return undefined
        const ballots = await ballotsOf()
        return ballots && (await gatherInputs(round, { rule, ballots, readsAll: true }))
      },
    })),
  )
}

type SearchResult = {
  inputs: Inputs
  /** Null where no attempt matched: `inputs` are then those of the first attempt that applied. */
  matched: string | null
}

/** `otherwise`: the inputs where no attempt applies. */
export const firstThatMatches = async (
  attempts: readonly Attempt[],
  { matches, otherwise }: { matches: (inputs: Inputs) => boolean; otherwise: Inputs },
): Promise<SearchResult> => {
  let first: Inputs | undefined
  for (const { name, gather } of attempts) {
    const inputs = await gather()
    if (!inputs) continue
    if (matches(inputs)) return { inputs, matched: name }
    first ??= inputs
    // Out of time, or the state is gone: more reads would bring no more.
    if (inputs.reasons.length > 0) break
  }
  return { inputs: first ?? otherwise, matched: null }
}
