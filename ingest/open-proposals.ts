// The proposals that are still open, folded from the log's own events and from facts not yet appended. Never reads a store.

import type { EventOf, GovernanceEvent } from './contract/events.ts'
import type { WeightedOption } from './contract/facts.ts'
import type { RawFact } from './derive/raw-fact.ts'

export type OpenProposal = {
  proposalId: string
  /** Folding must begin at this height to know all of it. */
  since: number
  /** 0 while no vote was held, 2 after an expedited vote fell back. */
  round: number
  isVoting: boolean
  /** Latest counted ballot of each voter in this round. */
  ballots: ReadonlyMap<string, readonly WeightedOption[]>
  /** Votes of this round were cast that nobody could read, or before all that the log knows. */
  lacksBallots: boolean
}

export type Applied = {
  /** The round that the fact belongs to. */
  round: number
  /** The vote was not known to be held before this fact. */
  startsVoting: boolean
  /** The proposal as it stood before the fact ended it, or its round. */
  before: OpenProposal | undefined
  /** Voters whose last ballot on an open proposal ended with the fact. */
  releasedVoters: readonly string[]
}

/** What a snapshot calls the votes of a proposal, where it lacks them. */
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
  /** Voters whose last ballot on an open proposal ended with the event. */
  applyEvent(event: GovernanceEvent): readonly string[]
  isAnyVoting(): boolean
  /** Has a ballot on a proposal that is still open. */
  hasBallot(voter: string): boolean
  /** Null when nothing is open. */
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

/** The vote begins anew; gives it as it was. */
const restart = (proposal: Mutable): OpenProposal => {
  const before = { ...proposal, round: Math.max(proposal.round, 1) }
  startVoting(proposal, before.round + 1)
  proposal.ballots = new Map()
  proposal.lacksBallots = false
  return before
}

/** Gives the proposal itself where the change ends it, the round where it ends that. */
const applyTo = (proposal: Mutable, change: Change): OpenProposal | undefined => {
  switch (change.kind) {
    case 'submitted':
    case 'deposited':
    case 'unread':
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
      // A tally proves a vote, also one that began before all we know.
      if (change.isTallied) startVoting(proposal, 1)
      return proposal
  }
}

export const createOpenProposals = (): OpenProposals => {
  const open = new Map<string, Mutable>()

  /** What the snapshot could not read: said in its first chunk. */
  const unavailable = new Set<string>()

  /** A proposal that no snapshot named is taken in where it first shows. */
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
  /** A proposal that only an unread event names is not taken in. */
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
      fact.kind === 'unread' ? miss(fact.proposalId) : apply(fact, height),
    applyEvent: (event) => {
      if (event.type === 'rollcall.chain.snapshot.v1') applySnapshot(event)
      if (event.type === 'rollcall.abci-event.unread.v1') miss(event.data.proposalId)
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
