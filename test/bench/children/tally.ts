// Runs a long tally in its own process: computes it from its evidence in slices, as the projections do.
// The baseline is a bare loop over big integers with the same multiplications and divisions.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ATTO, parseDecimal } from '../../../ingest/contract/decimal.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { gatherReadings } from '../../../projections/fold/reading.ts'
import { VotingRound } from '../../../projections/fold/voting-round.ts'
import {
  createHeight,
  createPool,
  createRandom,
  PARAMS,
  type Random,
} from '../../support/chain/synthetic-parts.ts'
import { takeOrders } from './orders.ts'

type Parameters = { ballots: number; delegations: number; pools: number }

const HEIGHT = 1_000
const BALLOTS_PER_CHUNK = 1_000
const OPTIONS = ['yes', 'abstain', 'no', 'no_with_veto'] as const
const WEIGHT = '1.000000000000000000'

/** Input of the bare loop: flat and already parsed. */
type Bare = {
  tokens: bigint[]
  totalShares: bigint[]
  /** One entry per delegation. */
  pools: Uint32Array
  shares: bigint[]
  /** One entry per ballot. */
  options: Uint8Array
  delegations: number
}

let events: GovernanceEvent[] = []
let bare: Bare | undefined
let expectedBallots = 0

const createShares = (random: Random): string =>
  `${1 + random(10_000)}.${String(random(2 ** 28)).padStart(18, '0')}`

const prepare = ({ ballots, delegations, pools: poolCount }: Parameters) => {
  const random = createRandom(7)
  // One token more than shares: division by a price of exactly 1 would be cheaper than in production.
  const pools = Array.from({ length: poolCount }, (_, number) => createPool(number, random)).map(
    (pool) => ({ ...pool, tokens: (BigInt(pool.tokens) * 1_000n + 1n).toString() }),
  )
  const totalShares = pools.map(({ delegatorShares }) => parseDecimal(delegatorShares))
  const flat: Bare = {
    tokens: pools.map(({ tokens }) => BigInt(tokens)),
    totalShares,
    pools: new Uint32Array(ballots * delegations),
    shares: [],
    options: new Uint8Array(ballots),
    delegations,
  }
  const createBallot = (number: number) => {
    const option = random(OPTIONS.length)
    const first = random(poolCount)
    flat.options[number] = option
    return {
      voter: `cosmos1voter${number}`,
      options: [{ option: OPTIONS[option] as string, weight: WEIGHT }],
      delegations: Array.from({ length: delegations }, (_, order) => {
        const pool = (first + order * 7) % poolCount
        const shares = createShares(random)
        flat.pools[number * delegations + order] = pool
        flat.shares.push(parseDecimal(shares))
        return { operatorAddress: pools[pool]!.operatorAddress, shares }
      }),
    }
  }
  const block = createHeight(HEIGHT)
  const chunks = Math.ceil(ballots / BALLOTS_PER_CHUNK)
  for (let chunk = 0; chunk < chunks; chunk++) {
    const from = chunk * BALLOTS_PER_CHUNK
    const length = Math.min(BALLOTS_PER_CHUNK, ballots - from)
    const data = {
      chunk,
      chunks,
      proposalId: '1',
      round: 1,
      stateHeight: HEIGHT,
      final: true,
      allBallots: true,
      allPools: true,
      complete: true,
      incompleteReason: null,
      ...(chunk === 0 ? { params: PARAMS, bondedTokens: null } : {}),
      pools: chunk === 0 ? pools : [],
      ballots: Array.from({ length }, (_, index) => createBallot(from + index)),
    }
    block.add('rollcall.round.read.v1', data, { ordinal: 1, sub: 1 + chunk })
  }
  events = block.events
  bare = flat
  expectedBallots = ballots
}

/** As at a close, it yields to the event loop between slices. */
const recompute = async () => {
  const startedMs = performance.now()
  let longestSliceMs = 0
  let resumedMs = startedMs
  const [reading] = gatherReadings(events)
  if (!reading) throw new Error('there is no reading')
  const of = { proposalId: '1', round: 1, isExpedited: false, kinds: [] }
  const round = new VotingRound(of, reading.at)
  for (const _ of round.close(reading, reading.at)) {
    longestSliceMs = Math.max(longestSliceMs, performance.now() - resumedMs)
    await nextTurn()
    resumedMs = performance.now()
  }
  const tookMs = performance.now() - startedMs
  if (!round.tally || round.ballots.size !== expectedBallots)
    throw new Error('the tally was not computed')
  const { yes, abstain, no, noWithVeto } = round.tally.counts
  return { tookMs, longestSliceMs, counts: [yes, abstain, no, noWithVeto] }
}

const halfEven = (numerator: bigint, divisor: bigint): bigint => {
  const quotient = numerator / divisor
  const twice = (numerator % divisor) * 2n
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient
}

const addUp = ({ tokens, totalShares, pools, shares, options, delegations }: Bare): bigint[] => {
  const weight = ATTO
  const sums = [0n, 0n, 0n, 0n]
  for (let at = 0; at < shares.length; at++) {
    const pool = pools[at]!
    const part = (shares[at]! * tokens[pool]! * ATTO * ATTO) / totalShares[pool]!
    sums[options[(at / delegations) | 0]!]! += halfEven(halfEven(part, ATTO) * weight, ATTO)
  }
  return sums
}

const addUpInBareCode = () => {
  if (!bare) throw new Error('nothing was prepared')
  const startedMs = performance.now()
  const sums = addUp(bare)
  const tookMs = performance.now() - startedMs
  return { tookMs, counts: sums.map((atto) => (atto / ATTO).toString()) }
}

takeOrders({ prepare, recompute, addUpBarely: addUpInBareCode })
