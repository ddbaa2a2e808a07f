// The proposals that can still change, their voting rounds, and which of their rows are to be written.
// Forgets a proposal once it is closed: after that no fact of it changes.
import type { ProposalState } from '../../ingest/contract/facts.ts'
import type { ReadModelRows, WatermarkRow } from '../contract/read-model.ts'
import { later, type Moment } from './moment.ts'
import type { PoolBook } from './pool-book.ts'
import {
  addPartialReason,
  blankState,
  createFacts,
  impossibleTimes,
  type ProposalFacts,
  proposalRow,
} from './proposals.ts'
import type { RoundEnd, RoundState } from './tallies.ts'
import { createVoteFold } from './vote-fold.ts'
import { emptyVoteRows, makingRows, pushVoteRows, type VoteRows } from './vote-rows.ts'
import { watermarkRow } from './watermarks.ts'

export type OpenProposal = {
  readonly facts: ProposalFacts
  /** The round that is being voted on, or was last. */
  vote: RoundState | undefined
  /** Latest event that anything shown of it follows. */
  shown: Moment
  /** Where the log first names it: its fold begins there. */
  readonly firstOffset: bigint
  isClosing: boolean
}

export type ProposalRows = VoteRows &
  Pick<ReadModelRows, 'proposals'> & { watermarks: WatermarkRow[] }

export type OpenProposals = {
  get(proposalId: string): OpenProposal | undefined
  all(): Iterable<OpenProposal>
  /** Rounds that are open, or ended at this height. */
  votes(): readonly { proposal: OpenProposal; vote: RoundState }[]
  isClosed(proposalId: string): boolean
  /** Introduces a proposal, or gives the one already known. */
  open(state: ProposalState, moment: Moment, offset: bigint): OpenProposal
  /** As `open`, for an event that names a proposal which nothing introduced. Undefined once closed. */
  find(
    proposalId: string,
    status: string,
    at: { moment: Moment; offset: bigint },
  ): OpenProposal | undefined
  /** The proposal's own row changed. */
  noteFacts(proposal: OpenProposal, moment: Moment): void
  /** Something in one of its rounds changed. */
  noteVote(proposal: OpenProposal, vote: RoundState, moment: Moment): void
  markPartial(proposal: OpenProposal, reason: string, moment: Moment): void
  /** Begins a round: earlier ones are over. `isWhole` is false where its beginning was not seen. */
  beginRound(
    proposal: OpenProposal,
    round: number,
    at: { moment: Moment; isWhole: boolean },
  ): RoundState
  endRound(proposal: OpenProposal, end: RoundEnd, moment: Moment): void
  /** A round that ended at this height; undefined for any other. */
  endedRound(
    proposalId: string,
    round: number,
  ): { proposal: OpenProposal; vote: RoundState } | undefined
  /** Nothing of it changes after this height. */
  close(proposal: OpenProposal, moment: Moment): void
  /** At the end of a height: closed proposals give their last rows and are forgotten. */
  settle(): void
  /** Rows that changed since the last call. */
  drain(): ProposalRows
  firstOffset(): bigint | undefined
}

type State = {
  book: PoolBook
  closed: Set<string>
  open: Map<string, OpenProposal>
  dirtyFacts: Set<OpenProposal>
  dirtyVotes: Set<RoundState>
  dirtyMarks: Set<OpenProposal>
  /** Rounds and proposals whose last rows are made at the end of this height. */
  endedVotes: Map<RoundState, OpenProposal>
  closing: Set<OpenProposal>
  /** Rows of what is forgotten already. */
  rows: ProposalRows
}

const emptyRows = (): ProposalRows => ({ ...emptyVoteRows(), proposals: [], watermarks: [] })

const show = (state: State, proposal: OpenProposal, moment: Moment): void => {
  proposal.shown = later(proposal.shown, moment)
  state.dirtyMarks.add(proposal)
}

const noteFacts = (state: State, proposal: OpenProposal, moment: Moment): void => {
  const { facts } = proposal
  facts.moment = later(facts.moment, moment)
  for (const reason of impossibleTimes(facts.state)) addPartialReason(facts, reason, moment)
  state.dirtyFacts.add(proposal)
  show(state, proposal, moment)
}

const noteVote = (
  state: State,
  proposal: OpenProposal,
  { vote, moment }: { vote: RoundState; moment: Moment },
): void => {
  vote.fold.moment = moment
  state.dirtyVotes.add(vote)
  show(state, proposal, vote.fold.moment)
}

const open = (
  state: State,
  introduced: ProposalState,
  at: { moment: Moment; offset: bigint },
): OpenProposal => {
  const known = state.open.get(introduced.proposalId)
  if (known) return known
  const proposal: OpenProposal = {
    facts: createFacts(introduced, at.moment),
    vote: undefined,
    shown: at.moment,
    firstOffset: at.offset,
    isClosing: false,
  }
  state.open.set(introduced.proposalId, proposal)
  noteFacts(state, proposal, at.moment)
  return proposal
}

const markPartial = (
  state: State,
  proposal: OpenProposal,
  reason: { text: string; moment: Moment },
): void => {
  if (addPartialReason(proposal.facts, reason.text, reason.moment)) {
    noteFacts(state, proposal, reason.moment)
  }
}

