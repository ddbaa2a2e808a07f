// The open proposals, folded from the events in the log and from facts that are not appended yet. Reads no store.

import type { EventOf, GovernanceEvent } from './contract/events.ts'
import type { WeightedOption } from './contract/facts.ts'
import type { RawFact } from './derive/raw-fact.ts'

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
}

export type OpenProposals = {
  /** Facts of one block, in order, each exactly once. */
  applyFact(fact: RawFact, height: number): Applied
  /** Voters without another ballot on an open proposal after the event. */
  applyEvent(event: GovernanceEvent): readonly string[]
  isAnyVoting(): boolean
  /** Whether the voter has a ballot on an open proposal. */
  hasBallot(voter: string): boolean
  /** Null if no proposal is open. */
  openSince(): number | null
}

const toChangeFromEvent = (event: GovernanceEvent): Change | undefined => {
  switch (event.type) {
    case 'rollcall.proposal.submitted.v1':
      return { kind: 'submitted', proposalId: event.data.proposalId }
    case 'rollcall.proposal.deposited.v1':
      return { kind: 'deposited', proposalId: event.data.proposalId }
    case 'rollcall.voting.started.v1':
      return { kind: 'voting_started', proposalId: event.data.proposalId }
    case 'rollcall.vote.cast.v1':
      return { ...event.data, kind: 'vote_cast' }
    case 'rollcall.voting.restarted.v1':
      return { kind: 'restarted', proposalId: event.data.proposalId }
    case 'rollcall.proposal.closed.v1':
      return { kind: 'closed', proposalId: event.data.proposalId }
    case 'rollcall.proposal.canceled.v1':
      return { kind: 'canceled', proposalId: event.data.proposalId }
    case 'rollcall.proposal.dropped.v1':
      return { kind: 'dropped', proposalId: event.data.proposalId }
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
  return before
}

/** Returns the proposal if the change ends it, or the round if the change ends the round. */
const applyTo = (proposal: Mutable, change: Change): OpenProposal | undefined => {
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
    case 'closed':
    case 'canceled':
    case 'dropped':
      // A tally proves a vote, even one that began before the first height of the log.
      if (change.isTallied) startVoting(proposal, 1)
      return proposal
  }
}

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
    }
    open.set(proposalId, fresh)
    return fresh
  }
  const hasBallot = (voter: string): boolean =>
    [...open.values()].some(({ ballots }) => ballots.has(voter))

  const apply = (change: Change, height: number): Applied => {
    const proposal = find(change.proposalId, height, change.kind !== 'submitted')
    const wasVoting = proposal.isVoting
    const before = applyTo(proposal, change)
    if (before === proposal) open.delete(change.proposalId)
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
    }
    for (const { proposalId, voter, options } of data.votes) {
      apply({ kind: 'vote_cast', proposalId, voter, options, counted: true }, height)
    }
  }

  return {
    applyFact: (fact, height) =>
      fact.kind === 'undecodable' ? miss(fact.proposalId) : apply(fact, height),
    applyEvent: (event) => {
      if (event.type === 'rollcall.chain.snapshot.v1') applySnapshot(event)
      if (event.type === 'rollcall.abci-event.undecodable.v1') miss(event.data.proposalId)
      const change = toChangeFromEvent(event)
      return change ? apply(change, event.height).releasedVoters : []
    },
    isAnyVoting: () => [...open.values()].some(({ isVoting }) => isVoting),
    hasBallot,
    openSince: () => {
      let lowest: number | null = null
      for (const { since } of open.values()) lowest = Math.min(lowest ?? since, since)
      return lowest
    },
  }
}
