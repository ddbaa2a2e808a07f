// Builders of governance events for tests: a small chain height by height; a test can override every field.
import type { LogEntry } from '../../../infra/base/log/event-log.ts'
import { encodeEvent } from '../../../ingest/contract/codec.ts'
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { GovParams, PoolState, ProposalState } from '../../../ingest/contract/facts.ts'
import type { TallyStrategy } from '../../../ingest/contract/tally-rule.ts'
import type { VoteState } from '../../../ingest/contract/voters.ts'
import { all, createEvent, params, proposalState, toBlockTime } from './governance-values.ts'

export type EventBuilder = (height: number, ordinal: number) => GovernanceEvent
const after = ORDINAL.after
const on = (proposalId: string) => ({ subject: `proposals/${proposalId}` })
export const TX_HASH = 'A'.repeat(64)

export const submitted = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.proposal.submitted.v1'>['data']> = {},
): EventBuilder => {
  const data = { proposalId, proposal: proposalState(proposalId), proposalReason: null }
  const message = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent' }
  const rest = { messages: [message], txHash: TX_HASH }
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
  const stake = { delegations: [], delegationsReason: null }
  return (height, ordinal) =>
    createEvent(
      'rollcall.vote.cast.v1',
      { height, ordinal, ...on(proposalId) },
      { ...who, ...what, ...stake, ...changes },
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
  const applied = { bondedTokens: '3000', params: params(), unavailableReason: null }
  const outcome = { outcome: 'passed' as const, result: `proposal_${status}` }
  return (height, ordinal) =>
    createEvent(
      'rollcall.proposal.closed.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, ...applied, ...outcome, ...changes },
    )
}

export const restarted = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.voting.restarted.v1'>['data']> = {},
): EventBuilder => {
  const finalTally = { yes: '1', abstain: '0', no: '2', noWithVeto: '0' }
  const proposal = votingState(proposalId, { expedited: false, finalTally })
  const known = { proposalId, proposal, proposalReason: null, round: 1, log: null, finalTally }
  const applied = { bondedTokens: '3000', params: params(), unavailableReason: null }
  return (height, ordinal) =>
    createEvent(
      'rollcall.voting.restarted.v1',
      { height, ordinal, ...on(proposalId) },
      { ...known, ...applied, result: 'expedited_proposal_rejected', ...changes },
    )
}

/** One chunk of the evidence of a round's tally. */
export const evidence = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.tally.evidence.v1'>['data']> = {},
  sub = 1,
): EventBuilder => {
  const whole = { chunk: 0, chunks: 1, round: 1, complete: true, incompleteReason: null }
  const inputs = { params: params(), bondedTokens: '3000', pools: [], ballots: [] }
  return (height, ordinal) =>
    createEvent(
      'rollcall.tally.evidence.v1',
      { height, ordinal, sub, ...on(proposalId) },
      { proposalId, ...whole, ...inputs, ...changes },
    )
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

export const undecodableEvent =
  (proposalId: string | null, abciType = 'proposal_vote'): EventBuilder =>
  (height, ordinal) =>
    createEvent(
      'rollcall.abci-event.undecodable.v1',
      { height, ordinal },
      { abciType, attributes: [], proposalId, txHash: null, reason: 'no such option format' },
    )

/** `sub` distinguishes the observations at the end of a height. */
export const poolsObserved =
  (
    pools: PoolState[],
    changes: Partial<EventOf<'rollcall.pools.observed.v1'>['data']> = {},
    sub = 0,
  ): EventBuilder =>
  (height) =>
    createEvent(
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
  (observed: GovParams | null = params(), strategy?: TallyStrategy): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.params.observed.v1',
      { height, ordinal: after, sub: 3000 },
      {
        params: observed,
        ...(strategy ? { strategy } : {}),
        unavailableReason: observed ? null : 'pruned',
      },
    )

/** The node's tally of the first round. `agrees` says whether ours is the same. */
export const tallyObserved =
  (
    proposalId: string,
    changes: Partial<EventOf<'rollcall.tally.observed.v1'>['data']> & { agrees: boolean | null },
  ): EventBuilder =>
  (height, ordinal) =>
    createEvent(
      'rollcall.tally.observed.v1',
      { height, ordinal, sub: 3840, ...on(proposalId) },
      {
        proposalId,
        round: 1,
        counts: null,
        countsReason: null,
        recomputed: null,
        recomputedReason: null,
        rule: 'gov',
        ...changes,
      },
    )

export const stakeChanged =
  (voter: string, delegations: Delegation[] | null, sub = 0): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.stake.changed.v1',
      { height, ordinal: after, sub },
      { voter, delegations, delegationsReason: delegations ? null : 'pruned' },
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
        parserVersion: 1,
        openSince,
      },
    )

/** The events of one height in the given order, with its marker last. */
export const createHeightEvents = (
  height: number,
  events: readonly EventBuilder[],
  openSince: number | null = null,
): GovernanceEvent[] =>
  [...events, marker(openSince)]
    .map((createEventAt, order) => createEventAt(height, order + 1))
    .sort((one, other) => one.index - other.index)

export const toLogEntry = (event: GovernanceEvent): LogEntry => ({
  height: event.height,
  timeMs: Date.parse(event.time),
  value: encodeEvent(event),
})
