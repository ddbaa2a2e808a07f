// The complete state of the fold: open proposals with their voting rounds, and the rows to write.
import type { StateObservation } from '../../ingest/contract/context-events.ts'
import type { GovParams, ProposalState } from '../../ingest/contract/facts.ts'
import type { EventPosition } from './event-position.ts'
import type { VotingRound } from './voting-round.ts'

/** Why an event lacks the state of its proposal, or its texts too. */
export type Unread = { lacks: 'state' | 'texts'; reason: string }

export type OpenProposal = {
  readonly proposalId: string
  /** The last state from the chain. */
  state: ProposalState
  /** JSON array. */
  messages: string
  /** The parameters that the messages would change, as last observed. */
  observed: readonly StateObservation[]
  round: number
  /** Why `round` is only a lower bound; null if the round is known. */
  roundReason: string | null
  submitted: { height: number; txHash: string | null } | undefined
  /**
   * The parameters for the minimum deposit: the current ones, or those at the end of the deposit period. Null
   * if the node did not report them, undefined if the log has none from its deposit period.
   */
  depositParams: GovParams | null | undefined
  /** The height of the event that closed it. The time is null if the chain closed it earlier, at an unknown height. */
  closed: { height: number; time: string | null } | undefined
  /** What is not known of a vote that ended before the first indexed height; null if the log has the vote itself. */
  reconstructed: string | null
  /** Why its history is incomplete. A reason is removed only if a later state fills in what was missing. */
  readonly partialReasons: string[]
  /** A later reading of its state removes the reasons. */
  unread: readonly Unread[]
  /** A round that ended without the tally of the chain. */
  untallied: VotingRound | undefined
  /** The current or last round. */
  vote: VotingRound | undefined
  /** Position of the latest event for its own row. */
  at: EventPosition
  /** Position of the latest event for anything that is served of it. */
  shownAt: EventPosition
  /** Its first event in the log: a fold of it begins there. */
  readonly firstOffset: bigint
}

export type FoldState = {
  /** Open proposals, by ID. */
  readonly proposals: Map<string, OpenProposal>
  /** Closed proposals whose state was not read yet, by ID. */
  readonly awaited: Map<string, OpenProposal>
  /** IDs of closed proposals, also of those. */
  readonly closed: Set<string>
  /** Of these, the ones that had ended before the first indexed height: only they can be reconstructed. */
  readonly earlier: Set<string>
  /** Rounds that ended at the current height. */
  readonly endedRounds: Map<VotingRound, OpenProposal>
  /** Proposals that close at the current height. */
  readonly closing: Set<OpenProposal>
  /** State with rows to write. */
  readonly changed: {
    readonly proposals: Set<OpenProposal>
    readonly rounds: Set<VotingRound>
    readonly watermarks: Set<OpenProposal>
  }
}

/** Proposals that were closed before a fold begins. */
export type ClosedProposal = { proposalId: string; isEarlier: boolean }

export const createFoldState = (closed: readonly ClosedProposal[]): FoldState => ({
  proposals: new Map(),
  awaited: new Map(),
  closed: new Set(closed.map(({ proposalId }) => proposalId)),
  earlier: new Set(closed.filter(({ isEarlier }) => isEarlier).map(({ proposalId }) => proposalId)),
  endedRounds: new Map(),
  closing: new Set(),
  changed: { proposals: new Set(), rounds: new Set(), watermarks: new Set() },
})

/** A proposal that an event names before any event describes it. */
export const blankProposal = (proposalId: string, status: string): ProposalState => ({
  proposalId,
  title: '',
  summary: '',
  metadata: '',
  proposer: null,
  messageTypes: [],
  status,
  expedited: false,
  failedReason: null,
  submitTime: null,
  depositEndTime: null,
  votingStartTime: null,
  votingEndTime: null,
  totalDeposit: [],
  finalTally: null,
})

/** First offset of open and awaited state; undefined if there is none. */
export const firstOffset = ({ proposals, awaited }: FoldState): bigint | undefined => {
  let first: bigint | undefined
  for (const proposal of [...proposals.values(), ...awaited.values()]) {
    if (first === undefined || proposal.firstOffset < first) first = proposal.firstOffset
  }
  return first
}
