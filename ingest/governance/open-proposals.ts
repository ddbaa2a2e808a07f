// The open proposals, folded from the events in the log and from facts that are not appended yet. Reads no store.

import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { ProposalState, WeightedOption } from '../contract/facts.ts'
import type { Finding, RawFact } from '../derive/raw-fact.ts'

/** The parts of a proposal's state that are compared with the chain's. */
export type KnownState = Pick<ProposalState, 'expedited' | 'depositEndTime' | 'votingEndTime'>

/** Findings after which the vote continues, and the next readings decide. */
export type Doubt = Extract<Finding, 'overdue' | 'unreadable' | 'missing' | 'contradicted'>

export type OpenProposal = {
  proposalId: string
  /** The fold must begin at this height to have the complete proposal. */
  since: number
  /** 0 before a vote, 2 after an expedited vote that failed. */
  round: number
  isVoting: boolean
  /** Latest counted ballot of each voter in this round. */
  ballots: ReadonlyMap<string, readonly WeightedOption[]>
  /** True if the log lacks votes of this round: undecodable ones, or those before the first height of the log. */
  lacksBallots: boolean
  /** As in the log: only of events that start or restart a period, so that a restart knows the same. */
  known: KnownState | undefined
  /** The last height whose events or state have it open. */
  seenAt: number
  /** What the last reading leaves in doubt, and since which height; null if it is as in the log. */
  disagreement: { finding: Doubt; height: number } | null
}

export type Applied = {
  /** The round of the fact. */
  round: number
  /** The vote was unknown before this fact. */
  startsVoting: boolean
  /** The proposal before the fact ended it or its round. */
  before: OpenProposal | undefined
  /** Voters without another ballot on an open proposal after the fact. */
  releasedVoters: readonly string[]
}

/** The name of a proposal's votes in `unavailable` of a snapshot. */
export const describeVotes = (proposalId: string): string => `votes of proposal ${proposalId}`

type Mutable = OpenProposal & { ballots: Map<string, readonly WeightedOption[]> }
type Change = Pick<RawFact, 'kind'> & {
  proposalId: string
  voter?: string | null
  options?: readonly WeightedOption[]
  counted?: boolean
  isTallied?: boolean
  finding?: Finding
  /** The state after the height. */
  read?: ProposalState | null
}

export type OpenProposals = {
  /** Facts of one block, in order, each exactly once. `read`: the state after the height, if it was read. */
  applyFact(fact: RawFact, height: number, read?: ProposalState): Applied
  /** Voters without another ballot on an open proposal after the event. */
  applyEvent(event: GovernanceEvent): readonly string[]
  get(proposalId: string): OpenProposal | undefined
  /** In the order of their first events. */
  list(): OpenProposal[]
  isAnyVoting(): boolean
  /** Whether the voter has a ballot on an open proposal. */
  hasBallot(voter: string): boolean
  /** Null if no proposal is open. */
  openSince(): number | null
}

/** A submission that only its transaction describes has no state. */
const toRead = (data: { proposal: ProposalState | null; proposalReason: string | null }) =>
  data.proposalReason === null ? data.proposal : null

const toChangeFromEvent = (event: GovernanceEvent): Change | undefined => {
  switch (event.type) {
    case 'rollcall.proposal.submitted.v1':
      return { kind: 'submitted', proposalId: event.data.proposalId, read: toRead(event.data) }
    case 'rollcall.proposal.deposited.v1':
      return { kind: 'deposited', proposalId: event.data.proposalId }
    case 'rollcall.voting.started.v1':
      return { kind: 'voting_started', proposalId: event.data.proposalId, read: toRead(event.data) }
    case 'rollcall.vote.cast.v1':
      return { ...event.data, kind: 'vote_cast' }
    case 'rollcall.voting.restarted.v1':
      return { kind: 'restarted', proposalId: event.data.proposalId, read: toRead(event.data) }
    case 'rollcall.proposal.closed.v1':
      return { kind: 'closed', proposalId: event.data.proposalId }
    case 'rollcall.proposal.canceled.v1':
      return { kind: 'canceled', proposalId: event.data.proposalId }
    case 'rollcall.proposal.dropped.v1':
      return { kind: 'dropped', proposalId: event.data.proposalId }
    case 'rollcall.proposal.reconciled.v1': {
      const { proposalId, finding } = event.data
      return { kind: 'reconciled', proposalId, finding, read: toRead(event.data) }
    }
    default:
      return undefined
  }
}

const startVoting = (proposal: Mutable, round: number): void => {
  proposal.isVoting = true
  proposal.round = Math.max(proposal.round, round)
}

const castVote = (proposal: Mutable, { counted, voter, options }: Change): void => {
  if (!counted) return
  if (voter && options) proposal.ballots.set(voter, options)
  else proposal.lacksBallots = true
}

/** Restarts the vote; returns its state before. */
const restart = (proposal: Mutable): OpenProposal => {
  const before = { ...proposal, round: Math.max(proposal.round, 1) }
  startVoting(proposal, before.round + 1)
  proposal.ballots = new Map()
  proposal.lacksBallots = false
  // Until a state is read: otherwise the next reading restarts the vote once more.
  if (proposal.known) proposal.known = { ...proposal.known, expedited: false, votingEndTime: null }
  return before
}

