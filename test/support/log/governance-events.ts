// Builders of governance events for tests: a small chain height by height; a test can override every field.
import type { LogEntry } from '../../../infra/base/log/event-log.ts'
import { encodeEvent } from '../../../ingest/contract/codec.ts'
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState, ProposalState } from '../../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../../ingest/contract/round-events.ts'
import { all, createEvent, params, proposalState, toBlockTime } from './governance-values.ts'

export type EventBuilder = {
  (height: number, ordinal: number): GovernanceEvent
  /** Its ordinal is that of the event before it. */
  follows?: true
}
const after = ORDINAL.after
const on = (proposalId: string) => ({ subject: `proposals/${proposalId}` })
export const TX_HASH = 'A'.repeat(64)

export const submitted = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.proposal.submitted.v1'>['data']> = {},
): EventBuilder => {
  const data = { proposalId, proposal: proposalState(proposalId), proposalReason: null }
  const message = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent' }
  const rest = { messages: [message], txHash: TX_HASH, params: params() }
  return (height, ordinal) =>
    createEvent(
      'rollcall.proposal.submitted.v1',
      { height, ordinal, ...on(proposalId) },
      { ...data, ...rest, ...changes },
    )
}

export const deposited = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.proposal.deposited.v1'>['data']> = {},
): EventBuilder => {
  const known = { proposalId, proposal: proposalState(proposalId), proposalReason: null }
  const rest = { depositor: null, amount: [], txHash: TX_HASH }
  return (height, ordinal) =>
    createEvent(
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
    votingStartTime: toBlockTime(2),
    votingEndTime: toBlockTime(50),
    ...changes,
  })

export const votingStarted = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.voting.started.v1'>['data']> = {},
): EventBuilder => {
  const known = { proposalId, proposal: votingState(proposalId), proposalReason: null }
  return (height, ordinal) =>
    createEvent(
      'rollcall.voting.started.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, txHash: TX_HASH, ...changes },
    )
}

export const vote = (
  proposalId: string,
  voter: string,
  changes: Partial<EventOf<'rollcall.vote.cast.v1'>['data']> = {},
): EventBuilder => {
  const who = { proposalId, round: 1, voter, voterReason: null }
  const what = { options: all('yes'), txHash: TX_HASH, counted: true }
  return (height, ordinal) =>
    createEvent(
      'rollcall.vote.cast.v1',
      { height, ordinal, ...on(proposalId) },
      { ...who, ...what, ...changes },
    )
}

export const closed = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.proposal.closed.v1'>['data']> = {},
): EventBuilder => {
  const status = changes.outcome ?? 'passed'
  const finalTally = { yes: '100', abstain: '0', no: '0', noWithVeto: '0' }
  const proposal = votingState(proposalId, { status, finalTally })
  const known = { proposalId, proposal, proposalReason: null, round: 1, log: status, finalTally }
  const outcome = { outcome: 'passed' as const, result: `proposal_${status}` }
  return (height, ordinal) =>
    createEvent(
      'rollcall.proposal.closed.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, unavailableReason: null, ...outcome, ...changes },
    )
}

export const restarted = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.voting.restarted.v1'>['data']> = {},
): EventBuilder => {
  const finalTally = { yes: '1', abstain: '0', no: '2', noWithVeto: '0' }
  const proposal = votingState(proposalId, { expedited: false, finalTally })
  const known = { proposalId, proposal, proposalReason: null, round: 1, log: null, finalTally }
  return (height, ordinal) =>
    createEvent(
      'rollcall.voting.restarted.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, unavailableReason: null, result: 'expedited_proposal_rejected', ...changes },
    )
}

type RoundRead = EventOf<'rollcall.round.read.v1'>['data']

/** The stake of one voter in a reading; one null if the node cannot return it. */
export const stakeOf = (voter: string, ...stake: (Delegation | null)[]): ReadBallot => {
  const delegations = stake.filter((delegation) => delegation !== null)
  if (delegations.length === stake.length) return { voter, delegations }
  return { voter, delegations: null, delegationsReason: 'pruned' }
}

/** One ballot of the state in a reading, without stake unless `changes` has it. */
export const ballotOf = (voter: string, changes: Partial<ReadBallot> = {}): ReadBallot => ({
  voter,
  options: all('yes'),
  ...changes,
})

/** One chunk of a reading at the end of a height, with the ballots and pools that it names. */
export const reading =
  (proposalId: string, changes: Partial<RoundRead> = {}): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.round.read.v1',
      {
        height,
        ordinal: after,
        sub: 1000 + ((8 * Number(proposalId)) % 3000) + (changes.chunk ?? 0),
        ...on(proposalId),
      },
      { ...toReading(proposalId, height), ...changes },
    )

const toReading = (proposalId: string, stateHeight: number): RoundRead => ({
  proposalId,
  round: 1,
  chunk: 0,
  chunks: 1,
  stateHeight,
  final: false,
  allBallots: false,
  allPools: false,
  complete: true,
  incompleteReason: null,
  pools: [],
  ballots: [],
})

