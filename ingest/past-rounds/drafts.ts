// What a reconstruction consists of: events without their place in the log.
import type { EventOf } from '../contract/events.ts'

type HistoryDraftType = 'rollcall.vote.reconstructed.v1' | 'rollcall.round.read.v1'

type DraftOf<Type extends HistoryDraftType> = { type: Type; data: EventOf<Type>['data'] }

/** An event without its place in the log. */
export type HistoryDraft = { [Type in HistoryDraftType]: DraftOf<Type> }[HistoryDraftType]

export const countBytes = (drafts: readonly HistoryDraft[]): number =>
  drafts.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0)