/** The findings after which the vote continues. */
const reconcile = (
  proposal: Mutable,
  finding: Finding | undefined,
  height: number,
): OpenProposal | undefined => {
  proposal.disagreement = null
  switch (finding) {
    case 'closed':
    case 'deleted':
      return proposal
    case 'restarted': {
      const before = restart(proposal)
      // Votes before this reading count as votes of the round before.
      proposal.lacksBallots = true
      return before
    }
    case 'voting':
      startVoting(proposal, 1)
      proposal.lacksBallots = true
      return undefined
    case 'overdue':
    case 'unreadable':
    case 'missing':
    case 'contradicted':
      proposal.disagreement = { finding, height }
      return undefined
    default:
      return undefined
  }
}

/** Returns the proposal if the change ends it, or the round if the change ends the round. */
const applyTo = (proposal: Mutable, change: Change, height: number): OpenProposal | undefined => {
  switch (change.kind) {
    case 'submitted':
    case 'deposited':
    case 'undecodable':
      return undefined
    case 'voting_started':
      startVoting(proposal, 1)
      return undefined
    case 'vote_cast':
      startVoting(proposal, 1)
      castVote(proposal, change)
      return undefined
    case 'restarted':
      return restart(proposal)
    case 'reconciled':
      return reconcile(proposal, change.finding, height)
    case 'closed':
    case 'canceled':
    case 'dropped':
      // A tally proves a vote, even one that began before the first height of the log.
      if (change.isTallied) startVoting(proposal, 1)
      return proposal
  }
}

/** Only `overdue` says that the state has it. */
const DOUBTS: ReadonlySet<Finding> = new Set(['unreadable', 'missing', 'contradicted'])

const isSeen = ({ finding }: Change): boolean => finding === undefined || !DOUBTS.has(finding)

export const createOpenProposals = (): OpenProposals => {
  const open = new Map<string, Mutable>()

  /** The data that the snapshot could not read, from its first chunk. */
  const unavailable = new Set<string>()

  /** Adds a proposal that is not in the snapshot at its first event. */
  const find = (proposalId: string, height: number, lacksBallots: boolean): Mutable => {
    const found = open.get(proposalId)
    if (found) return found
    const fresh = {
      proposalId,
      since: height,
      round: 0,
      isVoting: false,
      ballots: new Map(),
      lacksBallots,
      known: undefined,
      seenAt: height,
      disagreement: null,
    }
    open.set(proposalId, fresh)
    return fresh
  }
  const hasBallot = (voter: string): boolean =>
    [...open.values()].some(({ ballots }) => ballots.has(voter))

  const apply = (change: Change, height: number, read = change.read): Applied => {
    const proposal = find(change.proposalId, height, change.kind !== 'submitted')
    const wasVoting = proposal.isVoting
    const before = applyTo(proposal, change, height)
    if (before === proposal) open.delete(change.proposalId)
    else if (isSeen(change)) proposal.seenAt = height
    if (read) proposal.known = read
    return {
      round: (before ?? proposal).round,
      startsVoting: proposal.isVoting && !wasVoting,
      before,
      releasedVoters: [...(before?.ballots.keys() ?? [])].filter((voter) => !hasBallot(voter)),
    }
  }
  /** Ignores a proposal that only an undecodable event names. */
  const miss = (proposalId: string | null): Applied => {
    const proposal = proposalId === null ? undefined : open.get(proposalId)
    if (proposal) proposal.lacksBallots = true
    return { round: 0, startsVoting: false, before: undefined, releasedVoters: [] }
  }
  const applySnapshot = ({ data, height }: EventOf<'rollcall.chain.snapshot.v1'>) => {
    for (const { what } of data.unavailable) unavailable.add(what)
    for (const { proposal, round } of data.proposals) {
      const { proposalId, status } = proposal
      if (status !== 'deposit_period' && status !== 'voting_period') continue
      const opened = find(proposalId, height, unavailable.has(describeVotes(proposalId)))
      if (status === 'voting_period') startVoting(opened, round)
      opened.known = proposal
    }
    for (const { proposalId, voter, options } of data.votes) {
      apply({ kind: 'vote_cast', proposalId, voter, options, counted: true }, height)
    }
  }

  return {
    applyFact: (fact, height, read) =>
      fact.kind === 'undecodable' ? miss(fact.proposalId) : apply(fact, height, read),
    applyEvent: (event) => {
      if (event.type === 'rollcall.chain.snapshot.v1') applySnapshot(event)
      if (event.type === 'rollcall.abci-event.undecodable.v1') miss(event.data.proposalId)
      const change = toChangeFromEvent(event)
      return change ? apply(change, event.height).releasedVoters : []
    },
    get: (proposalId) => open.get(proposalId),
    list: () => [...open.values()],
    isAnyVoting: () => [...open.values()].some(({ isVoting }) => isVoting),
    hasBallot,
    openSince: () => {
      let lowest: number | null = null
      for (const { since } of open.values()) lowest = Math.min(lowest ?? since, since)
      return lowest
    },
  }
}

const DISAGREEMENTS = {
  overdue: 'its period is over, and the state of the chain still has it open',
  unreadable:
    'the end of its period or the meaning of its result is not known: no state is readable',
  missing:
    'the state of the only endpoint that answered lacks it, which a later height must confirm',
  contradicted: 'an endpoint has it in the state of the chain, and another one lacks it',
} as const satisfies Record<Doubt, string>

/** For operators: what the last readings did not explain. */
export const describeDisagreements = (open: OpenProposals): string[] =>
  open
    .list()
    .flatMap(({ proposalId, disagreement }) =>
      disagreement ? [`proposal ${proposalId}: ${DISAGREEMENTS[disagreement.finding]}`] : [],
    )
