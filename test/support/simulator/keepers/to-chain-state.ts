// The state of x/gov and x/staking as the stores of a chain have it.
import { type Params, Proposal, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import { account } from '../addresses.ts'
import { type ChainState, toTimestamp } from '../state/chain-state.ts'
import { toTallyResult } from '../state/node-tally.ts'
import { type Governance, type SimProposal, votesOn } from './governance.ts'
import type { Staking } from './staking.ts'
import type { Tally } from './tally.ts'

type Modules = { staking: Staking; governance: Governance }

type TimeAt = (height: number) => string

export type StateOptions = {
  /** The tallies of open votes. */
  open: readonly { id: string; tally: Tally }[]
  pageSize: number
  params: Params
  timeAt: TimeAt
}

const STATUS = { deposit: 1, voting: 2, passed: 3, rejected: 4, failed: 5 } as const
const VALIDATOR_STATUS = { unbonded: 1, unbonding: 2, bonded: 3 } as const

const stateProposal = (proposal: SimProposal, timeAt: TimeAt): Proposal =>
  Proposal.fromPartial({
    id: BigInt(proposal.id),
    messages: [...proposal.messages],
    status: STATUS[proposal.status],
    finalTallyResult: toTallyResult(proposal.final?.counts),
    submitTime: toTimestamp(timeAt(proposal.submittedAt)),
    depositEndTime: toTimestamp(timeAt(proposal.submittedAt + 6)),
    totalDeposit: [{ denom: 'stake', amount: proposal.deposit.toString() }],
    ...(proposal.round === 0
      ? {}
      : {
          votingStartTime: toTimestamp(timeAt(proposal.votingStart)),
          votingEndTime: toTimestamp(timeAt(proposal.endsAt)),
        }),
    metadata: '',
    title: proposal.title,
    summary: proposal.summary,
    proposer: account(proposal.proposer),
    expedited: proposal.expedited,
  })

const votesInState = ({ governance }: Modules, id: string): Vote[] =>
  [...votesOn(governance, id)].map(([voter, options]) => ({
    proposalId: BigInt(id),
    voter: account(voter),
    metadata: '',
    options: options.map((option) => ({ ...option })),
  }))

export const toChainState = (
  world: Modules,
  { open, pageSize, params, timeAt }: StateOptions,
): ChainState => {
  const { staking, governance } = world
  return {
    proposals: new Map(
      [...governance.proposals].map(([id, each]) => [id, stateProposal(each, timeAt)]),
    ),
    votes: new Map([...governance.votes.keys()].map((id) => [id, votesInState(world, id)])),
    pools: new Map(
      [...staking.validators].map(([name, { tokens, shares, status, jailed, moniker }]) => [
        name,
        { tokens, shares, status: VALIDATOR_STATUS[status], jailed, moniker },
      ]),
    ),
    shareUnits: 10n ** 18n,
    delegations: new Map([...staking.delegations].map(([name, shares]) => [name, new Map(shares)])),
    params,
    maxPools: staking.maxValidators,
    pageSize,
    liveTallies: new Map(open.map(({ id, tally }) => [id, toTallyResult(tally.counts)])),
  }
}
