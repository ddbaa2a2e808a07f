// All that the fold remembers: open proposals with their voting rounds, the pools, and which rows are to be written.
import type { GovParams, ProposalState } from '../../ingest/contract/facts.ts'
import type { EventPosition } from './event-position.ts'
import { PoolRegistry } from './pool-registry.ts'
import type { KeptContext } from './proposal-context.ts'
import type { VotingRound } from './voting-round.ts'

export type OpenProposal = {
  readonly proposalId: string
  /** As the chain's state had it last. */
  state: ProposalState
  /** JSON array. */
  messages: string
  /** What the chain's state said about the things that the messages touch. */
  context: KeptContext
  round: number
  /** Why `round` is only the lowest that it can be; null where it is known. */
  roundReason: string | null
  submitted: { height: number; txHash: string | null } | undefined
  /**
   * The parameters that say which deposit starts its vote: those in force now, or when its deposit period ended. Null
   * where the node did not report them, undefined where the log has none from its deposit period.
   */
  depositParams: GovParams | null | undefined
  closed: EventPosition | undefined
  /** Why its history is not complete. None is ever taken back. */
  readonly partialReasons: string[]
  /** The round that is being voted on, or was last. */
  vote: VotingRound | undefined
  /** Latest event that its own row follows. */
  at: EventPosition
  /** Latest event that anything shown of it follows. */
  shownAt: EventPosition
  /** The first event of it in the log: folding it begins there. */
  readonly firstOffset: bigint
}

export type FoldState = {
  readonly registry: PoolRegistry
  /** Those that can still change, by id. */
  readonly proposals: Map<string, OpenProposal>
  /** Ids of all that cannot. */
  readonly closed: Set<string>
  /** Rounds that ended at the height that is being folded. */
  readonly endedRounds: Map<VotingRound, OpenProposal>
  /** Proposals that close at the height that is being folded. */
  readonly closing: Set<OpenProposal>
  /** What has rows to be written. */
  readonly changed: {
    readonly proposals: Set<OpenProposal>
    readonly rounds: Set<VotingRound>
    readonly watermarks: Set<OpenProposal>
  }
}

/** `closed`: ids of the proposals that were closed before the fold begins. */
export const createFoldState = (closed: Iterable<string>): FoldState => ({
  registry: new PoolRegistry(),
  proposals: new Map(),
  closed: new Set(closed),
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

/** Rounds that are open, or ended at this height: their tally came after its transactions. */
export const currentRounds = (state: FoldState): [VotingRound, OpenProposal][] => {
  const rounds = [...state.endedRounds]
  for (const proposal of state.proposals.values()) {
    const { vote } = proposal
    if (vote && !vote.end) rounds.push([vote, proposal])
  }
  return rounds
}

/** Where the fold of what is still open begins; undefined where nothing is open. */
export const firstOffset = (state: FoldState): bigint | undefined => {
  let first: bigint | undefined
  for (const proposal of state.proposals.values()) {
    if (first === undefined || proposal.firstOffset < first) first = proposal.firstOffset
  }
  return first
}
