// Finds when the votes were cast that an open proposal had at the snapshot.
import { type Answer, known, unavailable } from '../chain/answer.ts'
import type { FoundVote } from '../contract/history-events.ts'
import { countBytes, toVoteDrafts } from './drafts.ts'
import { findVotes } from './find-votes.ts'
import type { HistoryReads, Reconstruction } from './reconstruct.ts'
import type { OpenVote } from './targets.ts'
import { type EndedRound, isComplete, toVotesOfRounds } from './votes-of-rounds.ts'

/** Earlier ones are of an earlier round, or were replaced: the log has no ballot of them. */
const lastOfEach = (found: readonly FoundVote[]): FoundVote[] => [
  ...new Map(found.map((vote) => [vote.voter, vote])).values(),
]

export const findOpenVotes = async (
  { proposalId, open }: { proposalId: string; open: OpenVote },
  { nodes, signal }: HistoryReads,
): Promise<Answer<Reconstruction>> => {
  const { ballots, stateHeight, round } = open
  const until: EndedRound = { height: stateHeight, endOrdinal: Number.POSITIVE_INFINITY, ballots }
  const found = await findVotes(proposalId, {
    nodes,
    until: stateHeight,
    blocks: [],
    voters: ballots.size,
    isComplete: (votes) => isComplete(votes, [until]),
    signal,
  })
  const [ofRound] = toVotesOfRounds(found, [until])
  const votes = lastOfEach(ofRound?.found ?? []).filter(({ voter }) => ballots.has(voter))
  if (votes.length === 0 && ballots.size > 0) {
    return unavailable(ofRound?.votesReason ?? 'no vote was found')
  }
  const drafts = toVoteDrafts({ proposalId, round }, votes)
  return known({ proposalId, drafts, votes: true, bytes: countBytes(drafts) })
}
