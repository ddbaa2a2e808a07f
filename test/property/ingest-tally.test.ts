// Property tests of the tally against an independent model with fractions, rounded digit by digit.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDecimal, parseDecimal } from '../../ingest/contract/decimal.ts'
import { type TallyBallot, type TallyPool, tally } from '../../ingest/tally/tally.ts'

const OPTIONS = ['yes', 'abstain', 'no', 'no_with_veto'] as const
const ATTO = 10n ** 18n

/** A fraction rounded half to even, without code shared with the tally. */
const nearest = (numerator: bigint, denominator: bigint): bigint => {
  const below = numerator / denominator - (numerator % denominator < 0n ? 1n : 0n)
  const twiceRest = 2n * (numerator - below * denominator)
  if (twiceRest < denominator) return below
  if (twiceRest > denominator) return below + 1n
  return below + (below % 2n === 0n ? 0n : 1n)
}

/** shares · tokens / all shares in atto, truncated at 36 places and then rounded at 18. */
const worth = (shares: bigint, pool: TallyPool): bigint => {
  const all = parseDecimal(pool.pool.delegatorShares)
  const exact = shares * BigInt(pool.pool.tokens) * ATTO * ATTO
  return nearest(exact / all, ATTO)
}

/** Follows the order of the chain: the delegations of every ballot, then every pool that voted. */
const model = (pools: readonly TallyPool[], ballots: readonly TallyBallot[]) => {
  const results = new Map<string, bigint>(OPTIONS.map((option) => [option, 0n]))
  let total = 0n
  const count = (power: bigint, options: TallyBallot['options']) => {
    total += power
    for (const { option, weight } of options) {
      const before = results.get(option) ?? 0n
      results.set(option, before + nearest(power * parseDecimal(weight), ATTO))
    }
  }
  const walked = pools.filter(({ counted }) => counted)
  const left = new Map(walked.map((each) => [each, parseDecimal(each.pool.delegatorShares)]))
  for (const { options, delegations } of ballots) {
    for (const { operatorAddress, shares } of delegations) {
      const match = walked.find(({ pool }) => pool.operatorAddress === operatorAddress)
      if (!match) continue
      left.set(match, left.get(match)! - parseDecimal(shares))
      count(worth(parseDecimal(shares), match), options)
    }
  }
  for (const each of walked) {
    const vote = ballots.find(({ voter }) => voter === each.pool.accountAddress)
    if (vote) count(worth(left.get(each)!, each), vote.options)
  }
  return { results, total }
}

const weighted = fc
  .tuple(
    fc.shuffledSubarray([...OPTIONS], { minLength: 1 }),
    fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
  )
  .map(([options, cuts]) => {
    const points = cuts
      .slice(0, options.length - 1)
      .map((cut) => BigInt(cut) * 465_661_287n + 1n)
      .sort((a, b) => (a < b ? -1 : 1))
    const edges = [0n, ...points, ATTO]
    return options.map((option, order) => ({
      option,
      weight: formatDecimal(edges[order + 1]! - edges[order]!),
    }))
  })

const NAMES = ['a', 'b', 'c', 'd', 'e']
const amount = fc.bigInt({ min: 1n, max: 10n ** 30n })

/** The shares of a pool are the sum of its delegators' shares and a rest. */
const history = fc
  .record({
    holders: fc.array(
      fc.record({
        shares: fc.dictionary(fc.constantFrom(...NAMES, 'gone'), amount, { maxKeys: 5 }),
        options: weighted,
        votes: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
    pools: fc.array(
      fc.record({
        rest: amount,
        tokens: fc.bigInt({ min: 0n, max: 10n ** 15n }),
        counted: fc.boolean(),
      }),
      { minLength: 5, maxLength: 5 },
    ),
  })
  .map(({ holders, pools }) => {
    const sumShares = (name: string) =>
      holders.reduce((sum, { shares }) => sum + (shares[name] ?? 0n), 0n)
    return {
      pools: NAMES.map((name, order): TallyPool => {
        const { rest, tokens, counted } = pools[order]!
        return {
          counted,
          pool: {
            operatorAddress: name,
            // The first delegators are the operators of the first pools.
            accountAddress: `holder ${order}`,
            moniker: name,
            tokens: tokens.toString(),
            delegatorShares: formatDecimal(sumShares(name) + rest),
            status: 'bonded',
            jailed: false,
          },
        }
      }),
      ballots: holders.flatMap(({ shares, options, votes }, order): TallyBallot[] =>
        votes
          ? [
              {
                voter: `holder ${order}`,
                options,
                delegations: Object.entries(shares).map(([operatorAddress, each]) => ({
                  operatorAddress,
                  shares: formatDecimal(each),
                })),
              },
            ]
          : [],
      ),
    }
  })

describe('the tally of any vote', () => {
  it('equals the model, to the last atto', () => {
    fc.assert(
      fc.property(history, ({ pools, ballots }) => {
        const { results, total } = model(pools, ballots)
        const { sums, votingPower, counts } = tally(pools, ballots)
        expect(sums).toEqual({
          yes: results.get('yes'),
          abstain: results.get('abstain'),
          no: results.get('no'),
          noWithVeto: results.get('no_with_veto'),
        })
        expect(votingPower).toBe(total)
        expect(counts.yes).toBe((results.get('yes')! / ATTO).toString())
      }),
      { numRuns: 300 },
    )
  })

  it('is the sum of the parts of its pools, before truncation', () => {
    fc.assert(
      fc.property(history, ({ pools, ballots }) => {
        const { pools: parts, sums, counts } = tally(pools, ballots)
        const total = { yes: 0n, abstain: 0n, no: 0n, noWithVeto: 0n }
        for (const part of parts.values()) {
          for (const key of ['yes', 'abstain', 'no', 'noWithVeto'] as const) {
            total[key] += part.sums[key]
          }
        }
        expect(total).toEqual(sums)
        expect(counts.no).toBe((total.no / ATTO).toString())
      }),
    )
  })
})
