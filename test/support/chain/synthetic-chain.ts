// Generates a long governance history: valid events, height by height, the same in every run.
// It is for measurements that need more data than a recording; it does not model a real chain.
import { toBech32 } from '@cosmjs/encoding'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { encodeEvent } from '../../../ingest/contract/codec.ts'
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import {
  addressBytes,
  createHeight,
  createPool,
  createProposalState,
  createRandom,
  FIRST_HEIGHT,
  type Height,
  PARAMS,
  type Random,
  toBlockTime,
} from './synthetic-parts.ts'

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

export type SyntheticHeight = { height: number; timeMs: number; events: GovernanceEvent[] }

const POOLS_PER_CHUNK = 500
const CHANGED_POOLS = 5
const OPTIONS = ['yes', 'yes', 'yes', 'no', 'abstain', 'no_with_veto'] as const

type World = {
  options: SyntheticChainOptions
  random: Random
  pools: PoolState[]
  voters: string[]
  tip: number
}

const bondedTokens = ({ pools }: World): string =>
  pools.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n).toString()

const addSnapshot = ({ add }: Height, world: World): void => {
  const chunks = Math.ceil(world.pools.length / POOLS_PER_CHUNK)
  for (let chunk = 0; chunk < chunks; chunk++) {
    const from = chunk * POOLS_PER_CHUNK
    const data = {
      chunk,
      chunks,
      stateHeight: FIRST_HEIGHT - 1,
      proposals: [],
      pools: world.pools.slice(from, from + POOLS_PER_CHUNK),
      params: chunk === 0 ? PARAMS : null,
      unavailable: [],
    }
    add('rollcall.chain.snapshot.v1', data, { ordinal: ORDINAL.before, sub: chunk })
  }
}

const computeStartHeight = (number: number, { strideHeights }: SyntheticChainOptions): number =>
  FIRST_HEIGHT + (number - 1) * strideHeights

const addBeginning = ({ add }: Height, number: number, height: number): void => {
  const position = { subject: `proposals/${number}` }
  const txHash = number.toString(16).toUpperCase().padStart(64, 'A')
  const about = { proposalId: String(number), proposalReason: null, txHash }
  const proposal = createProposalState(number, height, 'voting_period')
  const messages = [{ '@type': '/cosmos.gov.v1.MsgExecLegacyContent', value: 'AAAA' }]
  add('rollcall.proposal.submitted.v1', { ...about, proposal, messages, params: PARAMS }, position)
  add('rollcall.voting.started.v1', { ...about, proposal }, position)
}

const createDelegations = ({ pools, random }: World): Delegation[] => {
  const count = 1 + random(3)
  const first = random(pools.length)
  return Array.from({ length: count }, (_, step) => ({
    operatorAddress: pools[(first + step * 7) % pools.length]!.operatorAddress,
    shares: `${1_000_000 + random(2 ** 28)}.${String(random(2 ** 28)).padStart(18, '0')}`,
  }))
}

const chooseVoter = (world: World, turn: number): string => {
  const { options, pools, voters, random } = world
  if (options.operatorsVote && turn < pools.length) return pools[turn]!.accountAddress
  return voters[random(voters.length)]!
}

type ReadStake = { voter: string; delegations: Delegation[] }

/** Returns the stake of their voters. */
const addVotes = (
  { add }: Height,
  world: World,
  vote: { number: number; age: number },
): ReadStake[] => {
  const { votesPerHeight } = world.options
  const stakes: ReadStake[] = []
  for (let index = 0; index < votesPerHeight; index++) {
    const turn = vote.age * votesPerHeight + index
    const option = OPTIONS[world.random(OPTIONS.length)]!
    const voter = chooseVoter(world, turn)
    const data = {
      proposalId: String(vote.number),
      round: 1,
      voter,
      voterReason: null,
      options: [{ option, weight: '1.000000000000000000' }],
      txHash: (vote.number * 2 ** 24 + turn).toString(16).toUpperCase().padStart(64, 'B'),
      counted: true,
    }
    add('rollcall.vote.cast.v1', data, { subject: `proposals/${vote.number}` })
    stakes.push({ voter, delegations: createDelegations(world) })
  }
  return stakes
}

/** The pools of a reading: all of them, or those that changed. None if only stake is read. */
type ReadPools = { pools: readonly PoolState[]; allPools: boolean } | undefined

