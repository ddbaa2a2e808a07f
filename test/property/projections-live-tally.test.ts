// Property tests of live numbers, compared with a recount that shares no code with the fold.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Delegation } from '../../ingest/contract/delegation.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { PoolState, WeightedOption } from '../../ingest/contract/facts.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
import { generateStory } from '../support/log/governance-story.ts'

type Ballot = { options: readonly WeightedOption[]; delegations: Delegation[] | null }
type Known = { ballots: Map<string, Ballot>; pools: Map<string, PoolState>; isOver: boolean }

/** A decimal as a fraction over 10^18, parsed separately. */
const atto = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(18, '0')}`)
}

/** The state of proposal 2 after the story, straight from the events: no fold, no increments. */
const retell = (heights: readonly GovernanceEvent[][]): Known => {
  const known: Known = { ballots: new Map(), pools: new Map(), isOver: false }
  for (const height of heights) {
    for (const { type, data } of height) {
      switch (type) {
        case 'rollcall.chain.snapshot.v1':
          for (const pool of data.pools) known.pools.set(pool.operatorAddress, pool)
          for (const { voter, ...ballot } of data.votes) known.ballots.set(voter, ballot)
          break
        case 'rollcall.pools.observed.v1':
          for (const pool of data.pools) known.pools.set(pool.operatorAddress, pool)
          break
        case 'rollcall.vote.cast.v1':
          if (data.proposalId === '2' && data.voter) known.ballots.set(data.voter, data)
          break
        case 'rollcall.stake.changed.v1': {
          const ballot = known.ballots.get(data.voter)
          if (ballot) known.ballots.set(data.voter, { ...ballot, delegations: data.delegations })
          break
        }
        case 'rollcall.proposal.closed.v1':
        case 'rollcall.proposal.canceled.v1':
        case 'rollcall.voting.restarted.v1':
          if (data.proposalId === '2') known.isOver = true
          break
        case 'rollcall.abci-event.undecodable.v1':
          if (data.proposalId === '2' || data.proposalId === null) known.isOver = true
          break
        default:
      }
    }
  }
  return known
}

/** The nearest integer to a fraction. A tie goes to the even one. */
const roundHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const below = numerator / denominator
  const twice = 2n * (numerator - below * denominator)
  if (twice === denominator) return below + (below % 2n)
  return twice > denominator ? below + 1n : below
}

/** The tally of yes in the keeper of x/gov, in units of 1e-18. Every delegation is rounded twice. */
const yesPower = ({ ballots, pools }: Known): bigint => {
  let sum = 0n
  const getYesWeight = (ballot: Ballot | undefined): bigint =>
    atto(ballot?.options.find(({ option }) => option === 'yes')?.weight ?? '0')
  for (const pool of pools.values()) {
    if (pool.status !== 'bonded' || pool.jailed) continue
    const all = atto(pool.delegatorShares)
    const computePower = (shares: bigint, weight: bigint): bigint => {
      const quotient = (shares * BigInt(pool.tokens) * 10n ** 36n) / all
      return roundHalfEven(roundHalfEven(quotient, 10n ** 18n) * weight, 10n ** 18n)
    }
    let left = all
    for (const ballot of ballots.values()) {
      for (const { operatorAddress, shares } of ballot.delegations ?? []) {
        if (operatorAddress !== pool.operatorAddress) continue
        left -= atto(shares)
        sum += computePower(atto(shares), getYesWeight(ballot))
      }
    }
    sum += computePower(left, getYesWeight(ballots.get(pool.accountAddress)))
  }
  return sum
}

describe('live numbers', () => {
  it('equal a recount over all ballots and delegations, to the last 1e-18', () => {
    let compared = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 2, max: 14 }),
        (seed, count) => {
          const heights = generateStory({ seed, heights: count })
          const known = retell(heights)
          if (known.isOver) return
          const tally = foldHeights(heights)
            .final('tallies')
            .find((row) => row.proposal_id === '2')
          const isUnknown = [...known.ballots.values()].some(({ delegations }) => !delegations)
          if (isUnknown) {
            expect(tally?.live_yes_atto).toBeNull()
            return
          }
          compared += 1
          expect(tally?.ballots).toBe(known.ballots.size)
          expect(tally?.live_yes_atto).toBe(yesPower(known).toString())
        },
      ),
      { numRuns: 150 },
    )
    expect(compared).toBeGreaterThan(30)
  })

  it('are the sums of the pool rows, in every option', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
        const tables = foldHeights(generateStory({ seed, heights: 30 }))
        for (const tally of tables.final('tallies')) {
          const rows = tables
            .final('pool_votes')
            .filter((row) => row.proposal_id === tally.proposal_id && row.round === tally.round)
          expect(rows).toHaveLength(tally.pool_rows)
          expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, at) => at))
          if (tally.live_no_atto === null) continue
          const sum = rows.reduce((total, row) => total + BigInt(row.no_atto ?? 0), 0n)
          expect(tally.live_no_atto).toBe(sum.toString())
          if (!tally.final) expect(tally.no).toBe((sum / 10n ** 18n).toString())
        }
      }),
      { numRuns: 30 },
    )
  })
})
