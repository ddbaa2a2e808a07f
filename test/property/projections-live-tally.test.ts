// Property tests of live numbers: the incremental sums are a cache of the tally, and after a reading of all they are the state's.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKey } from '../../ingest/contract/address.ts'
import { isCounted } from '../../ingest/contract/delegation.ts'
import type { EventOf } from '../../ingest/contract/events.ts'
import type { PoolState, WeightedOption } from '../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../ingest/contract/round-events.ts'
import { ruleMembers, type TallyRule } from '../../ingest/contract/tally-rule.ts'
import { GOVERNOR, type TallyBallot, tally } from '../../ingest/tally/tally.ts'
import type { EventPosition } from '../../projections/fold/event-position.ts'
import { priceRound } from '../../projections/fold/pricing.ts'
import { gatherReadings } from '../../projections/fold/reading.ts'
import { VotingRound } from '../../projections/fold/voting-round.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
import { reading } from '../support/log/governance-events.ts'
import { createRandom, generateStory } from '../support/log/governance-story.ts'
import { all, pool } from '../support/log/governance-values.ts'

const seeds = fc.integer({ min: 0, max: 1_000_000 })

type RoundRead = EventOf<'rollcall.round.read.v1'>['data']
type Random = (below: number) => number

const NAMES = ['p0', 'p1', 'p2', 'p3']
const VOTERS = [...NAMES.map((name) => `${name}-account`), 'alice', 'bob', 'carol', 'dave']
const RULES = ['gov', 'superfluid', 'no_inheritance', 'governors'] as const satisfies TallyRule[]
const VOTES: readonly WeightedOption[][] = [
  all('yes'),
  all('no'),
  [
    { option: 'yes', weight: '0.333333333333333333' },
    { option: 'abstain', weight: '0.666666666666666667' },
  ],
  [...all('yes'), ...all('no')],
  [{ option: 'no_with_veto', weight: '0.300000000000000000' }],
]

/** A chain whose state changes at random, and what events and readings say of it. */
const createChain = (random: Random) => {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const changePool = (name: string): PoolState =>
    pool(name, {
      tokens: String(900_000 + random(200_000)),
      delegatorShares: `${1_000_000 + random(3)}.${String(random(1_000_000)).padStart(18, '7')}`,
      status: random(8) === 0 ? 'unbonding' : 'bonded',
      jailed: random(9) === 0,
      ...(random(9) === 0 ? { counted: false as const } : {}),
    })
  const createStake = (rule: TallyRule): NonNullable<ReadBallot['delegations']> =>
    NAMES.filter(() => random(2) === 0).flatMap((name) => {
      const operatorAddress = `${name}-operator`
      const staked = { operatorAddress, shares: `${1 + random(5000)}.${random(1000)}` }
      const more = { operatorAddress, shares: `${1 + random(900)}` }
      if (rule === 'superfluid' && random(2) === 0) {
        const tokens = random(2) === 0 ? { tokens: `${random(900)}` } : {}
        return [staked, { ...more, source: 'superfluid', ...tokens }]
      }
      if (rule !== 'governors') return [staked]
      const heir = random(2) === 0 ? { heir: pick(VOTERS) } : {}
      const governed = { operatorAddress, shares: `${90_000 + random(900)}`, source: GOVERNOR }
      return random(3) === 0 ? [{ ...staked, ...heir }, governed] : [{ ...staked, ...heir }]
    })
  return { pick, changePool, createStake }
}

