// Assigns found votes to the rounds of a vote, and compares their last ballots with those in the state. Pure.
import type { FoundVote } from '../contract/history-events.ts'
import { sameOptions } from '../contract/same-options.ts'
import type { Ballots } from '../enrich/tally-inputs.ts'
import type { FoundVotes, PlacedVote } from './find-votes.ts'

/** Where a round ended, and the ballots that it counted. */
export type EndedRound = { height: number; endOrdinal: number; ballots: Ballots }

export type VotesOfRound = {
  votes: 'all' | 'some' | 'none'
  /** Null only for `all`. */
  votesReason: string | null
  found: readonly FoundVote[]
}

const isUntil = (
  { vote, ordinal }: PlacedVote,
  { height, endOrdinal }: Pick<EndedRound, 'height' | 'endOrdinal'>,
): boolean => vote.height < height || (vote.height === height && ordinal <= endOrdinal)

/** The votes of each round: those since the end of the round before. */
const splitByRound = (
  votes: readonly PlacedVote[],
  rounds: readonly EndedRound[],
): FoundVote[][] => {
  const parts: FoundVote[][] = rounds.map(() => [])
  for (const placed of votes) {
    const index = rounds.findIndex((round) => isUntil(placed, round))
    // A vote after the end, by a message of the proposal, never counts.
    parts.at(index)?.push(index < 0 ? { ...placed.vote, counted: false } : placed.vote)
  }
  return parts
}

/** How the last counted votes differ from the ballots in the state; null if they are equal. */
const describeMissing = (found: readonly FoundVote[], ballots: Ballots): string | null => {
  const last = new Map<string, FoundVote>()
  for (const vote of found) if (vote.counted) last.set(vote.voter, vote)
  let [missing, other] = [0, 0]
  for (const [voter, options] of ballots) {
    const vote = last.get(voter)
    if (!vote) missing += 1
    else if (!sameOptions(vote.options, options)) other += 1
  }
  const invented = [...last.keys()].filter((voter) => !ballots.has(voter)).length
  const of = `of ${ballots.size} voters`
  const reasons = [
    ...(missing > 0 ? [`the votes of ${missing} ${of} were not found`] : []),
    ...(other > 0 ? [`a later vote of ${other} ${of} was not found`] : []),
    ...(invented > 0 ? [`${invented} found voters have no ballot in the state`] : []),
  ]
  return reasons.length === 0 ? null : reasons.join('; ')
}

const describe = (found: readonly FoundVote[], missing: string | null, why: string | null) => {
  if (missing === null) return { votes: 'all', votesReason: null } as const
  const votesReason = why === null ? missing : `${missing}: ${why}`
  return { votes: found.length > 0 ? 'some' : 'none', votesReason } as const
}

export const toVotesOfRounds = (
  { votes, reason }: Pick<FoundVotes, 'votes' | 'reason'>,
  rounds: readonly EndedRound[],
): VotesOfRound[] =>
  splitByRound(votes, rounds).map((found, index) => {
    const missing = describeMissing(found, rounds[index]!.ballots)
    return { ...describe(found, missing, reason), found }
  })

export const isComplete = (votes: readonly PlacedVote[], rounds: readonly EndedRound[]): boolean =>
  toVotesOfRounds({ votes, reason: null }, rounds).every(({ votes }) => votes === 'all')
