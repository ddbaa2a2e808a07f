// Generates a long governance history: valid events, height by height, the same in every run.
// It is for measurements that need more data than a recording; it does not model a real chain.
import { toBech32 } from '@cosmjs/encoding'
import type { EventLog, LogEntry } from '../../../infra/base/log/event-log.ts'
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

export type SyntheticChainOptions = {
  proposals: number
  /** Heights between the starts of two votes, and the duration of each vote. */
  strideHeights: number
  votingHeights: number
  votesPerHeight: number
  pools: number
  /** The operators of all pools are the first voters of every proposal. */
  operatorsVote: boolean
  voters: number
  /** Number of heights after which the tokens of a few pools change, and each open vote is read. */
  poolsReadEvery: number
}

const FIRST_HEIGHT = 1_000
const CHANGED_POOLS = 5
const OPTIONS = ['yes', 'yes', 'yes', 'no', 'abstain', 'no_with_veto'] as const

type World = {
  options: SyntheticChainOptions
  random: Random
  pools: PoolState[]
  voters: readonly string[]
}

const addressBytes = (kind: number, number: number): Uint8Array => {
  const bytes = new Uint8Array(20)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, Math.imul(number + 1, 0x9e3779b1))
  view.setUint32(8, kind)
  view.setUint32(16, number)
  return bytes
}

const createWorld = (options: SyntheticChainOptions): World => {
  const random = createRandom(42)
  const pools = Array.from({ length: options.pools }, (_, number) => {
    const bytes = addressBytes(1, number)
    return pool(`${number}`, {
      operatorAddress: toBech32('cosmosvaloper', bytes),
      accountAddress: toBech32('cosmos', bytes),
      tokens: String(1_000_000_000 + random(2 ** 30)),
    })
  })
  const voters = Array.from({ length: options.voters }, (_, number) =>
    toBech32('cosmos', addressBytes(2, number)),
  )
  return { options, random, pools, voters }
}

const proposalFrom = (id: string, height: number, status = 'voting_period') =>
  votingState(id, {
    title: `Proposal ${id}: raise the limit & keep the <calm> ⚖`,
    summary: 'What it changes, why now, and what happens if it does not pass. '.repeat(12),
    proposer: toBech32('cosmos', addressBytes(3, Number(id))),
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

const chooseVoters = ({ options, pools, voters, random }: World, age: number): string[] =>
  Array.from({ length: options.votesPerHeight }, (_, index) => {
    const turn = age * options.votesPerHeight + index
    const operator = options.operatorsVote ? pools[turn]?.accountAddress : undefined
    return operator ?? voters[random(voters.length)]!
  })

const bondedTokens = ({ pools }: World): string =>
  pools.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n).toString()

const changePools = ({ pools, random }: World): PoolState[] =>
  Array.from({ length: CHANGED_POOLS }, () => {
    const number = random(pools.length)
    const { tokens, ...rest } = pools[number]!
    const more = String(BigInt(tokens) + BigInt(1 + random(1_000_000)))
    pools[number] = { ...rest, tokens: more }
    return pools[number]
  })

/** `changed`: the pools that are read at this height, if any. */
const listVoteEvents = (
  world: World,
  { number, started, height }: { number: number; started: number; height: number },
  changed: PoolState[] | undefined,
): EventBuilder[] => {
  const id = `${number}`
  const proposal = proposalFrom(id, started)
  if (height === started) {
    const basis = { bondedTokens: bondedTokens(world) }
    return [
      submitted(id, { proposal }),
      votingStarted(id, { proposal }),
      firstReading(id, world.pools, { allBallots: false, ...basis }),
    ]
  }
  if (height === started + world.options.votingHeights) {
    const outcome = { outcome: 'rejected', finalTally: null } as const
    return [closed(id, { ...outcome, proposal: proposalFrom(id, started, 'rejected') })]
  }
  const voters = chooseVoters(world, height - started - 1)
  const options = () => all(OPTIONS[world.random(OPTIONS.length)]!)
  const basis = changed
    ? { pools: changed, params: params(), bondedTokens: bondedTokens(world) }
    : {}
  const ballots = voters.map((voter) => createStake(world, voter))
  return [
    ...voters.map((voter) => vote(id, voter, { options: options() })),
    reading(id, { ...basis, ballots }),
  ]
}

/** All heights from the first to the one that closes the last proposal. */
export function* syntheticHeights(options: SyntheticChainOptions): Generator<LogEntry[]> {
  const world = createWorld(options)
  const startOf = (number: number) => FIRST_HEIGHT + (number - 1) * options.strideHeights
  const tip = startOf(options.proposals) + options.votingHeights
  let oldest = 1
  for (let height = FIRST_HEIGHT; height <= tip; height++) {
    if (height > startOf(oldest) + options.votingHeights) oldest++
    const isRead = (height - FIRST_HEIGHT) % options.poolsReadEvery === 1
    const changed = isRead ? changePools(world) : undefined
    const events = height === FIRST_HEIGHT ? [snapshot({ pools: world.pools })] : []
    for (let number = oldest; number <= options.proposals && startOf(number) <= height; number++) {
      events.push(...listVoteEvents(world, { number, started: startOf(number), height }, changed))
    }
    yield createHeightEvents(height, events, startOf(oldest)).map(toLogEntry)
  }
}

/** Appends many heights at a time, as a backfill does. Returns how many events there are. */
export const appendHeights = async (
  log: EventLog,
  heights: Iterable<LogEntry[]>,
): Promise<number> => {
  const ENTRIES_PER_APPEND = 2_000
  let count = 0
  let entries: LogEntry[] = []
  for (const height of heights) {
    entries.push(...height)
    count += height.length
    if (entries.length < ENTRIES_PER_APPEND) continue
    await log.append(entries)
    entries = []
  }
  await log.append(entries)
  return count
}
