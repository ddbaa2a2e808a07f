// What a fact changes: the only place that decides when a proposal opens and closes, and when a round of its vote begins and ends.
// Pure. Ingest applies the changes to what it must know of the chain, the projections to their rows.
import type { ProposalState } from '../facts.ts'
import { type GovernanceFact, isOpen, type ListedFact, type VoteFact } from './fact.ts'

/** The current round of an open proposal: 0 before a vote, 2 after an expedited vote that failed. */
export type Lifecycle = { readonly round: number }

/** `isWhole` is false if votes of the round may come before its beginning. */
type RoundBegun = { kind: 'round_begun'; round: number; isWhole: boolean }
/** `fell_back`: an expedited vote failed, and the proposal gets another vote. `canceled`: it has no tally. */
type RoundEnded = { kind: 'round_ended'; round: number; by: 'tallied' | 'fell_back' | 'canceled' }

/** `isDeleted`: no later state has the proposal. */
export type Closed = { kind: 'closed'; isDeleted: boolean }

export type Change =
  /** No earlier fact names the proposal. */
  | { kind: 'opened' }
  | RoundBegun
  | { kind: 'ballot_cast' }
  /** A vote without its voter. */
  | { kind: 'ballot_unknown'; counted: boolean }
  | RoundEnded
  | Closed
  /** The fact cannot be true: nothing changes. */
  | { kind: 'contradicted'; reason: string }

export type Changes = readonly Change[]
type Open = Lifecycle | undefined
type FactOf<Kind extends GovernanceFact['kind']> = Extract<GovernanceFact, { kind: Kind }>

/** The statuses of a proposal with a final tally. */
const TALLIED = ['passed', 'rejected', 'failed']

/** Shared: a backfill casts millions of votes. */
const NOTHING: Changes = []
const OPENED: Changes = [{ kind: 'opened' }]
const CAST: Changes = [{ kind: 'ballot_cast' }]
const UNKNOWN: Changes = [{ kind: 'ballot_unknown', counted: true }]
const UNKNOWN_UNCOUNTED: Changes = [{ kind: 'ballot_unknown', counted: false }]

const open = (proposal: Open): Changes => (proposal ? NOTHING : OPENED)
const close = (isDeleted: boolean): Closed => ({ kind: 'closed', isDeleted })

/** The beginning of the named round, if no fact reported it. */
const enter = ({ round: current }: Lifecycle, named: number): Changes =>
  current < named ? [{ kind: 'round_begun', round: named, isWhole: false }] : NOTHING

const BEFORE: Lifecycle = { round: 0 }

/** The round that a tally ends is the current one, or one whose beginning no fact reported. */
const end = (proposal: Open, named: number, by: RoundEnded['by']): Changes => {
  const before = proposal ?? BEFORE
  if (named > 0 && before.round > named) {
    return [{ kind: 'contradicted', reason: `round ${named} ends during round ${before.round}` }]
  }
  const round = Math.max(before.round, named, 1)
  return [...enter(before, round), { kind: 'round_ended', round, by }]
}

const isContradicted = ([first]: Changes): boolean => first?.kind === 'contradicted'

const list = (proposal: Open, { read, round }: ListedFact): Changes => {
  if (!isOpen(read)) return [...open(proposal), close(false)]
  const isBegun = round > (proposal ?? BEFORE).round
  return isBegun
    ? [...open(proposal), { kind: 'round_begun', round, isWhole: false }]
    : open(proposal)
}

const startVoting = (proposal: Open): Changes =>
  proposal && proposal.round > 0
    ? NOTHING
    : [...open(proposal), { kind: 'round_begun', round: 1, isWhole: true }]

/** The part of a vote that decides: its event has it, so that a backfill creates no fact for each. */
export type Vote = Pick<VoteFact, 'proposalId' | 'round' | 'voter' | 'counted'>