const addReading = (
  { add, events }: Height,
  world: World,
  {
    number,
    height,
    read,
    ballots,
  }: { number: number; height: number; read: ReadPools; ballots: readonly ReadStake[] },
): void => {
  if (!read && ballots.length === 0) return
  const { pools, allPools } = read ?? { pools: [], allPools: false }
  const basis = read ? { params: PARAMS, bondedTokens: bondedTokens(world) } : {}
  const chunks = Math.max(1, Math.ceil(pools.length / POOLS_PER_CHUNK))
  for (let chunk = 0; chunk < chunks; chunk++) {
    const from = chunk * POOLS_PER_CHUNK
    const isLast = chunk === chunks - 1
    const data = {
      chunk,
      chunks,
      proposalId: String(number),
      round: 1,
      stateHeight: height,
      final: false,
      allBallots: false,
      allPools,
      complete: true,
      incompleteReason: null,
      ...(chunk === 0 ? basis : {}),
      pools: pools.slice(from, from + POOLS_PER_CHUNK),
      ballots: isLast ? [...ballots] : [],
    }
    const position = { ordinal: ORDINAL.after, sub: events.length, subject: `proposals/${number}` }
    add('rollcall.round.read.v1', data, position)
  }
}

const addEnd = ({ add }: Height, number: number, started: number): void => {
  const data = {
    proposalId: String(number),
    proposal: { ...createProposalState(number, started, 'rejected'), failedReason: null },
    proposalReason: null,
    round: 1,
    log: 'rejected',
    finalTally: null,
    unavailableReason: 'a synthetic chain tallies nothing',
    outcome: 'rejected' as const,
    result: 'proposal_rejected',
  }
  add('rollcall.proposal.closed.v1', data, { subject: `proposals/${number}` })
}

const changePools = (world: World): PoolState[] =>
  Array.from({ length: CHANGED_POOLS }, () => {
    const number = world.random(world.pools.length)
    const pool = world.pools[number]!
    const tokens = String(BigInt(pool.tokens) + BigInt(1 + world.random(1_000_000)))
    world.pools[number] = { ...pool, tokens }
    return world.pools[number]
  })

const addProposals = (block: Height, world: World, height: number): number | null => {
  const { options } = world
  let openSince: number | null = null
  const age = height - FIRST_HEIGHT
  const oldest = Math.max(1, Math.floor((age - options.votingHeights) / options.strideHeights) + 1)
  const newest = Math.min(options.proposals, Math.floor(age / options.strideHeights) + 1)
  const isRead = age % options.poolsReadEvery === 1
  const changed = isRead ? { pools: changePools(world), allPools: false } : undefined
  const all = { pools: world.pools, allPools: true }
  for (let number = oldest; number <= newest; number++) {
    const started = computeStartHeight(number, options)
    const voteAge = height - started
    if (voteAge > options.votingHeights) continue
    if (voteAge === 0) addBeginning(block, number, height)
    else if (voteAge === options.votingHeights) addEnd(block, number, started)
    if (voteAge < options.votingHeights) {
      const ballots = voteAge > 0 ? addVotes(block, world, { number, age: voteAge - 1 }) : []
      addReading(block, world, { number, height, read: voteAge > 0 ? changed : all, ballots })
      openSince ??= started
    }
  }
  return openSince
}

const createMarker = (
  height: number,
  facts: { events: number; tip: number; openSince: number | null },
) => ({
  from: height,
  hash: height.toString(16).toUpperCase().padStart(64, 'C'),
  previousHash: (height - 1).toString(16).toUpperCase().padStart(64, 'C'),
  ...facts,
})

/** All heights from the first to the one that closes the last proposal. */
export function* syntheticHeights(options: SyntheticChainOptions): Generator<SyntheticHeight> {
  const random = createRandom(42)
  const tip = computeStartHeight(options.proposals, options) + options.votingHeights
  const world: World = {
    options,
    random,
    pools: Array.from({ length: options.pools }, (_, number) => createPool(number, random)),
    voters: Array.from({ length: options.voters }, (_, number) =>
      toBech32('cosmos', addressBytes(2, number)),
    ),
    tip,
  }
  for (let height = FIRST_HEIGHT; height <= tip; height++) {
    const block = createHeight(height)
    if (height === FIRST_HEIGHT) addSnapshot(block, world)
    const openSince = addProposals(block, world, height)
    block.events.sort((one, other) => one.index - other.index)
    const facts = { events: block.events.length, tip, openSince }
    block.add('rollcall.block.indexed.v1', createMarker(height, facts), { ordinal: ORDINAL.marker })
    yield { height, timeMs: Date.parse(toBlockTime(height)), events: block.events }
  }
}

/** Appends many heights at a time, as a backfill does. Returns how many events there are. */
export const appendHeights = async (
  log: EventLog,
  heights: Iterable<SyntheticHeight>,
): Promise<number> => {
  const HEIGHTS_PER_APPEND = 500
  let count = 0
  let entries: { height: number; timeMs: number; value: Uint8Array }[] = []
  let waiting = 0
  for (const { height, timeMs, events } of heights) {
    for (const event of events) entries.push({ height, timeMs, value: encodeEvent(event) })
    count += events.length
    if (++waiting < HEIGHTS_PER_APPEND) continue
    await log.append(entries)
    entries = []
    waiting = 0
  }
  await log.append(entries)
  return count
}
