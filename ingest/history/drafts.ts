// What a reconstruction consists of: events without their place in the log.
import type { EventOf } from '../contract/events.ts'
import type { FoundVote } from '../contract/history-events.ts'
import { splitBySize } from '../derive/event-at.ts'

type HistoryDraftType =
  | 'rollcall.vote.reconstructed.v1'
  | 'rollcall.votes.found.v1'
  | 'rollcall.tally.evidence.v1'

type DraftOf<Type extends HistoryDraftType> = { type: Type; data: EventOf<Type>['data'] }

/** An event without its place in the log. */
export type HistoryDraft = { [Type in HistoryDraftType]: DraftOf<Type> }[HistoryDraftType]

export const countBytes = (drafts: readonly HistoryDraft[]): number =>
  drafts.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0)

/** None without votes. */
export const toVoteDrafts = (
  { proposalId, round }: { proposalId: string; round: number },
  votes: readonly FoundVote[],
): HistoryDraft[] => {
  if (votes.length === 0) return []
  const chunks = splitBySize(votes)
  return chunks.map((part, chunk) => ({
    type: 'rollcall.votes.found.v1',
    data: { chunk, chunks: chunks.length, proposalId, round, votes: part },
  }))
}
