// Builders of governance events for tests: a small chain told height by height, every field overridable.

import type { LogEntry } from '../../infra/log/event-log.ts'
import { encodeEvent } from '../../ingest/contract/codec.ts'
import { indexOf, ORDINAL } from '../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../../ingest/contract/events.ts'
import type {
  Delegation,
  GovParams,
  PoolState,
  ProposalState,
  VoteState,
  WeightedOption,
} from '../../ingest/contract/facts.ts'

export const CHAIN_ID = 'test-1'

export const timeOf = (height: number): string =>
  new Date(Date.UTC(2026, 0, 1) + height * 6000).toISOString()

/** Any event: `ordinal` and `sub` say where in its height it stands. */
export const eventOf = <T extends GovernanceEventType>(
  type: T,
  at: { height: number; ordinal: number; sub?: number; subject?: string },
  data: EventOf<T>['data'],
): EventOf<T> => {
  const index = indexOf(at.ordinal, at.sub ?? 0)
  return {
    specversion: '1.0',
    id: `${CHAIN_ID}/${at.height}/${index}`,
    source: `/chains/${CHAIN_ID}`,
    ...(at.subject === undefined ? {} : { subject: at.subject }),
    type,
    time: timeOf(at.height),
    datacontenttype: 'application/json',
    height: at.height,
    index,
    data,
  } as unknown as EventOf<T>
}

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
  submitTime: timeOf(1),
  depositEndTime: timeOf(100),
  votingStartTime: null,
  votingEndTime: null,
  totalDeposit: [{ denom: 'stake', amount: '10' }],
  finalTally: null,
  ...changes,
})

type Unplaced = (height: number, ordinal: number) => GovernanceEvent
const after = ORDINAL.after
const on = (proposalId: string) => ({ subject: `proposals/${proposalId}` })
export const TX_HASH = 'A'.repeat(64)

export const submitted = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.proposal.submitted.v1'>['data']> = {},
): Unplaced => {
  const data = { proposalId, proposal: proposalState(proposalId), proposalReason: null }
  const message = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent' }
  const rest = { messages: [message], txHash: TX_HASH }
  return (height, ordinal) =>
    eventOf(
      'rollcall.proposal.submitted.v1',
      { height, ordinal, ...on(proposalId) },
      { ...data, ...rest, ...changes },
    )
}

export const deposited = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.proposal.deposited.v1'>['data']> = {},
): Unplaced => {
  const known = { proposalId, proposal: proposalState(proposalId), proposalReason: null }
  const rest = { depositor: null, amount: [], txHash: TX_HASH }
  return (height, ordinal) =>
    eventOf(
      'rollcall.proposal.deposited.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, ...rest, ...changes },
    )
}

export const votingState = (
  proposalId: string,
  changes: Partial<ProposalState> = {},
): ProposalState =>
  proposalState(proposalId, {
    status: 'voting_period',
    votingStartTime: timeOf(2),
    votingEndTime: timeOf(50),
    ...changes,
  })

export const votingStarted = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.voting.started.v1'>['data']> = {},
): Unplaced => {
  const known = { proposalId, proposal: votingState(proposalId), proposalReason: null }
  return (height, ordinal) =>
    eventOf(
      'rollcall.voting.started.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, txHash: TX_HASH, ...changes },
    )
}

export const vote = (
  proposalId: string,
  voter: string,
  changes: Partial<EventOf<'rollcall.vote.cast.v1'>['data']> = {},
): Unplaced => {
  const who = { proposalId, round: 1, voter, voterReason: null }
  const what = { options: all('yes'), txHash: TX_HASH, counted: true }
  const stake = { delegations: [], delegationsReason: null }
  return (height, ordinal) =>
    eventOf(
      'rollcall.vote.cast.v1',
      { height, ordinal, ...on(proposalId) },
      { ...who, ...what, ...stake, ...changes },
    )
}

export const closed = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.proposal.closed.v1'>['data']> = {},
): Unplaced => {
  const status = changes.outcome ?? 'passed'
  const finalTally = { yes: '100', abstain: '0', no: '0', noWithVeto: '0' }
  const proposal = votingState(proposalId, { status, finalTally })
  const known = { proposalId, proposal, proposalReason: null, round: 1, log: status, finalTally }
  const applied = { bondedTokens: '3000', params: params(), unavailableReason: null }
  const outcome = { outcome: 'passed' as const, result: `proposal_${status}` }
  return (height, ordinal) =>
    eventOf(
      'rollcall.proposal.closed.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, ...applied, ...outcome, ...changes },
    )
}

