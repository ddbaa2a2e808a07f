// Generates a long governance history: valid events, height by height, the same in every run.
// It is for measurements that need more data than a recording; it does not model a real chain.
import type { LogEntry } from '../../../infra/base/log/event-log.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../../ingest/contract/round-events.ts'
import {
  closed,
  createHeightEvents,
  type EventBuilder,
  firstReading,
  reading,
  snapshot,
  stakeOf,
  submitted,
  toLogEntry,
  vote,
  votingStarted,
  votingState,
} from '../log/governance-events.ts'
import { createRandom, type Random } from '../log/governance-story.ts'
import { all, params, pool, toBlockTime } from '../log/governance-values.ts'
import { account, operator } from '../simulator/addresses.ts'

export type SyntheticChainOptions = {
  proposals: number
  /** Heights between the starts of two votes, and the duration of each vote. */
  strideHeights: number
  votingHeights: number
  voters: number
}

const FIRST_HEIGHT = 1_000
/** Their operators are the first voters of every proposal. */
const POOLS = 150
const VOTES_PER_HEIGHT = 2
/** Number of heights after which the tokens of a few pools change, and each open vote is read. */
const POOLS_READ_EVERY = 100
const CHANGED_POOLS = 5
const OPTIONS = ['yes', 'yes', 'yes', 'no', 'abstain', 'no_with_veto'] as const

type World = { random: Random; pools: PoolState[]; voters: readonly string[] }

const createWorld = (voters: number): World => {
  const random = createRandom(42)
  const pools = Array.from({ length: POOLS }, (_, number) => {
    const name = `pool ${number}`
    const tokens = String(1_000_000_000 + random(2 ** 30))
    return pool(name, {
      operatorAddress: operator(name),
      accountAddress: account(name),
      tokens,
    })
  })
  return {
    random,
    pools,
    voters: Array.from({ length: voters }, (_, at) => account(`voter ${at}`)),
  }
}

const proposalFrom = (id: string, height: number, status = 'voting_period') =>
  votingState(id, {
    title: `Proposal ${id}: raise the limit & keep the <calm> ⚖`,
    summary: 'What it changes, why now, and what happens if it does not pass. '.repeat(12),
    proposer: account(`proposer ${id}`),
    status,
    submitTime: toBlockTime(height),
    depositEndTime: toBlockTime(height + 1_000),
    votingStartTime: toBlockTime(height),
    votingEndTime: toBlockTime(height + 1_000),
  })

const createStake = ({ pools, random }: World, voter: string): ReadBallot => {
  const first = random(pools.length)
  const delegations = Array.from({ length: 1 + random(3) }, (_, step) => ({
    operatorAddress: pools[(first + step * 7) % pools.length]!.operatorAddress,
    shares: `${1_000_000 + random(2 ** 28)}.${String(random(2 ** 28)).padStart(18, '0')}`,
  }))
  return stakeOf(voter, ...delegations)
}

const chooseVoters = ({ pools, voters, random }: World, age: number): string[] =>
  Array.from({ length: VOTES_PER_HEIGHT }, (_, index) => {
    const first = pools[age * VOTES_PER_HEIGHT + index]
    return first?.accountAddress ?? voters[random(voters.length)]!
  })

/** `pools`: those that are read, if any. */
const readBasis = ({ pools: all }: World, pools: PoolState[]) => {
  const bondedTokens = all.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n).toString()
  return { pools, params: params(), bondedTokens }
}

const changePools = ({ pools, random }: World): PoolState[] =>
  Array.from({ length: CHANGED_POOLS }, () => {
    const number = random(pools.length)
    const { tokens, ...rest } = pools[number]!
    const more = String(BigInt(tokens) + BigInt(1 + random(1_000_000)))
    pools[number] = { ...rest, tokens: more }
    return pools[number]
  })

/** `basis`: the pools and parameters that are read at this height, if any. */
const listVoteEvents = (
  world: World,
  { id, age, started, ends }: { id: string; age: number; started: number; ends: number },
  basis: Partial<ReturnType<typeof readBasis>>,
): EventBuilder[] => {
  const proposal = proposalFrom(id, started)
  if (age === 0) {
    const { bondedTokens } = readBasis(world, [])
    return [
      submitted(id, { proposal }),
      votingStarted(id, { proposal }),
      firstReading(id, world.pools, { allBallots: false, bondedTokens }),
    ]
  }
  if (age === ends) {
    const outcome = { outcome: 'rejected', finalTally: null } as const
    return [closed(id, { ...outcome, proposal: proposalFrom(id, started, 'rejected') })]
  }
  const voters = chooseVoters(world, age - 1)
  const ballots = voters.map((voter) => createStake(world, voter))
  return [
    ...voters.map((voter) => {
      const options = all(OPTIONS[world.random(OPTIONS.length)]!)
      return vote(id, voter, { options })
    }),
    reading(id, { ...basis, ballots }),
  ]
}

/** All heights from the first to the one that closes the last proposal. */
export function* syntheticHeights(options: SyntheticChainOptions): Generator<LogEntry[]> {
  const { proposals, strideHeights, votingHeights: ends } = options
  const world = createWorld(options.voters)
  const startOf = (number: number) => FIRST_HEIGHT + (number - 1) * strideHeights
  let oldest = 1
  for (let height = FIRST_HEIGHT; height <= startOf(proposals) + ends; height++) {
    if (height > startOf(oldest) + ends) oldest++
    const isRead = (height - FIRST_HEIGHT) % POOLS_READ_EVERY === 1
    const basis = isRead ? readBasis(world, changePools(world)) : {}
    const events = height === FIRST_HEIGHT ? [snapshot({ pools: world.pools })] : []
    for (let number = oldest; number <= proposals && startOf(number) <= height; number++) {
      const started = startOf(number)
      const at = { id: `${number}`, age: height - started, started, ends }
      events.push(...listVoteEvents(world, at, basis))
    }
    yield createHeightEvents(height, events, startOf(oldest)).map(toLogEntry)
  }
}
