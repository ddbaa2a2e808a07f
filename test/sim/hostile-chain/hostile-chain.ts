// One complete hostile chain: its blocks and state at every height, and the expected data of Rollcall at each.
import type { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import { createMemoryChain, type MemoryChain } from '../../support/chain/memory-chain.ts'
import { listOpenRounds } from '../../support/simulator/keepers/governance.ts'
import { bondedTokens, type Validator } from '../../support/simulator/keepers/staking.ts'
import { toChainState } from '../../support/simulator/keepers/to-chain-state.ts'
import { chainParams } from '../../support/simulator/state/chain-state.ts'
import type { Dice } from '../dice.ts'
import { createProfile, createWorld, type Profile, type World } from './profile.ts'
import { createStory, type EndedRound, type SimBlock } from './story.ts'

export type ExpectedRound = EndedRound

/** The truth after one height. */
export type Expected = {
  height: number
  /** Open votes after the height, with the result of the chain's own query. */
  open: readonly ExpectedRound[]
  /** Rounds that the chain tallied at the height. */
  tallied: readonly ExpectedRound[]
  bondedTokens: string
  pools: ReadonlyMap<string, Readonly<Validator>>
  /** Proposals with an undecodable vote at this height. */
  unreadable: readonly string[]
}

export type HostileChain = {
  chain: MemoryChain
  profile: Profile
  /** By height, from 1. */
  expected: readonly Expected[]
}

/** So far apart that ingest reads an open vote at each height. */
const BLOCK_SECONDS = 30

export const timeAt = (height: number): string =>
  new Date(Date.UTC(2026, 0, 1) + height * BLOCK_SECONDS * 1_000).toISOString()

const toPeriod = (blocks: number) => ({ seconds: BigInt(blocks * BLOCK_SECONDS), nanos: 0 })

const params: Params = {
  ...chainParams(),
  votingPeriod: toPeriod(14),
  expeditedVotingPeriod: toPeriod(6),
  maxDepositPeriod: toPeriod(6),
}

const toExpected = (
  world: World,
  { height, block, open }: { height: number; block: SimBlock; open: readonly ExpectedRound[] },
): Expected => ({
  height,
  open,
  tallied: block.ended,
  bondedTokens: bondedTokens(world.staking).toString(),
  pools: new Map([...world.staking.validators].map(([name, pool]) => [name, { ...pool }])),
  unreadable: block.unreadable,
})

export const createHostileChain = (dice: Dice): HostileChain => {
  const profile = createProfile(dice)
  const world = createWorld(dice, profile)
  const chain = createMemoryChain()
  const createNextBlock = createStory(dice, world, profile)
  const expected: Expected[] = []
  for (let height = 1; height <= profile.heights; height++) {
    const block = createNextBlock(height)
    const open = listOpenRounds(world)
    const { begin, txs, end } = block
    const changesValidators = block.powerUpdates.length > 0
    const sketch = { begin, txs, end, changesValidators, time: timeAt(height) }
    chain.append(sketch, toChainState(world, { open, pageSize: profile.pageSize, params, timeAt }))
    expected.push(toExpected(world, { height, block, open }))
  }
  return { chain, profile, expected }
}
