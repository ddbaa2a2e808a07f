// A chain in memory with two open votes: one has more voters than a snapshot reads. Its tallies follow the rules of x/gov.
import { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import type { RunningIngest } from '../../../ingest/main.ts'
import { listOpenRounds, toChainState } from '../../sim/hostile-chain/chain-state.ts'
import {
  endGovernanceBlock,
  type Governance,
  type SimProposal,
  startVoting,
  vote,
} from '../../sim/hostile-chain/governance.ts'
import {
  addValidator,
  delegate,
  endStakingBlock,
  type Staking,
} from '../../sim/hostile-chain/staking.ts'
import { activeProposal } from '../../sim/hostile-chain/txs.ts'
import { RULES } from '../../sim/hostile-chain/world.ts'
import { type BlockSketch, timeAt } from './blocks.ts'
import { createGovChain, type GovChain } from './gov-chain.ts'
import { startOn } from './ingest-run.ts'

type World = { staking: Staking; governance: Governance }

/** Changes the world in the next block, and returns the block’s content. */
export type CrowdedStep = (world: World, height: number) => BlockSketch

export type CrowdedVotes = {
  chain: GovChain
  add(step?: CrowdedStep): number
}

/** Open at the first height. `CROWDED` has all voters, `SMALL` the first ones. */
export const CROWDED = '1'
export const SMALL = '2'
const SMALL_VOTERS = 20
const POOLS = 3
const OPTIONS = [1, 1, 1, 2, 3, 4]
const WHOLE = '1.000000000000000000'

const params = Params.fromPartial({
  ...RULES,
  votingPeriod: { seconds: 600n, nanos: 0 },
  expeditedVotingPeriod: { seconds: 300n, nanos: 0 },
  maxDepositPeriod: { seconds: 600n, nanos: 0 },
  minDeposit: [{ denom: 'stake', amount: '10' }],
  burnVoteVeto: true,
})

export const voterName = (at: number): string => `voter-${at}`

const createProposal = (id: string, endsAt: number): SimProposal => {
  const proposal: SimProposal = {
    id,
    proposer: 'proposer',
    title: `Proposal ${id}`,
    summary: 'What it is about',
    messages: [],
    deeds: [],
    submittedAt: 1,
    status: 'deposit',
    expedited: false,
    votingStart: 0,
    endsAt: 0,
    deposit: 10n,
    round: 0,
    final: undefined,
  }
  startVoting(proposal, 1)
  proposal.endsAt = endsAt
  return proposal
}

const createWorld = (voters: number, endsAt: number): World => {
  const staking: Staking = {
    validators: new Map(),
    delegations: new Map(),
    redelegations: [],
    maxValidators: POOLS,
  }
  for (let at = 0; at < POOLS; at++) {
    const name = `pool-${at}`
    addValidator(staking, name, `Pool ${at}`)
    delegate(staking, { delegator: name, validator: name, tokens: 10n ** 9n })
  }
  const governance: Governance = { proposals: new Map(), votes: new Map(), rules: RULES }
  governance.proposals.set(CROWDED, createProposal(CROWDED, endsAt))
  governance.proposals.set(SMALL, createProposal(SMALL, 100))
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

/** The vote with the crowd ends at `endsAt`. The chain begins with two blocks. */
export const createCrowdedVotes = (voters: number, endsAt = 100): CrowdedVotes => {
  const world = createWorld(voters, endsAt)
  const chain = createGovChain()
  const add = (step?: CrowdedStep): number => {
    const height = chain.tip + 1
    const sketch = step?.(world, height) ?? {}
    const end: NonNullable<BlockSketch['end']>[number][] = [...(sketch.end ?? [])]
    endGovernanceBlock(world, height, ({ kind, proposal }) => {
      const result = kind === 'passed' ? 'passed' : 'rejected'
      end.push(activeProposal(proposal.id, `proposal_${result}`, result))
    })
    const changesValidators = endStakingBlock(world.staking, height).length > 0
    const open = listOpenRounds(world)
    const state = toChainState(world, { open, params, timeAt, pageSize: 100 })
    return chain.append({ ...sketch, end, changesValidators }, state)
  }
  add()
  add()
  return { chain, add }
}

type Following = {
  steps: readonly (CrowdedStep | undefined)[]
  /** Called after each height. */
  onAppended?: (ingest: RunningIngest) => void
}

/** Adds each block after the log has the block before, like a chain that is followed. */
export const followCrowdedVotes = async (
  { chain, add }: CrowdedVotes,
  log: EventLog,
  { steps, onAppended = () => {} }: Following,
): Promise<void> => {
  const ingest = await startOn(chain, log, { env: { START_HEIGHT: 'tip' } })
  const untilAppended = async () => {
    while (((await log.last())?.height ?? 0) < chain.tip) {
      await Promise.race([new Promise((resolve) => setTimeout(resolve, 1)), ingest.done])
    }
    onAppended(ingest)
  }
  await untilAppended()
  for (const step of steps) {
    add(step)
    await untilAppended()
  }
  await ingest.close()
}
