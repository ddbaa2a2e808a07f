// The ways to gather the inputs of a tally again where it differs from the chain's result, in the order they are tried.
import { Value } from 'typebox/value'
import { type Answer, isKnown, known, reasonOrNull, unavailable } from '../chain/answer.ts'
import type { PoolState } from '../contract/facts.ts'
import { stakeAfterTally } from '../derive/stake-after-tally.ts'
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
  /** Undefined where the attempt does not apply to the round. Reads nothing before it is called. */
  gather(): Promise<Answer<Inputs> | undefined>
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
const listStakeRules = (round: Round): readonly NamedRule[] => {
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

const isBonded = ({ status }: PoolState): boolean => status === 'bonded'

/** A lower limit of bonded pools makes one of them leave at the end of the same block. */
const losesBondedPool = async ({ state: { before, after } }: Round): Promise<boolean> => {
  const [was, is] = await Promise.all([before.pools(), after.pools()])
  if (!isKnown(was) || !isKnown(is)) return false
  const bonded = new Set(was.value.filter(isBonded).map((pool) => pool.operatorAddress))
  return is.value.some((pool) => bonded.has(pool.operatorAddress) && !isBonded(pool))
}

/** No event reports that a proposal changed how many pools may be bonded. */
const changesMaxPools = async (round: Round): Promise<Answer<boolean>> => {
  const { before, after } = round.state
  const [was, is] = await Promise.all([before.maxPools(), after.maxPools()])
  const reason = reasonOrNull(was) ?? reasonOrNull(is)
  if (reason === null) return known(!Value.Equal(was, is))
  const mayChange = await losesBondedPool(round)
  return mayChange ? unavailable(`the maximum of bonded pools: ${reason}`) : known(false)
}

/** Delegations that the log knows are not read. */
export const gatherAsLogged = (round: Round, ballots: Ballots): Promise<Inputs> =>
  gatherInputs(round, { rule: ruleByEvents(round), ballots, readsAll: false })

/**
 * Every delegation is read. First with the ballots that the log has, then with the chain's, which may
 * have some that no event reported; with each of them first the maximum of bonded pools from before
 * the block, then the one after it.
 */
export const createAttempts = (round: Round, ballots: Ballots): readonly Attempt[] => {
  const rules = listStakeRules(round)
  let answer: ReturnType<typeof readChainBallots> | undefined
  const chainBallots = () => (answer ??= readChainBallots(round))
  const sources = [
    { source: 'known ballots', ballotsOf: async () => known(ballots) },
    { source: 'ballots of the chain', ballotsOf: chainBallots },
  ]
  return sources.flatMap(({ source, ballotsOf }) =>
    [...rules, ...rules.map(withLaterMaxPools)].map((rule) => ({
      name: `${source}, ${rule.name}`,
      gather: async () => {
        if (rule.maxPoolsAt === 'after') {
          const changes = await changesMaxPools(round)
          if (!isKnown(changes)) return changes
          if (!changes.value) return undefined
        }
        const source = await ballotsOf()
        // Those of the log are whole, as far as its events say.
        if (!isKnown(source)) return undefined
        return known(await gatherInputs(round, { rule, ballots: source.value, readsAll: true }))
      },
    })),
  )
}

type SearchResult = {
  inputs: Inputs
  /**
   * Null where no attempt matched: `inputs` are then those of the first attempt that applied, and their reasons have
   * what the others could not read, because one of them may have matched.
   */
  matched: string | null
}

/** `otherwise`: the inputs where no attempt applies. */
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
    // Out of time, or the state is gone: more reads would bring no more.
    if (inputs.reasons.length > 0) break
  }
  const inputs = first ?? otherwise
  if (reasons.size === 0) return { inputs, matched: null }
  return { inputs: { ...inputs, reasons: [...inputs.reasons, ...reasons] }, matched: null }
}
