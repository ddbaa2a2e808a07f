// The state of a simulated world as x/gov and x/staking of a node store it.
import { type Params, Proposal, type TallyResult, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import { account } from '../../support/chain/addresses.ts'
import type { ChainState } from '../../support/chain/gov-chain-state.ts'
import { type SimProposal, votesOn } from './governance.ts'
import { computeTally, type OracleTally } from './tally.ts'
import type { World } from './world.ts'

type Modules = Pick<World, 'staking' | 'governance'>

type TimeAt = (height: number) => string

export type StateOptions = {
  /** The tallies of open votes. */
  open: readonly { id: string; tally: OracleTally }[]
  pageSize: number
  params: Params
  timeAt: TimeAt
  /** For many heights of a large state. */
  share?: Share
}

const STATUS = { deposit: 1, voting: 2, passed: 3, rejected: 4, failed: 5 } as const
const VALIDATOR_STATUS = { unbonded: 1, unbonding: 2, bonded: 3 } as const

const stamp = (time: string) => ({ seconds: BigInt(Math.floor(Date.parse(time) / 1000)), nanos: 0 })

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

const stateProposal = (proposal: SimProposal, timeAt: TimeAt): Proposal =>
  Proposal.fromPartial({
    id: BigInt(proposal.id),
    messages: [...proposal.messages],
    status: STATUS[proposal.status],
    finalTallyResult: proposal.final ? toTallyResult(proposal.final) : NO_VOTES,
    submitTime: stamp(timeAt(proposal.submittedAt)),
    depositEndTime: stamp(timeAt(proposal.submittedAt + 6)),
    totalDeposit: [{ denom: 'stake', amount: proposal.deposit.toString() }],
    ...(proposal.round === 0
      ? {}
      : {
          votingStartTime: stamp(timeAt(proposal.votingStart)),
          votingEndTime: stamp(timeAt(proposal.endsAt)),
        }),
    metadata: '',
    title: proposal.title,
    summary: proposal.summary,
    proposer: account(proposal.proposer),
    expedited: proposal.expedited,
  })

const votesInState = ({ governance }: Modules, id: string, share: Share): Vote[] =>
  [...votesOn(governance, id)].map(([voter, options]) =>
    share(`${id}/${voter}/${JSON.stringify(options)}`, () => ({
      proposalId: BigInt(id),
      voter: account(voter),
      metadata: '',
      options: options.map((option) => ({ ...option })),
    })),
  )

const copyShares = (name: string, shares: ReadonlyMap<string, bigint>, share: Share) =>
  share(`${name}/${[...shares].join()}`, () => new Map(shares))

/** Returns an equal part of an earlier state: parts never change. */
export type Share = <Part>(key: string, create: () => Part) => Part

export const createShared = (): Share => {
  const parts = new Map<string, unknown>()
  return <Part>(key: string, create: () => Part): Part => {
    if (!parts.has(key)) parts.set(key, create())
    return parts.get(key) as Part
  }
}

const shareNothing: Share = (_, create) => create()

export const listOpenRounds = ({ staking, governance }: Modules) =>
  [...governance.proposals.values()]
    .filter(({ status }) => status === 'voting')
    .map(({ id, round }) => ({
      id,
      round,
      tally: computeTally(staking, votesOn(governance, id)),
    }))

export const toChainState = (
  world: Modules,
  { open, pageSize, params, timeAt, share = shareNothing }: StateOptions,
): ChainState => {
  const { staking, governance } = world
  return {
    proposals: new Map(
      [...governance.proposals].map(([id, each]) => [id, stateProposal(each, timeAt)]),
    ),
    votes: new Map([...governance.votes.keys()].map((id) => [id, votesInState(world, id, share)])),
    pools: new Map(
      [...staking.validators].map(([name, { tokens, shares, status, jailed, moniker }]) => [
        name,
        { tokens, attoShares: shares, status: VALIDATOR_STATUS[status], jailed, moniker },
      ]),
    ),
    delegations: new Map(),
    attoDelegations: new Map(
      [...staking.delegations].map(([name, shares]) => [name, copyShares(name, shares, share)]),
    ),
    params,
    maxPools: staking.maxValidators,
    pageSize,
    liveTallies: new Map(open.map(({ id, tally }) => [id, toTallyResult(tally)])),
  }
}
