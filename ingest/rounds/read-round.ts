// The only code that reads ballots and stake of a vote. A close, live or in the past, a first sight and a live reading differ in the
// state that they read and in what they want of it.
import { setImmediate } from 'node:timers/promises'
import { Value } from 'typebox/value'
import { type Answer, isKnown, valueOrNull } from '../chain/answer.ts'
import type { StateVote } from '../chain/gov.ts'
import type { StateAt } from '../chain/state-at.ts'
import { addressKey } from '../contract/address.ts'
import { parseDecimal } from '../contract/decimal.ts'
import { type Delegation, isCounted } from '../contract/delegation.ts'
import type { GovParams, PoolState, WeightedOption } from '../contract/facts.ts'
import type { ReadBallot } from '../contract/round-events.ts'
import { TALLY_RULES, type TallyRule } from '../contract/tally-rule.ts'
import { RunningTally, type Tally } from '../tally/tally.ts'
import { type ReadBudget, readEach } from './read-budget.ts'
import type { Ballots, KnownBallot, RoundBasis, RoundState } from './round-state.ts'

/** The state of one height, or as of a tally inside an end block. */
export type ReadableState = Pick<
  StateAt,
  'height' | 'votes' | 'delegations' | 'pools' | 'params' | 'bondedTokens' | 'rule'
>

/** `stake`: keys of voters, or all that have a ballot. `basis`: also pools, parameters and the bonded total. */
export type Want = {
  ballots: 'none' | 'all'
  basis: boolean
  stake: ReadonlySet<string> | 'all'
  /** Of these voters the stake is known. */
  except?: ReadonlySet<string>
}

export type RoundReading = {
  height: number
  rule: TallyRule
  /** Undefined if not wanted. */
  basis:
    | {
        params: GovParams | null
        bondedTokens: string | null
        /** Voters whose stake may have moved and is read at the next heights; undefined if there are none. */
        queued?: number
      }
    | undefined
  /** Of a first reading all, else those that changed. */
  pools: readonly PoolState[]
  allPools: boolean
  ballots: readonly ReadBallot[]
  allBallots: boolean
  /** Why something that was wanted is missing; empty if nothing is. */
  missing: readonly string[]
}

/** What is known of the round before. */
export type KnownRound = {
  proposalId: string
  ballots: Ballots
  /** Undefined if all pools are wanted. */
  basis: RoundBasis | undefined
}

type Voter = { key: string; voter: string }

type Ballot = Voter & { options: ReadBallot['options'] | undefined; metadata?: string }

/** The ballots of the state, those that are known before first, in their order. */
function inKnownOrder(found: readonly StateVote[], known: Ballots): Ballot[] {
  const left = new Map(found.map((vote) => [addressKey(vote.voter), vote]))
  const ordered: Ballot[] = []
  for (const key of known.keys()) {
    const ballot = left.get(key)
    if (ballot) ordered.push({ key, ...ballot })
    left.delete(key)
  }
  for (const [key, ballot] of left) ordered.push({ key, ...ballot })
  return ordered
}

/** The voters whose stake alone is wanted. */
function pickKnown(known: Ballots, stake: Want['stake']): Ballot[] {
  const keys = stake === 'all' ? known.keys() : stake
  return [...keys].flatMap((key) => {
    const ballot = known.get(key)
    return ballot ? [{ key, voter: ballot.voter, options: undefined }] : []
  })
}

type Stake = Pick<ReadBallot, 'delegations' | 'delegationsReason'>

/** Sorted, so that the first one represents all whatever the order of the reads. */
function describeFailures(failures: readonly string[]): string[] {
  const [first] = failures.toSorted()
  const others = failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''
  return first === undefined ? [] : [`${first}${others}`]
}

async function readStake(
  state: ReadableState,
  voters: readonly Voter[],
  budget: ReadBudget,
): Promise<{ found: Map<string, Stake>; missing: string[] }> {
  const found = new Map<string, Stake>()
  const failures: string[] = []
  const read = async ({ key, voter }: Voter) => {
    const answer = await state.delegations(voter)
    if (isKnown(answer)) found.set(key, { delegations: answer.value })
    else {
      failures.push(`delegations of ${voter}: ${answer.unavailable}`)
      found.set(key, { delegations: null, delegationsReason: answer.unavailable })
    }
  }
  const isDone =
    voters.length === 0 || (await budget.spend((signal) => readEach(voters, { read }, signal)))
  const late = isDone
    ? []
    : [`the time limit for reads was reached after ${found.size} of ${voters.length} voters`]
  return { found, missing: [...describeFailures(failures), ...late] }
}

/** Whether some of it is outside of x/staking: that changes without an event that names its owner. */
export function isHeldByModules(delegations: KnownBallot['delegations']): boolean {
  return (
    delegations?.some(({ source, heir }) => source !== undefined || heir !== undefined) ?? false
  )
}

/** Other changes round to less. */
const SLASHED = { parts: 1_000_000n, left: 999_999n }