/** Runs votes and readings; returns the round, and the tally's inputs that they amount to. */
const runRound = (seed: number) => {
  const random = createRandom(seed)
  const rule: TallyRule = RULES[random(RULES.length)] ?? 'gov'
  const { pick, changePool, createStake } = createChain(random)
  const start: EventPosition = { value: 0n, height: 1, time: '2026-01-01T00:00:00Z' }
  const of = { proposalId: '7', round: 1, isExpedited: false, kinds: [] }
  const round = new VotingRound(of, start)
  const pools = new Map<string, PoolState>()
  const ballots = new Map<string, Omit<ReadBallot, 'voter'> & { options: WeightedOption[] }>()
  const read = (height: number, changes: Partial<RoundRead>) => {
    const event = reading('7', { ...ruleMembers(rule), ...changes })(height, 1)
    const [gathered] = gatherReadings([event])
    if (!gathered) throw new Error('no reading')
    round.read(gathered, gathered.at)
  }
  const steps = 3 + random(25)
  for (let height = 2; height < 2 + steps; height++) {
    const at = { ...start, height, value: BigInt(height) }
    const voter = pick(VOTERS)
    switch (random(4)) {
      case 0: {
        const options = pick(VOTES)
        const cast = { height, time: null, txHash: null, memo: null }
        const vote = { voter, options, metadata: null, counted: true, ...cast }
        round.cast({ key: addressKey(voter), vote }, at)
        ballots.set(voter, { ...ballots.get(voter), options })
        break
      }
      case 1: {
        const delegations = createStake(rule)
        read(height, { ballots: [{ voter, delegations }] })
        const ballot = ballots.get(voter)
        if (ballot) ballot.delegations = delegations
        break
      }
      case 2: {
        const changed = NAMES.filter(() => random(2) === 0).map(changePool)
        for (const each of changed) pools.set(each.operatorAddress, each)
        read(height, { pools: changed })
        break
      }
      default: {
        const listed = NAMES.filter(() => random(9) > 0).map(changePool)
        pools.clear()
        for (const each of listed) pools.set(each.operatorAddress, each)
        ballots.clear()
        for (const name of VOTERS.filter(() => random(3) > 0)) {
          ballots.set(name, { options: pick(VOTES), delegations: createStake(rule) })
        }
        const found = [...ballots].map(([name, ballot]) => ({ voter: name, ...ballot }))
        read(height, { allPools: true, allBallots: true, pools: listed, ballots: found })
      }
    }
  }
  return { round, rule, pools: [...pools.values()], ballots }
}

const STRATEGIES = {
  gov: 'inherit',
  superfluid: 'inherit',
  no_inheritance: 'no_inheritance',
  governors: 'governors',
} as const

describe('the incremental sums of an open vote', () => {
  it('equal the tally of its ballots with the stake and the pools of the readings', () => {
    let compared = 0
    fc.assert(
      fc.property(seeds, (seed) => {
        const { round, rule, pools, ballots } = runRound(seed)
        const pricing = priceRound(round)
        expect(round.ballots.size).toBe(ballots.size)
        const isRead = [...ballots.values()].every(({ delegations }) => delegations)
        if (!isRead || !round.registry.hasAllPools) {
          if (ballots.size > 0) expect(pricing.sum).toBeUndefined()
          return
        }
        const inputs = [...ballots].map(([voter, { options, delegations }]): TallyBallot => {
          return { voter, options, delegations: delegations ?? [] }
        })
        const counted = pools.map((each) => ({ pool: each, counted: isCounted(each) }))
        const strategy = STRATEGIES[rule as keyof typeof STRATEGIES]
        const { sums, votingPower, pools: parts } = tally(counted, inputs, strategy)
        compared += 1
        expect(pricing.sum).toEqual({ sums, votingPower })
        for (const entry of round.entries.values()) {
          const part = parts.get(entry.operatorAddress)
          expect(pricing.parts.get(entry.operatorAddress)?.sums ?? part?.sums).toEqual(
            part?.sums ?? { yes: 0n, no: 0n, abstain: 0n, noWithVeto: 0n },
          )
          expect(entry.ownVote?.vote.options ?? null).toEqual(
            part ? part.vote : (entry.ownVote?.vote.options ?? null),
          )
        }
      }),
      { numRuns: 300 },
    )
    expect(compared).toBeGreaterThan(100)
  })
})

describe('live numbers', () => {
  it('are the sums of the pool rows, in every option', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const tables = foldHeights(generateStory({ seed, heights: 30 }))
        for (const row of tables.final('tallies')) {
          const pools = tables
            .final('pool_votes')
            .filter((each) => each.proposal_id === row.proposal_id && each.round === row.round)
          expect(pools).toHaveLength(row.pool_rows)
          expect(pools.map(({ rank }) => rank)).toEqual(pools.map((_, at) => at))
          if (row.live_no_atto === null) continue
          const sum = pools.reduce((total, each) => total + BigInt(each.no_atto ?? 0), 0n)
          expect(row.live_no_atto).toBe(sum.toString())
          if (!row.final) expect(row.no).toBe((sum / 10n ** 18n).toString())
        }
      }),
      { numRuns: 20 },
    )
  })
})
