// One complete hostile chain: its blocks and state at every height, and the expected data of Rollcall at each.
import { Params, Proposal, type TallyResult, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import { account } from '../../support/chain/addresses.ts'
import { timeAt } from '../../support/chain/blocks.ts'
import { createGovChain, type GovChain } from '../../support/chain/gov-chain.ts'
import type { ChainState } from '../../support/chain/gov-chain-state.ts'
import type { Dice } from '../dice.ts'
import { type SimProposal, votesOn } from './governance.ts'
import { createProfile, type Profile } from './profile.ts'
import { bondedTokens, type Validator } from './staking.ts'
import { createStory, type SimBlock } from './story.ts'
import { computeTally, type OracleTally } from './tally.ts'
import { createWorld, RULES, type World } from './world.ts'

export type ExpectedRound = { id: string; round: number; tally: OracleTally }

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
  chain: GovChain
  profile: Profile
  /** By height, from 1. */
  expected: readonly Expected[]
}

const STATUS = { deposit: 1, voting: 2, passed: 3, rejected: 4, failed: 5 } as const
const VALIDATOR_STATUS = { unbonded: 1, unbonding: 2, bonded: 3 } as const

const stamp = (height: number) => ({
  seconds: BigInt(Math.floor(Date.parse(timeAt(height)) / 1000)),
  nanos: 0,
})

const toTallyResult = ({ counts }: OracleTally): TallyResult => ({
  yesCount: counts.yes,
  abstainCount: counts.abstain,
  noCount: counts.no,
  noWithVetoCount: counts.noWithVeto,
})

const NO_VOTES: TallyResult = {
  yesCount: '0',
  abstainCount: '0',
  noCount: '0',
  noWithVetoCount: '0',
}

const stateProposal = (proposal: SimProposal): Proposal =>
  Proposal.fromPartial({
    id: BigInt(proposal.id),
    messages: [...proposal.messages],
    status: STATUS[proposal.status],
    finalTallyResult: proposal.final ? toTallyResult(proposal.final) : NO_VOTES,
    submitTime: stamp(proposal.submittedAt),
    depositEndTime: stamp(proposal.submittedAt + 6),
    totalDeposit: [{ denom: 'stake', amount: proposal.deposit.toString() }],
    ...(proposal.round === 0
      ? {}
      : { votingStartTime: stamp(proposal.votingStart), votingEndTime: stamp(proposal.endsAt) }),
    metadata: '',
    title: proposal.title,
    summary: proposal.summary,
    proposer: account(proposal.proposer),
    expedited: proposal.expedited,
  })

const params = Params.fromPartial({
  ...RULES,
  votingPeriod: { seconds: 84n, nanos: 0 },
  expeditedVotingPeriod: { seconds: 36n, nanos: 0 },
  maxDepositPeriod: { seconds: 36n, nanos: 0 },
  minDeposit: [{ denom: 'stake', amount: '10' }],
  burnVoteVeto: true,
})

const votesInState = (world: World, id: string): Vote[] =>
  [...votesOn(world.governance, id)].map(([voter, options]) => ({
    proposalId: BigInt(id),
    voter: account(voter),
    metadata: '',
    options: options.map((option) => ({ ...option })),
  }))

const openRounds = (world: World): ExpectedRound[] =>
  [...world.governance.proposals.values()]
    .filter(({ status }) => status === 'voting')
    .map(({ id, round }) => {
      const tally = computeTally(world.staking, votesOn(world.governance, id))
      return { id, round, tally }
    })

const toChainState = (
  world: World,
  { open, pageSize }: { open: readonly ExpectedRound[]; pageSize: number },
): ChainState => {
  const { staking, governance } = world
  return {
    proposals: new Map([...governance.proposals].map(([id, each]) => [id, stateProposal(each)])),
    votes: new Map([...governance.votes.keys()].map((id) => [id, votesInState(world, id)])),
    pools: new Map(
      [...staking.validators].map(([name, { tokens, shares, status, jailed, moniker }]) => [
        name,
        { tokens, attoShares: shares, status: VALIDATOR_STATUS[status], jailed, moniker },
      ]),
    ),
    delegations: new Map(),
    attoDelegations: new Map(
      [...staking.delegations].map(([name, shares]) => [name, new Map(shares)]),
    ),
    params,
    maxPools: staking.maxValidators,
    pageSize,
    liveTallies: new Map(open.map(({ id, tally }) => [id, toTallyResult(tally)])),
  }
}

const toExpected = (
  world: World,
  { height, block, open }: { height: number; block: SimBlock; open: readonly ExpectedRound[] },
): Expected => ({
  height,
  open,
  tallied: block.ended.flatMap(({ by, round, proposal }) =>
    by === 'tally' ? [{ id: proposal.id, round, tally: proposal.final! }] : [],
  ),
  bondedTokens: bondedTokens(world.staking).toString(),
  pools: new Map([...world.staking.validators].map(([name, pool]) => [name, { ...pool }])),
  unreadable: block.unreadable,
})

export const createHostileChain = (dice: Dice): HostileChain => {
  const profile = createProfile(dice)
  const world = createWorld(dice, profile)
  const chain = createGovChain()
  const createNextBlock = createStory(dice, world, profile)
  const expected: Expected[] = []
  for (let height = 1; height <= profile.heights; height++) {
    const block = createNextBlock(height)
    const open = openRounds(world)
    const { begin, txs, end } = block
    const sketch = { begin, txs, end, changesValidators: block.powerUpdates.length > 0 }
    chain.append(sketch, toChainState(world, { open, pageSize: profile.pageSize }))
    expected.push(toExpected(world, { height, block, open }))
  }
  return { chain, profile, expected }
}
