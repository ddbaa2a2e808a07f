// Reads the votes on open proposals for a snapshot, with the delegations of so many voters that the first append is soon.
import { type Answer, reasonOrNull, unavailable, valueOrNull } from '../chain/answer.ts'
import { votesAt } from '../chain/gov.ts'
import type { StateVote } from '../chain/gov-reader.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { Delegation } from '../contract/delegation.ts'
import { READ_LATER } from '../contract/read-later.ts'
import type { VoteState } from '../contract/voters.ts'
import type { StateNode } from '../enrich/height-state.ts'
import { describeVotes } from '../governance/open-proposals.ts'
import type { SchemaSource } from '../schema/schema-source.ts'

/** What is being read, in this order. */
export type SnapshotProgress =
  | { reading: 'proposals' }
  | { reading: 'votes'; proposalId: string; votes: number }
  | { reading: 'delegations'; done: number; total: number }

export type Gatherer = {
  node: StateNode
  state: StateAt
  schemas: SchemaSource
  onProgress: (progress: SnapshotProgress) => void
}

type Reading = {
  proposalIds: readonly string[]
  /** Null, and noted with its name, if it is unknown. */
  take<Value>(what: string, answer: Answer<Value>): Value | null
  notice<Value>(answer: Answer<Value>): Answer<Value>
}

/** The votes on one proposal. */
type Cast = { proposalId: string; votes: readonly StateVote[] }

/** Limit of voters whose delegations are read before the first append. The others are read at the next heights. */
export const MAX_VOTERS = 300

/** A tally needs all voters of its proposal, so those of the proposals with the fewest votes come first. */
const chooseVoters = (casts: readonly Cast[]): ReadonlySet<string> => {
  let chosen = new Set<string>()
  for (const { votes } of casts.toSorted((one, other) => one.votes.length - other.votes.length)) {
    const more = new Set([...chosen, ...votes.map(({ voter }) => voter)])
    if (more.size > MAX_VOTERS) break
    chosen = more
  }
  return chosen
}

const readDelegations = async (
  { state, onProgress }: Gatherer,
  voters: ReadonlySet<string>,
): Promise<(voter: string) => Answer<Delegation[]>> => {
  let done = 0
  const read = async (voter: string) => {
    const answer = await state.delegations(voter)
    done += 1
    onProgress({ reading: 'delegations', done, total: voters.size })
    return [voter, answer] as const
  }
  const answers = new Map(await Promise.all([...voters].map(read)))
  return (voter) => answers.get(voter) ?? unavailable(READ_LATER)
}

const voteState = (
  proposalId: string,
  { voter, options }: StateVote,
  delegations: Answer<Delegation[]>,
): VoteState => ({
  proposalId,
  voter,
  options,
  delegations: valueOrNull(delegations),
  delegationsReason: reasonOrNull(delegations),
})

export const readOpenVotes = async (
  gatherer: Gatherer,
  { proposalIds, take, notice }: Reading,
): Promise<VoteState[]> => {
  const { node, state, onProgress } = gatherer
  const { height } = state
  const casts: Cast[] = []
  for (const proposalId of proposalIds) {
    const onItems = (votes: number) => onProgress({ reading: 'votes', proposalId, votes })
    onItems(0)
    const answer = await votesAt(node, { proposalId, height, onItems })
    casts.push({ proposalId, votes: take(describeVotes(proposalId), answer) ?? [] })
  }
  const delegationsOf = await readDelegations(gatherer, chooseVoters(casts))
  return casts.flatMap(({ proposalId, votes }) =>
    votes.map((vote) => voteState(proposalId, vote, notice(delegationsOf(vote.voter)))),
  )
}
