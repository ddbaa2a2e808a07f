// Values of governance events for tests: a chain with few pools; a test can override every field.
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import type {
  GovParams,
  PoolState,
  ProposalState,
  WeightedOption,
} from '../../../ingest/contract/facts.ts'

export const CHAIN_ID = 'test-1'

export const toBlockTime = (height: number): string =>
  new Date(Date.UTC(2026, 0, 1) + height * 6000).toISOString()

export const params = (changes: Partial<GovParams> = {}): GovParams => ({
  quorum: '0.334',
  threshold: '0.5',
  vetoThreshold: '0.334',
  expeditedThreshold: '0.667',
  votingPeriodSeconds: 600,
  expeditedVotingPeriodSeconds: 300,
  maxDepositPeriodSeconds: 600,
  minDeposit: [{ denom: 'stake', amount: '1' }],
  expeditedMinDeposit: [{ denom: 'stake', amount: '2' }],
  burnVoteQuorum: false,
  burnVoteVeto: true,
  ...changes,
})

/** Pool `p1`: operator `p1-operator`, account `p1-account`, as many shares as tokens. */
export const pool = (name: string, changes: Partial<PoolState> = {}): PoolState => ({
  operatorAddress: `${name}-operator`,
  accountAddress: `${name}-account`,
  moniker: `Pool ${name}`,
  tokens: '1000',
  delegatorShares: `${changes.tokens ?? '1000'}.000000000000000000`,
  status: 'bonded',
  jailed: false,
  ...changes,
})

export const to = (name: string, shares: string): Delegation => ({
  operatorAddress: `${name}-operator`,
  shares,
})

export const all = (option: string): WeightedOption[] => [
  { option, weight: '1.000000000000000000' },
]

export const proposalState = (
  proposalId: string,
  changes: Partial<ProposalState> = {},
): ProposalState => ({
  proposalId,
  title: `Proposal ${proposalId}`,
  summary: 'What it is about',
  metadata: '',
  proposer: 'proposer-account',
  messageTypes: ['/cosmos.gov.v1.MsgExecLegacyContent'],
  status: 'deposit_period',
  expedited: false,
  failedReason: null,
  submitTime: toBlockTime(1),
  depositEndTime: toBlockTime(100),
  votingStartTime: null,
  votingEndTime: null,
  totalDeposit: [{ denom: 'stake', amount: '10' }],
  finalTally: null,
  ...changes,
})