/** The state of a vote at the end of a height, with all pools and parameters. */
export const firstReading = (
  proposalId: string,
  pools: PoolState[],
  changes: Partial<RoundRead> = {},
): EventBuilder =>
  reading(proposalId, {
    allPools: true,
    allBallots: true,
    pools,
    params: params(),
    bondedTokens: '3000',
    ...changes,
  })

/** A vote, and a reading with the stake of its voter: one for each height. */
export const voteWith = (
  proposalId: string,
  voter: string,
  delegations: Delegation[] | null,
  changes: Partial<EventOf<'rollcall.vote.cast.v1'>['data']> = {},
): EventBuilder[] => {
  const { round = 1 } = changes
  const ballots = [stakeOf(voter, ...(delegations ?? [null]))]
  return [vote(proposalId, voter, changes), reading(proposalId, { round, ballots })]
}

/** One chunk of the inputs of a round's tally, after the event that ended the round. */
export const finalReading = (
  proposalId: string,
  changes: Partial<RoundRead> = {},
  sub = 1,
): EventBuilder => {
  const whole = { final: true, allBallots: true, allPools: true }
  const inputs = { params: params(), bondedTokens: '3000' }
  const build = (height: number, ordinal: number) =>
    createEvent(
      'rollcall.round.read.v1',
      { height, ordinal, sub, ...on(proposalId) },
      { ...toReading(proposalId, height), ...whole, ...inputs, ...changes },
    )
  return Object.assign(build, { follows: true } as const)
}

export const canceled =
  (proposalId: string): EventBuilder =>
  (height, ordinal) =>
    createEvent(
      'rollcall.proposal.canceled.v1',
      { height, ordinal, ...on(proposalId) },
      { proposalId, sender: 'proposer-account', txHash: TX_HASH },
    )

export const dropped =
  (proposalId: string): EventBuilder =>
  (height, ordinal) =>
    createEvent(
      'rollcall.proposal.dropped.v1',
      { height, ordinal, ...on(proposalId) },
      { proposalId, result: 'proposal_dropped' },
    )

type Reconciled = EventOf<'rollcall.proposal.reconciled.v1'>['data']

/** The state of the chain has the proposal otherwise than its events. */
export const reconciled =
  (proposalId: string, changes: Partial<Reconciled> & Pick<Reconciled, 'finding'>): EventBuilder =>
  (height, ordinal) =>
    createEvent(
      'rollcall.proposal.reconciled.v1',
      { height, ordinal, ...on(proposalId) },
      {
        proposalId,
        proposal: votingState(proposalId),
        proposalReason: null,
        round: 1,
        log: null,
        finalTally: null,
        unavailableReason: null,
        cause: 'periodic',
        result: null,
        closedHeight: null,
        closedTime: null,
        closedReason: null,
        ...changes,
      },
    )

export const undecodableEvent =
  (proposalId: string | null, abciType = 'proposal_vote'): EventBuilder =>
  (height, ordinal) =>
    createEvent(
      'rollcall.abci-event.undecodable.v1',
      { height, ordinal },
      { abciType, attributes: [], proposalId, txHash: null, reason: 'no such option format' },
    )

export const snapshot =
  (
    changes: Partial<EventOf<'rollcall.chain.snapshot.v1'>['data']> = {},
    chunk = 0,
    chunks = 1,
  ): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.chain.snapshot.v1',
      { height, ordinal: ORDINAL.before, sub: chunk },
      {
        chunk,
        chunks,
        stateHeight: height - 1,
        proposals: [],
        pools: [],
        params: chunk === 0 ? params() : null,
        unavailable: [],
        ...changes,
      },
    )

/** The votes of an open proposal in the state before the first height. */
export const snapshotReading =
  (proposalId: string, changes: Partial<RoundRead> = {}, sub = 100): EventBuilder =>
  (height) => {
    const whole = { allBallots: true, allPools: true, params: params(), bondedTokens: '3000' }
    return createEvent(
      'rollcall.round.read.v1',
      { height, ordinal: ORDINAL.before, sub: sub + Number(proposalId), ...on(proposalId) },
      { ...toReading(proposalId, height - 1), ...whole, ...changes },
    )
  }

export const marker =
  (openSince: number | null = null, tip = 0): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.block.indexed.v1',
      { height, ordinal: ORDINAL.marker },
      {
        from: height,
        hash: `hash-${height}`,
        previousHash: `hash-${height - 1}`,
        events: 0,
        tip: Math.max(tip, height),
        openSince,
      },
    )

/** The events of one height in the given order, with its marker last. */
export const createHeightEvents = (
  height: number,
  events: readonly EventBuilder[],
  openSince: number | null = null,
): GovernanceEvent[] => {
  let ordinal = 0
  return [...events, marker(openSince)]
    .map((build) => build(height, build.follows ? ordinal : ++ordinal))
    .sort((one, other) => one.index - other.index)
}

export const toLogEntry = (event: GovernanceEvent): LogEntry => ({
  height: event.height,
  timeMs: Date.parse(event.time),
  value: encodeEvent(event),
})
