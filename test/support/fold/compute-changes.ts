// Applies one event to a state, for tests of the changes of each event.
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { Change } from '../../../projections/fold/change.ts'
import { eventPosition } from '../../../projections/fold/event-position.ts'
import { evolve } from '../../../projections/fold/evolve.ts'
import { foldHeight } from '../../../projections/fold/height.ts'
import { createFoldState, type FoldState } from '../../../projections/fold/state.ts'
import {
  closed,
  createHeightEvents,
  type EventBuilder,
  restarted,
  submitted,
} from '../log/governance-events.ts'
import { toFoldRecords } from './fold-heights.ts'
import { openVote } from './given.ts'

/** The height of the event and its proposal. */
export const HEIGHT = 5
export const proposalId = '7'
export const at = eventPosition(submitted(proposalId)(HEIGHT, 1))

// Heights before the event.
export const inDeposit = [createHeightEvents(1, [submitted(proposalId)])]
export const inVote = openVote()
export const inSecondRound = [...inVote, createHeightEvents(3, [restarted(proposalId)])]
export const afterClose = [...inVote, createHeightEvents(3, [closed(proposalId)])]

export const stateAfter = (heights: GovernanceEvent[][]): FoldState => {
  const state = createFoldState([])
  for (const height of heights) {
    const steps = foldHeight(state, { records: toFoldRecords(height), keepsRows: true })
    while (!steps.next().done);
  }
  return state
}

export const computeChanges = (event: EventBuilder, heights: GovernanceEvent[][] = []): Change[] =>
  evolve(stateAfter(heights), event(HEIGHT, 1), at)

export const found = (status: string): Change => ({ kind: 'proposal_found', proposalId, status })
export const partial = (reason: string): Change => ({ kind: 'history_partial', proposalId, reason })
/** Until a later reading of the proposal. */
export const unread = (reason: string, lacks: 'state' | 'texts' = 'state'): Change => ({
  kind: 'history_partial',
  proposalId,
  reason,
  lacks,
})
export const begun = (round: number, isWhole: boolean): Change => {
  return { kind: 'round_begun', proposalId, round, isWhole }
}
