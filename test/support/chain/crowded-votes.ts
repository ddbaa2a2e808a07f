// A chain in memory with two open votes: one has more voters than ingest reads at a height. Its tallies follow the rules of x/gov.

import { type BlockSketch, timeAt } from '../simulator/blocks.ts'
import {
  createGovernance,
  createOpenProposal,
  type Governance,
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
import { toChainState } from '../simulator/keepers/to-chain-state.ts'
import { chainParams } from '../simulator/state/chain-state.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

type World = { staking: Staking; governance: Governance }

/** Changes the world in the next block, and returns the block’s content. */
export type CrowdedStep = (world: World, height: number) => BlockSketch

/** Open at the first height. `CROWDED` has all voters, `SMALL` the first ones. */
export const CROWDED = '1'
export const SMALL = '2'
const SMALL_VOTERS = 20
const POOLS = 3
const OPTIONS = [1, 1, 1, 2, 3, 4]
const WHOLE = '1.000000000000000000'

const params = chainParams()

export const voterName = (at: number): string => `voter-${at}`

const createWorld = (voters: number): World => {
  const staking = createStaking(POOLS)
  for (let at = 0; at < POOLS; at++) {
    const name = `pool-${at}`
    addValidator(staking, name, `Pool ${at}`)
    delegate(staking, { delegator: name, validator: name, tokens: 10n ** 9n })
  }
  const governance = createGovernance()
  governance.proposals.set(CROWDED, createOpenProposal(CROWDED, 1, 100))
  governance.proposals.set(SMALL, createOpenProposal(SMALL, 1, 100))
  for (let at = 0; at < voters; at++) {
    const voter = voterName(at)
    const tokens = BigInt(1_000 + at)
    delegate(staking, { delegator: voter, validator: `pool-${at % POOLS}`, tokens })
    const options = [{ option: OPTIONS[at % OPTIONS.length]!, weight: WHOLE }]
    vote(governance, { id: CROWDED, voter, options })
    if (at < SMALL_VOTERS) vote(governance, { id: SMALL, voter, options })
  }
  endStakingBlock(staking, 0)
  return { staking, governance }
}

/** Two blocks, then one for each step. */
export const createCrowdedVotes = (
  voters: number,
  steps: readonly (CrowdedStep | undefined)[],
): MemoryChain => {
  const world = createWorld(voters)
  const chain = createMemoryChain()
  for (const step of [undefined, undefined, ...steps]) {
    const height = chain.tip + 1
    const sketch = step?.(world, height) ?? {}
    const changesValidators = endStakingBlock(world.staking, height).length > 0
    const open = listOpenRounds(world)
    const state = toChainState(world, { open, params, timeAt, pageSize: 100 })
    chain.append({ ...sketch, changesValidators }, state)
  }
  return chain
}