export const restarted = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.voting.restarted.v1'>['data']> = {},
): Unplaced => {
  const finalTally = { yes: '1', abstain: '0', no: '2', noWithVeto: '0' }
  const proposal = votingState(proposalId, { expedited: false, finalTally })
  const known = { proposalId, proposal, proposalReason: null, round: 1, log: null, finalTally }
  const applied = { bondedTokens: '3000', params: params(), unavailableReason: null }
  return (height, ordinal) =>
    eventOf(
      'rollcall.voting.restarted.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, ...applied, result: 'expedited_proposal_rejected', ...changes },
    )
}

export const canceled =
  (proposalId: string): Unplaced =>
  (height, ordinal) =>
    eventOf(
      'rollcall.proposal.canceled.v1',
      { height, ordinal, ...on(proposalId) },
      { proposalId, sender: 'proposer-account', txHash: TX_HASH },
    )

export const dropped =
  (proposalId: string): Unplaced =>
  (height, ordinal) =>
    eventOf(
      'rollcall.proposal.dropped.v1',
      { height, ordinal, ...on(proposalId) },
      { proposalId, result: 'proposal_dropped' },
    )

export const unread =
  (proposalId: string | null, abciType = 'proposal_vote'): Unplaced =>
  (height, ordinal) =>
    eventOf(
      'rollcall.abci-event.unread.v1',
      { height, ordinal },
      { abciType, attributes: [], proposalId, txHash: null, reason: 'no such option format' },
    )

/** `sub` keeps apart what a height observes at its end. */
export const poolsObserved =
  (
    pools: PoolState[],
    changes: Partial<EventOf<'rollcall.pools.observed.v1'>['data']> = {},
    sub = 0,
  ): Unplaced =>
  (height) =>
    eventOf(
      'rollcall.pools.observed.v1',
      { height, ordinal: after, sub: 1000 + sub },
      {
        chunk: 0,
        chunks: 1,
        full: true,
        pools,
        bondedTokens: '3000',
        unavailableReason: null,
        ...changes,
      },
    )

export const paramsObserved =
  (observed: GovParams | null = params()): Unplaced =>
  (height) =>
    eventOf(
      'rollcall.params.observed.v1',
      { height, ordinal: after, sub: 3000 },
      { params: observed, unavailableReason: observed ? null : 'pruned' },
    )

export const stakeChanged =
  (voter: string, delegations: Delegation[] | null, sub = 0): Unplaced =>
  (height) =>
    eventOf(
      'rollcall.stake.changed.v1',
      { height, ordinal: after, sub },
      { voter, delegations, delegationsReason: delegations ? null : 'pruned' },
    )

export const snapshot =
  (
    changes: Partial<EventOf<'rollcall.chain.snapshot.v1'>['data']> = {},
    chunk = 0,
    chunks = 1,
  ): Unplaced =>
  (height) =>
    eventOf(
      'rollcall.chain.snapshot.v1',
      { height, ordinal: ORDINAL.before, sub: chunk },
      {
        chunk,
        chunks,
        stateHeight: height - 1,
        proposals: [],
        votes: [],
        pools: [],
        params: chunk === 0 ? params() : null,
        bondedTokens: chunk === 0 ? '3000' : null,
        unavailable: [],
        ...changes,
      },
    )

export const earlierVote = (
  proposalId: string,
  voter: string,
  changes: Partial<VoteState> = {},
): VoteState => ({
  proposalId,
  voter,
  options: all('yes'),
  delegations: [],
  delegationsReason: null,
  ...changes,
})

export const marker =
  (openSince: number | null = null, tip = 0): Unplaced =>
  (height) =>
    eventOf(
      'rollcall.block.indexed.v1',
      { height, ordinal: ORDINAL.marker },
      {
        from: height,
        hash: `hash-${height}`,
        previousHash: `hash-${height - 1}`,
        events: 0,
        tip: Math.max(tip, height),
        parserVersion: 1,
        openSince,
      },
    )

/** The events of one height, placed in the order given, its marker last. */
export const heightOf = (
  height: number,
  events: readonly Unplaced[],
  openSince: number | null = null,
): GovernanceEvent[] =>
  [...events, marker(openSince)]
    .map((place, order) => place(height, order + 1))
    .sort((one, other) => one.index - other.index)

export const entryOfEvent = (event: GovernanceEvent): LogEntry => ({
  height: event.height,
  timeMs: Date.parse(event.time),
  value: encodeEvent(event),
})
