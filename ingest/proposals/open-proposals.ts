// The open proposals, each with the state of its round. Applies what the kernel decides. Reads no store.

import { toEpochMs } from '../chain/time.ts'
import type { EventOf } from '../contract/events.ts'
import type { ProposalState } from '../contract/facts.ts'
import {
  type Finding,
  type GovernanceFact,
  isOpen,
  type ProposalFact,
  type VoteFact,
} from '../contract/governance/fact.ts'
import {
  type Change,
  type Changes,
  decide,
  findClosed,
  type Lifecycle,
} from '../contract/governance/lifecycle.ts'
import {
  applyComparison,
  applyReading,
  castBallot,
  createRoundState,
  hasAllBallots,
  type RoundState,
} from '../rounds/round-state.ts'

/** The parts of a proposal's state that are compared with the chain's. */
export type KnownState = Pick<
  ProposalState,
  'expedited' | 'depositEndTime' | 'votingEndTime' | 'totalDeposit'
>

/** Findings after which the vote continues, and the next readings decide. */
export type Doubt = Extract<Finding, 'overdue' | 'unreadable' | 'missing' | 'contradicted'>

export type OpenProposal = Lifecycle & {
  proposalId: string
  /** The fold must begin at this height to have the complete proposal. */
  since: number
  /** Of its present round. */
  vote: RoundState
  /** True if votes of this round are not known: undecodable ones, or those before its first reading. */
  lacksBallots: boolean
  /** As in the log: only of events that start or restart a period, so that a restart knows the same. Undefined until the log has its texts. */
  known: KnownState | undefined
  /** False if an earlier event than its submission, or its state, introduced it. */
  isSubmitted: boolean
  /** The last height whose events or state have it open. */
  seenAt: number
  /** What the last reading leaves in doubt, and since which height; null if it is as in the log. */
  disagreement: { finding: Doubt; height: number } | null
}

export const isVoting = ({ round }: Lifecycle): boolean => round > 0

export type Applied = {
  changes: Changes
  /** The round of the fact. */
  round: number
  /** The fact comes after the end of its proposal: it counts nothing. */
  isLate: boolean
  /** The proposal before the fact ended it or its round. */
  before: OpenProposal | undefined
}

/** A proposal that ended at a height without a readable state. */
type Unread = { since: number; round: number; endedMs: number }

/** So long its state is read again. */
const UNREAD_MS = 7 * 86_400_000

/** A block of which facts are applied. */
export type FactBlock = { height: number; time: string }

type Mutable = { -readonly [Key in keyof OpenProposal]: OpenProposal[Key] }

export type OpenProposals = {
  /** Facts in order, each exactly once. */
  apply(fact: GovernanceFact, block: FactBlock): Applied
  /** All chunks of a reading, in order. Ignored if its round is not open. */
  applyReading(chunks: readonly EventOf<'rollcall.round.read.v1'>[]): void
  get(proposalId: string): OpenProposal | undefined
  /** The round in which it ended at the height of the last fact; undefined if it did not. */
  endedRound(proposalId: string): number | undefined
  /** In the order of their first events. */
  list(): OpenProposal[]
  /** Proposals that ended unread, without those that have waited too long at `nowMs`. */
  listUnread(nowMs: number): string[]
  isUnread(proposalId: string): boolean
  /** Null if no proposal is open or unread. */
  openSince(): number | null
}

/** Facts that may come only during a period: they open no proposal that has ended. */
export const DURING: ReadonlySet<GovernanceFact['kind']> = new Set([
  'deposited',
  'voting_started',
  'vote_cast',
])

/** The facts whose event has the texts of the proposal, if it has its state. */
const WITH_TEXTS: ReadonlySet<GovernanceFact['kind']> = new Set([
  'listed',
  'submitted',
  'reconciled',
])

/** The facts whose state of the chain begins a period. */
const STARTS: ReadonlySet<GovernanceFact['kind']> = new Set([
  'listed',
  'submitted',
  'deposited',
  'voting_started',
  'restarted',
  'reconciled',
])

const DOUBTS: ReadonlySet<Finding> = new Set<Doubt>([
  'overdue',
  'unreadable',
  'missing',
  'contradicted',
])
const isDoubt = (finding: Finding): finding is Doubt => DOUBTS.has(finding)

/** Only `overdue` says that the state has it. */
const isSeen = (fact: ProposalFact): boolean =>
  fact.kind !== 'reconciled' || !isDoubt(fact.finding) || fact.finding === 'overdue'

const castVote = (proposal: Mutable, { counted, voter, ...cast }: VoteFact): void => {
  if (counted && voter !== null) castBallot(proposal.vote, voter, cast)
}

const beginRound = (
  proposal: Mutable,
  { round, isWhole }: Extract<Change, { kind: 'round_begun' }>,
  fact: ProposalFact,
): void => {
  const isFirst = proposal.round === 0
  proposal.round = round
  proposal.vote = createRoundState()
  // Votes before a reading are not in the log. Otherwise it has those of a first round, since the proposal opened.
  if (fact.kind === 'reconciled') proposal.lacksBallots = true
  else if (!isFirst) proposal.lacksBallots = !isWhole
  // Until a state is read: otherwise the next reading restarts the vote once more.
  if (!isFirst && proposal.known) {
    proposal.known = { ...proposal.known, expedited: false, votingEndTime: null }
  }
}

const applyChange = (proposal: Mutable, change: Change, fact: ProposalFact): void => {
  if (change.kind === 'round_begun') beginRound(proposal, change, fact)
  if (change.kind === 'ballot_cast' && fact.kind === 'vote_cast') castVote(proposal, fact)
  if (change.kind === 'ballot_unknown' && change.counted) proposal.lacksBallots = true
}

