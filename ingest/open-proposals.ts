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
}

export type Applied = {
  /** The round that the fact belongs to. */
  round: number
  /** The vote was not known to be held before this fact. */
  startsVoting: boolean
  /** The proposal as it stood before the fact ended it, or its round. */
  before: OpenProposal | undefined
}

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
  applyEvent(event: GovernanceEvent): void
  isAnyVoting(): boolean
  /** Has a ballot on a proposal that is still open. */
  hasBallot(voter: string): boolean
  /** Null when nothing is open. */
  openSince(): number | null
}

const changeOfEvent = (event: GovernanceEvent): Change | undefined => {
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

export const createOpenProposals = (): OpenProposals => {
  const open = new Map<string, Mutable>()

  /** A proposal that no snapshot named is taken in where it first shows. */
  const find = (proposalId: string, height: number): Mutable => {
    const found = open.get(proposalId)
    if (found) return found
    const fresh = { proposalId, since: height, round: 0, isVoting: false, ballots: new Map() }
    open.set(proposalId, fresh)
    return fresh
  }
  const startVoting = (proposal: Mutable, round: number) => {
    proposal.isVoting = true
    proposal.round = Math.max(proposal.round, round)
  }
  const apply = (change: Change, height: number): Applied => {
    const proposal = find(change.proposalId, height)
    const wasVoting = proposal.isVoting
    switch (change.kind) {
      case 'submitted':
      case 'deposited':
      case 'unread':
        break
      case 'voting_started':
        startVoting(proposal, 1)
        break
      case 'vote_cast':
        startVoting(proposal, 1)
        if (change.counted && change.voter && change.options) {
          proposal.ballots.set(change.voter, change.options)
        }
        break
      case 'restarted': {
        const before = { ...proposal, round: Math.max(proposal.round, 1) }
        startVoting(proposal, before.round + 1)
        proposal.ballots = new Map()
        return { round: before.round, startsVoting: !wasVoting, before }
      }
      case 'closed':
      case 'canceled':
      case 'dropped':
        // A tally proves a vote, also one that began before all we know.
        if (change.isTallied) startVoting(proposal, 1)
        open.delete(change.proposalId)
        return {
          round: proposal.round,
          startsVoting: proposal.isVoting && !wasVoting,
          before: proposal,
        }
    }
    return {
      round: proposal.round,
      startsVoting: proposal.isVoting && !wasVoting,
      before: undefined,
    }
  }
  const applySnapshot = ({ data, height }: EventOf<'rollcall.chain.snapshot.v1'>) => {
    for (const { proposal, round } of data.proposals) {
      const { proposalId, status } = proposal
      if (status !== 'deposit_period' && status !== 'voting_period') continue
      const opened = find(proposalId, height)
      if (status === 'voting_period') startVoting(opened, round)
    }
    for (const { proposalId, voter, options } of data.votes) {
      apply({ kind: 'vote_cast', proposalId, voter, options, counted: true }, height)
    }
  }

  return {
    applyFact: (fact, height) =>
      fact.kind === 'unread'
        ? { round: 0, startsVoting: false, before: undefined }
        : apply(fact, height),
    applyEvent: (event) => {
      if (event.type === 'rollcall.chain.snapshot.v1') applySnapshot(event)
      const change = changeOfEvent(event)
      if (change) apply(change, event.height)
    },
    isAnyVoting: () => [...open.values()].some(({ isVoting }) => isVoting),
    hasBallot: (voter) => [...open.values()].some(({ ballots }) => ballots.has(voter)),
    openSince: () => {
      const heights = [...open.values()].map(({ since }) => since)
      return heights.length === 0 ? null : Math.min(...heights)
    },
  }
}
