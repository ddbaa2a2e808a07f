// Tests the evidence of one round: its size, its time limit, missing parts, and the pools that the chain walks.
import { describe, expect, it } from 'vitest'
import { endEvent } from '../../../../infra/app/chain/gov-events.ts'
import { systemClock } from '../../../../infra/base/runtime/clock.ts'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import { type Answer, known, unavailable } from '../../../../ingest/chain/answer.ts'
import type { StateAt } from '../../../../ingest/chain/state-at.ts'
import type { Delegation } from '../../../../ingest/contract/delegation.ts'
import type { PoolState, WeightedOption } from '../../../../ingest/contract/facts.ts'
import { type Closing, evidenceEvents } from '../../../../ingest/enrich/evidence.ts'
import { poolsAtTally } from '../../../../ingest/enrich/pools-at-tally.ts'
import type { Ended } from '../../../../ingest/enrich/tally-inputs.ts'
import { createIngestMetrics } from '../../../../ingest/ingest-metrics.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { createPools, vote } from '../../../support/fold/tally-cases.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

type Overrides = Partial<{ [Key in keyof StateAt]: StateAt[Key] }>

const POOLS: PoolState[] = createPools({ pools: { one: { tokens: 9 }, two: { tokens: 5 } } }).map(
  ({ pool }) => pool,
)
const DELEGATIONS: Delegation[] = [{ operatorAddress: 'operator-one', shares: '1' }]

const createState = (height: number, overrides: Overrides): StateAt => ({
  height,
  proposal: async () => unavailable('not used here'),
  tally: async () => unavailable('not used here'),
  votes: async () => unavailable('not used here'),
  rule: async () => known({ name: 'gov' }),
  delegations: async () => known(DELEGATIONS),
  stakeOf: async (_, delegations) => delegations,
  pools: async () => known(POOLS),
  params: async () => unavailable('not used here'),
  bondedTokens: async () => unavailable('not used here'),
  computesQuorum: async () => known(false),
  takesCountedBase: async () => known(false),
  maxPools: async () => known(100),
  ...overrides,
})

const PARAMS = {
  quorum: '0.334',
  threshold: '0.5',
  vetoThreshold: '0.334',
  expeditedThreshold: null,
  votingPeriodSeconds: null,
  expeditedVotingPeriodSeconds: null,
  maxDepositPeriodSeconds: null,
  minDeposit: [],
  expeditedMinDeposit: [],
  burnVoteQuorum: null,
  burnVoteVeto: null,
}

const setup = (voters: number, after: Overrides = {}, budgetMs = 60_000) => {
  const fact: Ended['fact'] = {
    kind: 'closed',
    proposalId: '1',
    outcome: 'passed',
    result: 'proposal_passed',
    log: null,
    isTallied: true,
    ordinal: 1,
    sub: 0,
    abciOrdinal: 1,
    txIndex: null,
  }
  const ballots = new Map<string, readonly WeightedOption[]>()
  for (let order = 0; order < voters; order++) ballots.set(`voter ${order}`, vote('yes'))
  const round = { proposalId: '1', since: 1, round: 1, isVoting: true, lacksBallots: false }
  const before = { ...round, ballots, known: undefined, seenAt: 1, disagreement: null }
  const ended = { fact, round: 1, startsVoting: false, before, releasedVoters: [] }
  const block = createBlock(9, { end: [endEvent('1', 'proposal_passed')] })
  const closing: Closing = {
    reportedAt: { block, ordinal: fact.ordinal, sub: fact.sub },
    state: {
      plan: { block, facts: [ended] },
      before: createState(8, {}),
      after: createState(9, after),
    },
    ended,
    close: { finalTally: null, bondedTokens: '14', params: PARAMS, unavailableReason: null },
    delegationsOf: () => undefined,
  }
  const run = () =>
    evidenceEvents(closing, {
      budgetMs,
      clock: systemClock,
      logger: silentLogger(),
      signal: new AbortController().signal,
      metrics: createIngestMetrics(createMetrics('ingest')),
    })
  return { closing, run }
}

const spread: Delegation[] = Array.from({ length: 5 }, (_, order) => ({
  operatorAddress: `cosmosvaloper1${'q'.repeat(37)}${order}`,
  shares: '123456789.000000000000000000',
}))

describe('evidence', () => {
  it('of many ballots is split into chunks of at most 256 KiB, with the rules in the first chunk', async () => {
    const { run } = setup(3_000, { delegations: async () => known(spread) })
    const events = await run()
    expect(events.length).toBeGreaterThan(4)
    for (const event of events) {
      expect(Buffer.byteLength(JSON.stringify(event.data.ballots))).toBeLessThanOrEqual(2 ** 18)
    }
    expect(events.map(({ index }) => index)).toEqual(events.map((_, chunk) => 4096 + 1 + chunk))
    expect(events.map(({ data }) => data.params === null)).toEqual(
      events.map((_, chunk) => chunk > 0),
    )
    const voters = events.flatMap(({ data }) => data.ballots.map(({ voter }) => voter))
    expect(voters).toEqual(Array.from({ length: 3_000 }, (_, order) => `voter ${order}`))
  })

  it('reports the time limit of reads, and keeps what was read', async () => {
    const never = new Promise<Answer<Delegation[]>>(() => undefined)
    const delegations = (voter: string) => (voter === 'voter 3' ? never : known(DELEGATIONS))
    const { run } = setup(5, { delegations: async (voter) => await delegations(voter) }, 30)
    const [event] = await run()
    expect(event?.data).toMatchObject({
      complete: false,
      incompleteReason: 'the time limit for reads was reached after 4 of 5 voters',
    })
    expect(event?.data.ballots.map(({ delegations: list }) => list.length)).toEqual([1, 1, 1, 0, 1])
  })

  it('names the first failed read, and the number of the others', async () => {
    const { run } = setup(3, { delegations: async () => unavailable('pruned') })
    const [event] = await run()
    expect(event?.data).toMatchObject({
      complete: false,
      incompleteReason: 'delegations of voter 0: pruned (and 2 more)',
    })
  })

  it('is incomplete without the pools or the rules', async () => {
    const { closing, run } = setup(1, { pools: async () => unavailable('pruned') })
    closing.close = { ...closing.close, params: null, unavailableReason: 'no parameters' }
    const [event] = await run()
    expect(event?.data).toMatchObject({
      complete: false,
      incompleteReason: 'pools: pruned; no parameters',
      pools: [],
    })
  })
})

describe('the pools of a tally', () => {
  const byRule = { isPoolBefore: () => false, maxPoolsAt: 'before' } as const
  const walkedWith = async (maxPools: Answer<number>) => {
    const { closing } = setup(0)
    closing.state.before = createState(8, { maxPools: async () => maxPools })
    const answer = await poolsAtTally(closing.state, byRule)
    return 'value' in answer
      ? answer.value.filter(({ counted }) => counted).map(({ pool }) => pool.moniker)
      : answer.unavailable
  }

  it('are the ones with most tokens if more are bonded than the limit allows', async () => {
    expect(await walkedWith(known(1))).toEqual(['one'])
    expect(await walkedWith(known(2))).toEqual(['one', 'two'])
  })

  it('are all bonded ones if the limit is not known', async () => {
    expect(await walkedWith(unavailable('pruned'))).toEqual(['one', 'two'])
  })

  it('are not known without the height before', async () => {
    const { closing } = setup(0)
    closing.state.before = createState(8, { pools: async () => unavailable('pruned') })
    expect(await poolsAtTally(closing.state, byRule)).toEqual({ unavailable: 'pruned' })
  })
})