/** Only a slashing makes a share worth less. One that takes all of its fine from redelegated stake shows in the jailing alone. */
function isSlashed(pool: PoolState, before: PoolState | undefined): boolean {
  if (!before) return false
  if (pool.jailed && !before.jailed) return true
  const worth = BigInt(pool.tokens) * parseDecimal(before.delegatorShares)
  const worthBefore = BigInt(before.tokens) * parseDecimal(pool.delegatorShares)
  return worth * SLASHED.parts < worthBefore * SLASHED.left
}

/**
 * The pools with other shares than before, of which no event names a delegation. After a slashing also those that an event names: it
 * unbonds shares that were redelegated from the slashed pool.
 */
export function listSilentPools(
  pools: readonly PoolState[],
  {
    basis: { pools: before },
    namedPools,
    isSlashed: isReported,
  }: { basis: RoundBasis } & Pick<RoundState, 'namedPools' | 'isSlashed'>,
): ReadonlySet<string> {
  const changed = pools.filter(
    ({ operatorAddress, delegatorShares }) =>
      before.get(operatorAddress)?.delegatorShares !== delegatorShares,
  )
  const isAnySlashed =
    isReported || pools.some((pool) => isSlashed(pool, before.get(pool.operatorAddress)))
  const operators = changed.map(({ operatorAddress }) => operatorAddress)
  return new Set(operators.filter((operator) => isAnySlashed || !namedPools.has(operator)))
}

/** Keys of the voters with known stake in one of these pools, in the order of their ballots. */
export function listVotersOf(ballots: Ballots, pools: ReadonlySet<string>): string[] {
  if (pools.size === 0) return []
  return [...ballots].flatMap(([key, { delegations }]) =>
    delegations?.some(({ operatorAddress }) => pools.has(operatorAddress)) ? [key] : [],
  )
}

export type ReadOptions = { budget: ReadBudget }

/** Reads what is wanted. Missing parts are named; nothing is thrown for them. */
export async function readRound(
  state: ReadableState,
  known: KnownRound,
  want: Want,
  { budget }: ReadOptions,
): Promise<RoundReading> {
  const { proposalId, basis: before } = known
  const missing: string[] = []
  const take = <Found>(what: string, answer: Answer<Found>): Found | null => {
    if (!isKnown(answer)) missing.push(`${what}: ${answer.unavailable}`)
    return valueOrNull(answer)
  }
  const [rule, votes, basis] = await Promise.all([
    state.rule(),
    want.ballots === 'all' ? state.votes(proposalId) : undefined,
    want.basis ? Promise.all([state.pools(), state.params(), state.bondedTokens()]) : undefined,
  ])
  const cast = votes && take('ballots', votes)
  const ballots = cast ? inKnownOrder(cast, known.ballots) : pickKnown(known.ballots, want.stake)
  const isWanted = ({ key }: Voter) =>
    (want.stake === 'all' || want.stake.has(key)) && want.except?.has(key) !== true
  const stake = await readStake(state, ballots.filter(isWanted), budget)
  missing.push(...stake.missing)
  const pools = basis ? take('pools', basis[0]) : null
  const isNew = (pool: PoolState) => !Value.Equal(pool, before?.pools.get(pool.operatorAddress))
  // Or they could not be read before.
  const isFirst = before === undefined || before.pools.size === 0
  const lacksPool = pools !== null && before !== undefined && pools.length < before.pools.size
  const allPools = pools !== null && (isFirst || lacksPool)
  return {
    height: state.height,
    rule: take('the tally rule', rule)?.name ?? before?.rule ?? 'gov',
    basis: basis && {
      params: take('parameters', basis[1]),
      bondedTokens: take('bonded tokens', basis[2]),
    },
    pools: allPools ? pools : (pools ?? []).filter(isNew),
    allPools,
    ballots: ballots.flatMap(({ key, voter, options, metadata }) => {
      const found = stake.found.get(key)
      if (!options && !found) return []
      const written = metadata ? { metadata } : {}
      return [{ voter, ...(options ? { options } : {}), ...written, ...found }]
    }),
    allBallots: cast !== null && cast !== undefined,
    missing,
  }
}

/** Why the tally is not known, as `problem`. */
export type OwnTally = { tally: Tally; problem?: never } | { tally?: never; problem: string }

/** Some milliseconds of work. */
const BALLOTS_PER_SLICE = 2_000
const OWN_RULES = 'this chain tallies votes by its own rules'

/** The tally of ballots with their stake; pauses for other work. */
export async function tallyRound(
  pools: Iterable<PoolState>,
  ballots: Iterable<{
    voter: string
    options?: readonly WeightedOption[]
    delegations?: readonly Delegation[] | null | undefined
  }>,
  rule: TallyRule,
): Promise<OwnTally> {
  const { strategy } = TALLY_RULES[rule]
  if (strategy === 'none') return { problem: OWN_RULES }
  const counted = [...pools].map((pool) => ({ pool, counted: isCounted(pool) }))
  const running = new RunningTally(counted, strategy)
  let added = 0
  for (const { voter, options, delegations } of ballots) {
    if (!options || !delegations) return { problem: 'the delegations of some voters are not known' }
    running.add({ voter, options, delegations })
    added += 1
    if (added % BALLOTS_PER_SLICE === 0) await setImmediate()
  }
  return { tally: running.finish() }
}
