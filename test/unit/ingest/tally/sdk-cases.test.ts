// Tests the cases of x/gov's own tally test (SDK 0.50), one by one: the sums and the outcome.
import { describe, expect, it } from 'vitest'
import { type DecisionReason, decide } from '../../../../ingest/tally/decision.ts'
import { tally } from '../../../../ingest/tally/tally.ts'
import {
  type CaseSketch,
  createBallots,
  createPools,
  DEFAULT_RULES,
  MILLION,
} from '../../../support/fold/tally-cases.ts'

type Expected = {
  reason: DecisionReason
  yes?: number
  no?: number
  abstain?: number
  veto?: number
}
type Case = { name: string; expected: Expected } & CaseSketch

/** Three pools by power; operators have all the stake. */
const three = (one: number, two: number, third: number): Omit<CaseSketch, 'votes'> => ({
  pools: Object.fromEntries(
    Object.entries({ one, two, three: third }).map(([name, tokens]) => [
      name,
      { tokens, status: tokens === 0 ? ('unbonded' as const) : ('bonded' as const) },
    ]),
  ),
  delegations: { one: { one }, two: { two }, three: { three: third } },
})

/** As `three`, with the stake of a delegator. */
const withDelegator = (
  powers: [number, number, number],
  delegator: string,
  staked: Readonly<Record<string, number>>,
): Omit<CaseSketch, 'votes'> => {
  const { pools, delegations } = three(...powers)
  const grown = Object.entries(pools).map(([name, pool]) => [
    name,
    { ...pool, tokens: pool.tokens + (staked[name] ?? 0) },
  ])
  const shares = { ...delegations[delegator], ...staked }
  return { pools: Object.fromEntries(grown), delegations: { ...delegations, [delegator]: shares } }
}

const jailTwo = ({ pools, delegations }: Omit<CaseSketch, 'votes'>) => ({
  pools: { ...pools, two: { ...pools.two!, jailed: true } },
  delegations,
})

const CASES: Case[] = [
  { name: 'no votes', ...three(5, 5, 5), votes: {}, expected: { reason: 'quorum_missed' } },
  {
    name: 'too few votes for the quorum',
    ...three(2, 5, 0),
    votes: { one: 'yes' },
    expected: { reason: 'quorum_missed', yes: 2 },
  },
  {
    name: 'only operators vote, all yes',
    ...three(5, 5, 5),
    votes: { one: 'yes', two: 'yes', three: 'yes' },
    expected: { reason: 'threshold_met', yes: 15 },
  },
  {
    name: 'only operators vote, a small majority no',
    ...three(5, 6, 0),
    votes: { one: 'yes', two: 'no' },
    expected: { reason: 'threshold_missed', yes: 5, no: 6 },
  },
  {
    name: 'only operators vote, a small majority yes',
    ...three(5, 6, 0),
    votes: { one: 'no', two: 'yes' },
    expected: { reason: 'threshold_met', yes: 6, no: 5 },
  },
  {
    name: 'a veto of one third',
    ...three(6, 6, 7),
    votes: { one: 'yes', two: 'yes', three: 'no_with_veto' },
    expected: { reason: 'vetoed', yes: 12, veto: 7 },
  },
  {
    name: 'abstentions are excluded, and it passes',
    ...three(6, 6, 7),
    votes: { one: 'abstain', two: 'no', three: 'yes' },
    expected: { reason: 'threshold_met', yes: 7, no: 6, abstain: 6 },
  },
  {
    name: 'abstentions are excluded, and it fails',
    ...three(6, 6, 7),
    votes: { one: 'abstain', two: 'yes', three: 'no' },
    expected: { reason: 'threshold_missed', yes: 6, no: 7, abstain: 6 },
  },
  {
    name: 'an operator does not vote',
    ...three(5, 6, 7),
    votes: { one: 'yes', two: 'no' },
    expected: { reason: 'threshold_missed', yes: 5, no: 6 },
  },
  {
    name: 'a delegator overrides a pool that did not vote',
    ...withDelegator([5, 6, 7], 'fifth', { one: 30 }),
    votes: { two: 'yes', three: 'yes', fourth: 'yes', fifth: 'no' },
    expected: { reason: 'threshold_missed', yes: 13, no: 30 },
  },
  {
    name: 'a delegator who does not vote inherits the vote of the pool',
    ...withDelegator([5, 6, 7], 'fourth', { three: 30 }),
    votes: { one: 'no', two: 'no', three: 'yes' },
    expected: { reason: 'threshold_met', yes: 37, no: 11 },
  },
  {
    name: 'a delegator overrides two pools',
    ...withDelegator([5, 6, 7], 'fourth', { one: 10, two: 10 }),
    votes: { one: 'yes', two: 'yes', three: 'yes', fourth: 'no' },
    expected: { reason: 'threshold_missed', yes: 18, no: 20 },
  },
  {
    name: 'a delegator who does not vote inherits the votes of two pools',
    ...withDelegator([5, 6, 7], 'fourth', { two: 10, three: 10 }),
    votes: { one: 'yes', two: 'no', three: 'no' },
    expected: { reason: 'threshold_missed', yes: 5, no: 33 },
  },
  {
    name: 'a jailed pool does not count, nor do its delegators',
    ...jailTwo(withDelegator([25, 6, 7], 'fourth', { two: 10, three: 10 })),
    votes: { one: 'yes', two: 'no', three: 'no' },
    expected: { reason: 'threshold_met', yes: 25, no: 17 },
  },
  {
    name: 'an operator delegates to another pool as well',
    ...withDelegator([10, 10, 10], 'one', { two: 10 }),
    votes: { one: 'yes', two: 'no', three: 'yes' },
    expected: { reason: 'threshold_met', yes: 30, no: 10 },
  },
]

const units = (amount = 0): string => (BigInt(amount) * MILLION).toString()

describe('the tally of the test cases of x/gov', () => {
  it.each(CASES)('$name', ({ expected, ...sketch }) => {
    const result = tally(createPools(sketch), createBallots(sketch))
    expect(result.counts).toEqual({
      yes: units(expected.yes),
      no: units(expected.no),
      abstain: units(expected.abstain),
      noWithVeto: units(expected.veto),
    })
    // Balance of the bonded pool: includes jailed pools.
    const bonded = Object.values(sketch.pools)
      .filter(({ status }) => status !== 'unbonded')
      .reduce((sum, { tokens }) => sum + tokens, 0)
    const rules = { params: DEFAULT_RULES, bondedTokens: units(bonded), expedited: false }
    const decision = decide(result, rules)
    expect(decision.reason).toBe(expected.reason)
    expect(decision.passes).toBe(expected.reason === 'threshold_met')
  })

  it('has all fifteen cases', () => {
    expect(CASES).toHaveLength(15)
  })
})
