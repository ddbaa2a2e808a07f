// What a fact changes of a proposal and its rounds, as the kernel decides it, in changes of the fold. Nothing here decides it again.
import type { ProposalFact } from '../../ingest/contract/governance/fact.ts'
import {
  type Change as Decided,
  decide,
  decideVote,
  type Lifecycle,
  type Vote,
} from '../../ingest/contract/governance/lifecycle.ts'
import type { RoundEnd } from './ballot.ts'
import type { Change } from './change.ts'
import { FoldError } from './fold-error.ts'
import type { FoldState } from './state.ts'

type RoundEnded = Extract<Decided, { kind: 'round_ended' }>

/** What the event of the fact adds to it. */
export type Details = {
  /** Of a proposal that no earlier event names. */
  status: string
  /** Of a fact that may end a round. */
  toEnd?(by: RoundEnded['by']): RoundEnd
}

export type Followed = {
  found: readonly Change[]
  /** The end of a round; before it its beginning, if no event reported it. */
  ended: readonly Change[]
  /** The beginning of the next round. */
  begun: readonly Change[]
  closed: readonly Change[]
}

const BEFORE: Lifecycle = { round: 0 }

const findLifecycle = ({ proposals }: FoldState, proposalId: string): Lifecycle | undefined => {
  const proposal = proposals.get(proposalId)
  return proposal && (proposal.vote ?? BEFORE)
}

const endRound = (proposalId: string, by: RoundEnded['by'], end: RoundEnd): Change[] => {
  const changes: Change[] = by === 'fell_back' ? [{ kind: 'round_fell_back', proposalId }] : []
  changes.push({ kind: 'round_ended', proposalId, end })
  const { unavailableReason: reason } = end
  if (by !== 'canceled' && reason !== null) {
    changes.push({ kind: 'history_partial', proposalId, reason })
  }
  return changes
}

const toChanges = (
  proposalId: string,
  decided: Decided,
  { status, toEnd }: Details,
): readonly Change[] => {
  switch (decided.kind) {
    case 'opened':
      return [{ kind: 'proposal_found', proposalId, status }]
    case 'round_begun':
      return [{ ...decided, proposalId }]
    case 'round_ended':
      return toEnd ? endRound(proposalId, decided.by, toEnd(decided.by)) : []
    case 'closed':
      return [{ kind: 'proposal_closed', proposalId, isDeleted: decided.isDeleted }]
    // The handler of a vote has the ballot.
    case 'ballot_cast':
    case 'ballot_unknown':
    case 'contradicted':
      return []
  }
}

/** Throws a `FoldError` if the fact contradicts the state. */
export const follow = (state: FoldState, fact: ProposalFact, details: Details): Followed => {
  const decided = decide(findLifecycle(state, fact.proposalId), fact)
  const [first] = decided
  if (first?.kind === 'contradicted') throw new FoldError(first.reason)
  const end = decided.findIndex(({ kind }) => kind === 'round_ended')
  const pick = (isPicked: (kind: Decided['kind'], order: number) => boolean): Change[] =>
    decided
      .filter(({ kind }, order) => isPicked(kind, order))
      .flatMap((each) => toChanges(fact.proposalId, each, details))
  const isOfRound = (kind: Decided['kind']) => kind === 'round_begun' || kind === 'round_ended'
  return {
    found: pick((kind) => kind === 'opened'),
    ended: pick((kind, order) => isOfRound(kind) && order <= end),
    begun: pick((kind, order) => isOfRound(kind) && order > end),
    closed: pick((kind) => kind === 'closed'),
  }
}

export type FollowedVote = {
  /** The proposal and the round, if no earlier event has them. */
  before: readonly Change[]
  /** Undefined in a round that has ended. */
  ballot: Extract<Decided, { kind: 'ballot_cast' | 'ballot_unknown' }> | undefined
}

const NOTHING: readonly Change[] = []

/** Only what a vote needs: it runs once per vote of a backfill. */
export const followVote = (state: FoldState, vote: Vote, details: Details): FollowedVote => {
  const { proposalId } = vote
  const decided = decideVote(findLifecycle(state, proposalId), vote)
  const last = decided.at(-1)
  const isBallot = last?.kind === 'ballot_cast' || last?.kind === 'ballot_unknown'
  const ballot = isBallot ? last : undefined
  if (decided.length === 1) return { before: NOTHING, ballot }
  return { before: decided.flatMap((each) => toChanges(proposalId, each, details)), ballot }
}