export const decideVote = (proposal: Open, { round, voter, counted }: Vote): Changes => {
  const current = (proposal ?? BEFORE).round
  const named = Math.max(round ?? current, 1)
  // An ended round accepts no votes.
  if (named < current) return NOTHING
  const ballot = voter !== null ? CAST : counted ? UNKNOWN : UNKNOWN_UNCOUNTED
  if (proposal && named === current) return ballot
  return [...open(proposal), ...enter(proposal ?? BEFORE, named), ...ballot]
}

/** `isWhole`: whether the restart was reported when it happened. */
const restart = (proposal: Open, round: number | undefined, isWhole: boolean): Changes => {
  const ended = end(proposal, round ?? (proposal ?? BEFORE).round, 'fell_back')
  const last = ended.at(-1)
  if (last?.kind !== 'round_ended') return ended
  return [...open(proposal), ...ended, { kind: 'round_begun', round: last.round + 1, isWhole }]
}

const closeTallied = (proposal: Open, named: number, isDeleted = false): Changes => {
  const hasRound = named > 0 || (proposal ?? BEFORE).round > 0
  const ended = hasRound ? end(proposal, named, 'tallied') : NOTHING
  return isContradicted(ended) ? ended : [...open(proposal), ...ended, close(isDeleted)]
}

const closeReported = (proposal: Open, { round, isTallied = false }: FactOf<'closed'>): Changes => {
  const current = (proposal ?? BEFORE).round
  // A tally proves a vote, even one that began before the first height of the log.
  return closeTallied(proposal, round ?? (isTallied ? Math.max(current, 1) : current))
}

/** The chain ended the vote, if there was one, and counted no votes. */
const closeUntallied = (proposal: Open, named: number, isDeleted: boolean): Changes => {
  const before = proposal ?? BEFORE
  const round = Math.max(named, before.round)
  if (round === 0) return [...open(proposal), close(isDeleted)]
  const ended: RoundEnded = { kind: 'round_ended', round, by: 'canceled' }
  return [...open(proposal), ...enter(before, round), ended, close(isDeleted)]
}

/** In the second round the state keeps the tally of the first one. */
const roundOf = (read: ProposalState | null | undefined): number => {
  if (read?.status !== 'voting_period') return 0
  return read.finalTally === null ? 1 : 2
}

/** The state of the chain decides what its events left open. */
const reconcile = (proposal: Open, { finding, round, read }: FactOf<'reconciled'>): Changes => {
  const named = round ?? (proposal ?? BEFORE).round
  switch (finding) {
    case 'closed':
    case 'deleted': {
      const isTallied = read && TALLIED.includes(read.status)
      return (isTallied ? closeTallied : closeUntallied)(proposal, named, finding === 'deleted')
    }
    case 'restarted':
      return restart(proposal, round, false)
    case 'voting':
      return [...open(proposal), ...enter(proposal ?? BEFORE, 1)]
    case 'found':
      return [...open(proposal), ...enter(proposal ?? BEFORE, Math.max(named, roundOf(read)))]
    case 'read':
      return NOTHING
    case 'changed':
    case 'overdue':
    case 'unreadable':
    case 'missing':
    case 'contradicted':
      return open(proposal)
  }
}

/** `proposal`: undefined if it is not open. */
export const decide = (proposal: Open, fact: GovernanceFact): Changes => {
  switch (fact.kind) {
    case 'listed':
      return list(proposal, fact)
    case 'submitted':
    case 'deposited':
      return open(proposal)
    case 'voting_started':
      return startVoting(proposal)
    case 'vote_cast':
      return decideVote(proposal, fact)
    case 'restarted':
      return restart(proposal, fact.round, true)
    case 'closed':
      return closeReported(proposal, fact)
    case 'canceled':
    case 'dropped':
      return closeUntallied(proposal, 0, true)
    case 'reconciled':
      return reconcile(proposal, fact)
    case 'undecodable':
      // It may be about a proposal of another module.
      return proposal ? UNKNOWN : NOTHING
  }
}

/** Undefined if the proposal stays open. */
export const findClosed = (changes: Changes): Closed | undefined => {
  const last = changes.at(-1)
  return last?.kind === 'closed' ? last : undefined
}
