// Gives reconstructed votes their place in the log: the height that is being indexed, after all other events of its block.
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import { type BlockReference, eventAt, proposalSubject } from '../derive/event-at.ts'
import type { Reconstruction } from './reconstruct.ts'

/** One is left for `history.progressed`. */
export const MAX_EVENTS = SUB_LIMIT - 1

export const placeHistory = (
  block: BlockReference,
  reconstructions: readonly Reconstruction[],
  progress: EventOf<'rollcall.history.progressed.v1'>['data'],
): GovernanceEvent[] => {
  const ordinal = ORDINAL.history
  const drafts = reconstructions.flatMap((each) => each.drafts)
  const events: GovernanceEvent[] = drafts.map((draft, sub) =>
    eventAt(block, { ordinal, sub }, { ...draft, subject: proposalSubject(draft.data.proposalId) }),
  )
  const at = { ordinal, sub: events.length }
  events.push(eventAt(block, at, { type: 'rollcall.history.progressed.v1', data: progress }))
  return events
}
