// A live chain of one block a second: a few open proposals at any time, votes in every block, and stake that moves.
// Its state is kept at every height, with the tally of every open vote by the rules of x/gov.
import type { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import { createMemoryChain, showChain } from '../chain/memory-chain.ts'
import { createRandom, type Random } from '../log/governance-story.ts'
import type { BlockSketch } from '../simulator/blocks.ts'
import {
  createGovernance,
  createOpenProposal,
  endGovernanceBlock,
  listOpenRounds,
  vote,
} from '../simulator/keepers/governance.ts'
import {
  addValidator,
  createStaking,
  delegate,
  endStakingBlock,
  type Staking,
} from '../simulator/keepers/staking.ts'
import type { Tally, WeightedVote } from '../simulator/keepers/tally.ts'
import { createShared, toChainState } from '../simulator/keepers/to-chain-state.ts'
import {
  createSubmitMessage,
  createTx,
  createVoteMessage,
  delegateMessage,
  endEvent,
} from '../simulator/messages.ts'
import { chainParams } from '../simulator/state/chain-state.ts'

export type TallyCounts = Tally['counts']

export const BLOCK_MS = 1_000
const VOTES_PER_BLOCK = 5
const BLOCKS_PER_DELEGATION = 5
/** Four proposals are open at any time. */
const VOTING_HEIGHTS = 160
const HEIGHTS_PER_PROPOSAL = 40
/** Every proposal that is open has been open for some time, and the next close is near. */
const HISTORY_HEIGHTS = 420
const VALIDATORS = 20
const DELEGATORS = 240
/** As nodes answer by default. */
const PAGE_SIZE = 100
const WHOLE = '1.000000000000000000'
const OPTIONS: readonly WeightedVote[] = [
  ...[1, 1, 1, 2, 3, 4].map((option) => [{ option, weight: WHOLE }]),
  [
    { option: 1, weight: '0.700000000000000000' },
    { option: 3, weight: '0.300000000000000000' },
  ],
]

const params: Params = {
  ...chainParams(),
  votingPeriod: { seconds: BigInt((VOTING_HEIGHTS * BLOCK_MS) / 1_000), nanos: 0 },
  expeditedVotingPeriod: { seconds: 60n, nanos: 0 },
  maxDepositPeriod: { seconds: 60n, nanos: 0 },
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!

const createStakedPools = (random: Random, delegators: readonly string[]): Staking => {
  const staking = createStaking(VALIDATORS)
  for (let at = 0; at < VALIDATORS; at++) {
    const name = `pool-${at}`
    addValidator(staking, name, `Pool ${at}`)
    delegate(staking, {
      delegator: name,
      validator: name,
      tokens: BigInt(10 ** 9 + random(10 ** 9)),
    })
  }
  for (const delegator of delegators) {
    const tokens = BigInt(10 ** 6 + random(10 ** 8))
    delegate(staking, { delegator, validator: `pool-${random(VALIDATORS)}`, tokens })
    delegate(staking, { delegator, validator: `pool-${random(VALIDATORS)}`, tokens })
  }
  endStakingBlock(staking, 0)
  return staking
}

/** Creates the content of one block after the other, and carries it out. */
const createStory = () => {
  const random = createRandom(7)
  const delegators = Array.from({ length: DELEGATORS }, (_, at) => `delegator-${at}`)
  const staking = createStakedPools(random, delegators)
  const voters = [...delegators, ...staking.validators.keys()]
  const governance = createGovernance()

  const castVotes = (height: number) => {
    const open = [...governance.proposals.values()].filter(
      ({ status, endsAt }) => status === 'voting' && endsAt > height,
    )
    if (open.length === 0) return []
    return Array.from({ length: VOTES_PER_BLOCK }, () => {
      const { id } = pick(random, open)
      const ballot = { id, voter: pick(random, voters), options: pick(random, OPTIONS) }
      vote(governance, ballot)
      return createTx(createVoteMessage(id, ballot.voter, ballot.options))
    })
  }
  const moveStake = () => {
    const delegator = pick(random, delegators)
    const validator = `pool-${random(VALIDATORS)}`
    const tokens = BigInt(1 + random(10 ** 6))
    delegate(staking, { delegator, validator, tokens })
    return createTx(delegateMessage(delegator, validator, tokens))
  }
  const submit = (height: number) => {
    const id = `${height / HEIGHTS_PER_PROPOSAL}`
    const proposal = createOpenProposal(id, height, height + VOTING_HEIGHTS)
    governance.proposals.set(proposal.id, proposal)
    return createTx(createSubmitMessage(proposal, { startsVoting: true }))
  }
  const endVotes = (height: number) => {
    const events: NonNullable<BlockSketch['end']>[number][] = []
    endGovernanceBlock({ governance, staking }, height, (ending) => {
      events.push(endEvent(ending))
    })
    return events
  }
  const createNextBlock = (height: number, { votes }: { votes: boolean }): BlockSketch => {
    const txs = [
      ...(height % HEIGHTS_PER_PROPOSAL === 0 ? [submit(height)] : []),
      ...(votes ? castVotes(height) : []),
      ...(votes && height % BLOCKS_PER_DELEGATION === 0 ? [moveStake()] : []),
    ]
    const end = endVotes(height)
    return { txs, end, changesValidators: endStakingBlock(staking, height).length > 0 }
  }
  return { world: { staking, governance }, createNextBlock }
}

export type LiveVotes = ReturnType<typeof createLiveVotes>

/** Begins with a past of a few minutes that ends at `nowMs`. */
export const createLiveVotes = (nowMs: number) => {
  const { world, createNextBlock } = createStory()
  const share = createShared()
  const firstMs = (Math.floor(nowMs / BLOCK_MS) - HISTORY_HEIGHTS) * BLOCK_MS
  const timeAt = (height: number) => new Date(firstMs + height * BLOCK_MS).toISOString()
  const govChain = createMemoryChain({ proves: true })
  const openAt = new Map<number, ReadonlyMap<string, TallyCounts>>()

  const append = (options: { votes: boolean }): number => {
    const height = govChain.tip + 1
    const sketch = { ...createNextBlock(height, options), time: timeAt(height) }
    const open = listOpenRounds(world)
    openAt.set(height, new Map(open.map(({ id, tally }) => [id, tally.counts])))
    const state = toChainState(world, { open, params, timeAt, pageSize: PAGE_SIZE, share })
    return govChain.append(sketch, state)
  }
  for (let height = 1; height <= HISTORY_HEIGHTS; height++) append({ votes: true })
  const chain = showChain(govChain)
  return {
    chain,
    /** Adds the next block. Without votes it is empty, except for proposals that begin or end. */
    add: (options: { votes: boolean }) => {
      const height = append(options)
      chain.grow()
      return height
    },
    /** The tallies of all open votes by proposal. */
    openAt: (height: number) => openAt.get(height) ?? new Map(),
  }
}
