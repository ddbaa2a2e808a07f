// The state of a simulated chain after one height, as its modules keep it, and what is special about the chain.
import { Params, Proposal, type TallyResult, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { Recomputable } from '../../../../ingest/tally/tally.ts'
import { account } from '../addresses.ts'
import { timeAt } from '../blocks.ts'
import type { TalliedState } from './node-tally.ts'

/** Switches: what a chain, or the build of its node, does in its own way. */
export type Variant = {
  /** Items on a page of a list; two by default, so that every list has pages. */
  pageSize?: number
  /** Proposals of a type that the node does not register: it refuses them, and each list of proposals. */
  unregistered?: Set<string>
  /** What the node serves of its raw store of x/gov; all by default. */
  store?: { subspace?: false; nextId?: false; proposals?: false }
  /** The package of x/gov, without its version; null if the chain has no x/gov. `cosmos.gov` by default. */
  govPackage?: string | null
  /** The chain has a staking module of its own in place of x/staking. */
  lacksStaking?: true
  /** The node reports the types of its messages. */
  reflection?: 'types'
  /** What modules that only some chains have keep, for their queries. */
  moduleState?: Map<string, unknown>
  /** The rule of the node's tallies of open votes; that of x/gov by default. */
  countsBy?: Recomputable
  /** Replaces the tally that the node reports for an open vote, by proposal. */
  liveTallies?: Map<string, TallyResult>
}

export type ChainState = TalliedState &
  Variant & {
    proposals: Map<string, Proposal>
    params: Params
    /** Maximum number of bonded pools. Without it, the node does not say the parameters of x/staking. */
    maxPools?: number
  }

export const toTimestamp = (time: string): { seconds: bigint; nanos: number } => ({
  seconds: BigInt(Math.floor(Date.parse(time) / 1_000)),
  nanos: (Date.parse(time) % 1_000) * 1_000_000,
})

/** What decides a vote. */
export const RULES = {
  quorum: '0.334000000000000000',
  threshold: '0.500000000000000000',
  vetoThreshold: '0.334000000000000000',
  expeditedThreshold: '0.667000000000000000',
}

export const chainParams = (): Params =>
  Params.fromPartial({
    ...RULES,
    votingPeriod: { seconds: 600n, nanos: 0 },
    expeditedVotingPeriod: { seconds: 300n, nanos: 0 },
    maxDepositPeriod: { seconds: 600n, nanos: 0 },
    minDeposit: [{ denom: 'stake', amount: '10' }],
    burnVoteVeto: true,
  })

export const proposalAt = (id: string, height: number, status = 1): Proposal =>
  Proposal.fromPartial({
    id: BigInt(id),
    title: `Proposal ${id}`,
    summary: 'What it is about',
    proposer: account('proposer'),
    status,
    submitTime: toTimestamp(timeAt(height)),
    ...(status === 1 ? {} : { votingStartTime: toTimestamp(timeAt(height)) }),
  })

export const voteBy = (id: string, voter: string, option = 1): Vote =>
  Vote.fromPartial({
    proposalId: BigInt(id),
    voter: account(voter),
    options: [{ option, weight: '1.000000000000000000' }],
  })

/** Three pools, and one delegator of all three. */
export const createState = (): ChainState => ({
  proposals: new Map(),
  votes: new Map(),
  pools: new Map([
    ['one', { tokens: 600n, status: 3, jailed: false }],
    ['two', { tokens: 300n, status: 3, jailed: false }],
    ['three', { tokens: 100n, status: 3, jailed: false }],
  ]),
  delegations: new Map([
    [
      'alice',
      new Map([
        ['one', 50n],
        ['two', 20n],
        ['three', 5n],
      ]),
    ],
  ]),
  params: chainParams(),
})
