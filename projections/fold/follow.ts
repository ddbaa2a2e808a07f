// What a fact changes of a proposal and its rounds, as the kernel decides it. Nothing here decides it again.
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import type { ProposalFact } from '../../ingest/contract/governance/fact.ts'
import {
  type Change,
  decide,
  decideVote,
  type Lifecycle,
  type Vote,
} from '../../ingest/contract/governance/lifecycle.ts'
import type { RoundEnd } from './ballot.ts'
import { FoldError } from './fold-error.ts'
import {
  addPartial,
  beginRound,
  type Changing,
  closeProposal,
  endRound,
  fallBack,
  introduceFound,
} from './proposal.ts'
import type { FoldState } from './state.ts'

export type EventType = GovernanceEvent['type']
/** Applies one event. Throws a `FoldError` before anything changes. */
export type Handler<Type extends EventType> = (to: Changing, event: EventOf<Type>) => void

/** What the event of the fact adds to it. */
export type Details = {
  /** Of a proposal that no earlier event names. */
  status: string
  /** Of a fact that may end a round. */
  toEnd?(by: 'tallied' | 'fell_back' | 'canceled'): RoundEnd
}

export type Decided = {
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

/** Throws a `FoldError` if the fact contradicts the state. */
export function decideFact(state: FoldState, fact: ProposalFact): Decided {
  const decided = decide(findLifecycle(state, fact.proposalId), fact)
  const [first] = decided
  if (first?.kind === 'contradicted') throw new FoldError(first.reason)
  const end = decided.findIndex(({ kind }) => kind === 'round_ended')
  const rounds = decided.filter(({ kind }) => kind === 'round_begun' || kind === 'round_ended')
  const isEnded = (change: Change) => decided.indexOf(change) <= end
  return {
    found: decided.filter(({ kind }) => kind === 'opened'),
    ended: rounds.filter(isEnded),
    begun: rounds.filter((change) => !isEnded(change)),
    closed: decided.filter(({ kind }) => kind === 'closed'),
  }
}

/** The last change is that of the ballot; there is none in a round that has ended. */
export function decideBallot(state: FoldState, vote: Vote): readonly Change[] {
  return decideVote(findLifecycle(state, vote.proposalId), vote)
}

export function follow(
  to: Changing,
  proposalId: string,
  decided: readonly Change[],
  { status, toEnd }: Details,
): void {
  for (const change of decided) {
    switch (change.kind) {
      case 'opened':
        introduceFound(to, proposalId, status)
        break
      case 'round_begun':
        beginRound(to, proposalId, change)
        break
      case 'round_ended': {
        if (!toEnd) break
        const end = toEnd(change.by)
        if (change.by === 'fell_back') fallBack(to, proposalId)
        endRound(to, proposalId, end)
        const { unavailableReason: reason } = end
        if (change.by !== 'canceled' && reason !== null) addPartial(to, proposalId, reason)
        break
      }
      case 'closed':
        closeProposal(to, proposalId, change.isDeleted)
        break
    }
  }
}