/** The end of the proposal, or of a round before the next one. */
const isEnd = ({ kind }: Change): boolean => kind === 'round_ended' || kind === 'closed'

const nothing = (round: number, isLate: boolean): Applied => ({
  changes: [],
  round,
  isLate,
  before: undefined,
})

type State = {
  open: Map<string, Mutable>
  unread: Map<string, Unread>
  /** Rounds of the proposals that ended at the height. */
  ended: { height: number; rounds: Map<string, number> }
}

/** Adds a proposal that is not in the snapshot at its first fact. */
const find = ({ open }: State, fact: ProposalFact, height: number): Mutable => {
  const { kind, proposalId } = fact
  return (
    open.get(proposalId) ?? {
      proposalId,
      since: height,
      round: 0,
      vote: createRoundState(),
      lacksBallots: kind !== 'submitted',
      known: undefined,
      isSubmitted: kind === 'submitted',
      seenAt: height,
      disagreement: null,
    }
  )
}

/** The round of a fact that comes too late; undefined if it counts. */
const findLateRound = ({ open, ended }: State, fact: ProposalFact): number | undefined => {
  const { kind, proposalId, read, round = 1 } = fact
  if (!DURING.has(kind) || open.has(proposalId)) return undefined
  const isUncounted = fact.kind === 'vote_cast' && !fact.counted
  const isClosed = read && !isOpen(read)
  return ended.rounds.get(proposalId) ?? (isClosed || isUncounted ? round : undefined)
}

/** Returns the proposal before its end, or before the end of its round. */
const applyAll = (
  proposal: Mutable,
  changes: Changes,
  fact: ProposalFact,
): OpenProposal | undefined => {
  let before: OpenProposal | undefined
  for (const change of changes) {
    if (isEnd(change)) before = { ...proposal }
    applyChange(proposal, change, fact)
  }
  return before
}

/** What the state of the chain says of it at the height. */
const compare = (proposal: Mutable, fact: ProposalFact, height: number): void => {
  if (isSeen(fact)) proposal.seenAt = height
  const isKnown = proposal.known !== undefined || WITH_TEXTS.has(fact.kind)
  if (fact.read && isKnown && STARTS.has(fact.kind)) proposal.known = fact.read
  if (fact.kind !== 'reconciled') return
  const { finding } = fact
  proposal.disagreement = isDoubt(finding) ? { finding, height } : null
}

/** A fold that begins later than its submission does not know whether the log has its texts. */
const lacksState = ({ known, isSubmitted }: Mutable, { kind, read }: ProposalFact): boolean =>
  kind === 'closed' && (!read || (isSubmitted && known === undefined))

const apply = (state: State, fact: ProposalFact, { height, time }: FactBlock): Applied => {
  const { open, ended, unread } = state
  const { proposalId } = fact
  if (fact.kind === 'reconciled' && fact.finding === 'read') {
    const { round } = unread.get(proposalId) ?? { round: fact.round ?? 0 }
    unread.delete(proposalId)
    return nothing(round, false)
  }
  const changes = decide(open.get(proposalId), fact)
  if (changes[0]?.kind === 'contradicted') return nothing(fact.round ?? 0, false)
  const proposal = find(state, fact, height)
  const before = applyAll(proposal, changes, fact)
  if (findClosed(changes)) {
    open.delete(proposalId)
    if (fact.kind !== 'listed') ended.rounds.set(proposalId, proposal.round)
    if (lacksState(proposal, fact)) {
      const { since, round } = proposal
      unread.set(proposalId, { since, round, endedMs: toEpochMs(time) })
    }
  } else {
    open.set(proposalId, proposal)
    compare(proposal, fact, height)
  }
  return { changes, round: (before ?? proposal).round, isLate: false, before }
}

/** Ignores a proposal that only an undecodable event names. */
const miss = ({ open }: State, proposalId: string | null): Applied => {
  const proposal = proposalId === null ? undefined : open.get(proposalId)
  if (proposal) proposal.lacksBallots = true
  return nothing(0, false)
}

export const createOpenProposals = (): OpenProposals => {
  const ended = { height: 0, rounds: new Map<string, number>() }
  const state: State = { open: new Map(), unread: new Map(), ended }
  const { open, unread } = state
  return {
    apply: (fact, block) => {
      if (block.height !== ended.height) ended.rounds.clear()
      ended.height = block.height
      if (fact.kind === 'undecodable') return miss(state, fact.proposalId)
      const lateRound = findLateRound(state, fact)
      return lateRound === undefined ? apply(state, fact, block) : nothing(lateRound, true)
    },
    applyReading: (chunks) => {
      const [first] = chunks
      const proposal = first && open.get(first.data.proposalId)
      if (!proposal || proposal.round !== first.data.round) return
      applyReading(proposal.vote, chunks)
      applyComparison(proposal.vote, first)
      // Of the log: a reading of now is compared after it is applied.
      if (first.data.agrees === false) proposal.vote.refuted += 1
      if (hasAllBallots(chunks)) proposal.lacksBallots = false
    },
    get: (proposalId) => open.get(proposalId),
    endedRound: (proposalId) => ended.rounds.get(proposalId),
    list: () => [...open.values()],
    listUnread: (nowMs) => {
      for (const [id, { endedMs }] of unread) if (nowMs - endedMs > UNREAD_MS) unread.delete(id)
      return [...unread.keys()]
    },
    isUnread: (proposalId) => unread.has(proposalId),
    openSince: () => {
      let lowest: number | null = null
      for (const { since } of [...open.values(), ...unread.values()])
        lowest = Math.min(lowest ?? since, since)
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