const find = (
  state: State,
  proposalId: string,
  at: { status: string; moment: Moment; offset: bigint },
): OpenProposal | undefined => {
  const known = state.open.get(proposalId)
  if (known || state.closed.has(proposalId)) return known
  const proposal = open(state, blankState(proposalId, at.status), at)
  const text = `first named at height ${at.moment.height}: its submission was not read`
  markPartial(state, proposal, { text, moment: at.moment })
  return proposal
}

const beginRound = (
  state: State,
  proposal: OpenProposal,
  begin: { round: number; moment: Moment; isWhole: boolean },
): RoundState => {
  const { facts } = proposal
  const vote: RoundState = {
    proposalId: facts.proposalId,
    round: begin.round,
    fold: createVoteFold(state.book, begin.moment),
    isExpedited: facts.state.expedited,
    end: undefined,
  }
  proposal.vote = vote
  facts.round = begin.round
  noteFacts(state, proposal, begin.moment)
  if (!begin.isWhole) {
    vote.fold.castUnknown(begin.moment)
    const text = `the beginning of voting round ${begin.round} was not read`
    markPartial(state, proposal, { text, moment: begin.moment })
  }
  noteVote(state, proposal, { vote, moment: begin.moment })
  return vote
}

const pushRowsOf = (state: State, vote: RoundState): void => {
  if (state.dirtyVotes.delete(vote)) pushVoteRows(state.rows, vote, state.book)
}

const pushOwnRows = (state: State, proposal: OpenProposal): void => {
  const { facts, shown, isClosing } = proposal
  const { rows } = state
  const { proposalId } = facts
  const of = { table: 'proposals', proposalId, moment: shown }
  if (state.dirtyFacts.delete(proposal)) {
    makingRows(rows, of, () => rows.proposals.push(proposalRow(facts)))
  }
  if (!state.dirtyMarks.delete(proposal)) return
  rows.watermarks.push(watermarkRow(proposalId, shown, isClosing))
}

const votesOf = (state: State): { proposal: OpenProposal; vote: RoundState }[] => {
  const votes = [...state.endedVotes].map(([vote, proposal]) => ({ proposal, vote }))
  for (const proposal of state.open.values()) {
    const { vote } = proposal
    if (vote && !vote.end) votes.push({ proposal, vote })
  }
  return votes
}

const settle = (state: State): void => {
  for (const vote of state.endedVotes.keys()) pushRowsOf(state, vote)
  state.endedVotes.clear()
  for (const proposal of state.closing) {
    pushOwnRows(state, proposal)
    state.open.delete(proposal.facts.proposalId)
    state.closed.add(proposal.facts.proposalId)
  }
  state.closing.clear()
}

const drain = (state: State): ProposalRows => {
  for (const vote of state.dirtyVotes) pushRowsOf(state, vote)
  for (const proposal of [...state.dirtyFacts, ...state.dirtyMarks]) pushOwnRows(state, proposal)
  const { rows } = state
  state.rows = emptyRows()
  return rows
}

const firstOffset = (state: State): bigint | undefined => {
  let first: bigint | undefined
  for (const proposal of state.open.values()) {
    if (first === undefined || proposal.firstOffset < first) first = proposal.firstOffset
  }
  return first
}

/** `closed`: ids of the proposals that were closed before the fold begins. */
export const createOpenProposals = (book: PoolBook, closed: Iterable<string>): OpenProposals => {
  const state: State = {
    book,
    closed: new Set(closed),
    open: new Map(),
    dirtyFacts: new Set(),
    dirtyVotes: new Set(),
    dirtyMarks: new Set(),
    endedVotes: new Map(),
    closing: new Set(),
    rows: emptyRows(),
  }
  return {
    get: (proposalId) => state.open.get(proposalId),
    all: () => state.open.values(),
    votes: () => votesOf(state),
    isClosed: (proposalId) => state.closed.has(proposalId),
    open: (introduced, moment, offset) => open(state, introduced, { moment, offset }),
    find: (proposalId, status, at) => find(state, proposalId, { status, ...at }),
    noteFacts: (proposal, moment) => noteFacts(state, proposal, moment),
    noteVote: (proposal, vote, moment) => noteVote(state, proposal, { vote, moment }),
    markPartial: (proposal, text, moment) => markPartial(state, proposal, { text, moment }),
    beginRound: (proposal, round, at) => beginRound(state, proposal, { round, ...at }),
    endRound(proposal, end, moment) {
      const { vote } = proposal
      if (!vote) return
      vote.end = end
      state.endedVotes.set(vote, proposal)
      noteVote(state, proposal, { vote, moment })
    },
    endedRound(proposalId, round) {
      for (const [vote, proposal] of state.endedVotes) {
        if (vote.proposalId === proposalId && vote.round === round) return { proposal, vote }
      }
      return undefined
    },
    close(proposal, moment) {
      proposal.isClosing = true
      state.closing.add(proposal)
      noteFacts(state, proposal, moment)
    },
    settle: () => settle(state),
    drain: () => drain(state),
    firstOffset: () => firstOffset(state),
  }
}
