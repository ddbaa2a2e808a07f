// Applies the state before the first indexed block: open proposals continue from there, closed ones are only recorded.
import type { EventOf } from '../../ingest/contract/events.ts'
import { isOpen, toListedFact } from '../../ingest/contract/governance/fact.ts'
import { READ_LATER } from '../../ingest/contract/read-later.ts'
import type { TallyRow } from '../contract/tables/tallies.ts'
import { sortedByAddress } from './address-order.ts'
import { applyChange, type Change, type Origin } from './change.ts'
import { eventPosition } from './event-position.ts'
import { castBallot } from './evolve.ts'
import { follow, followVote } from './follow.ts'
import { messagesJson } from './rows/proposals.ts'
import { earlierTallyRow } from './rows/tallies.ts'
import type { FoldState, OpenProposal } from './state.ts'

type SnapshotEvent = EventOf<'rollcall.chain.snapshot.v1'>
type SnapshotProposal = SnapshotEvent['data']['proposals'][number]
type SnapshotVote = SnapshotEvent['data']['votes'][number]

const introduce = (state: FoldState, listed: SnapshotProposal, height: number): Change[] => {
  const { proposal, messages, round, roundReason = null } = listed
  const { proposalId } = proposal
  const own = { messages: messagesJson(messages), round, roundReason }
  const when = isOpen(proposal) ? 'submitted' : 'closed'
  const changes: Change[] = [
    { kind: 'proposal_introduced', proposal },
    { kind: 'proposal_changed', proposalId, own },
    {
      kind: 'history_partial',
      proposalId,
      reason: `${when} before the first indexed height ${height}`,
    },
  ]
  if (roundReason) changes.push({ kind: 'history_partial', proposalId, reason: roundReason })
  const { begun, closed } = follow(state, toListedFact(listed), proposal)
  return [...changes, ...begun, ...closed]
}

/** For the last ended round; a restarted vote keeps its first round's tally until the next one. */
const earlierTally = (listed: SnapshotProposal, { at }: Origin): TallyRow[] => {
  const { proposalId, finalTally: chain } = listed.proposal
  const round = isOpen(listed.proposal) ? Math.min(listed.round - 1, 1) : listed.round
  return round > 0 ? [earlierTallyRow({ proposalId, round, chain }, at)] : []
}

const castEarlier = (state: FoldState, listed: SnapshotVote, { at }: Origin): Change[] => {
  const { proposalId, voter, options, delegations, delegationsReason: reason } = listed
  const known = state.proposals.get(proposalId)
  if (known ? state.closing.has(known) : state.closed.has(proposalId)) return []
  const vote = { proposalId, voter, counted: true }
  const { before } = followVote(state, vote, { status: 'voting_period' })
  const unknown = { height: null, time: null, txHash: null }
  const readLater = reason === READ_LATER
  const cast = { voter, options, counted: true, delegations, readLater, ...unknown }
  return [...before, ...castBallot(state, { proposalId, cast, reason }, at)]
}

/** Whether this proposal's votes are among the missing state. */
const lacksVotes = (what: string, { proposalId }: OpenProposal): boolean => {
  if (!/\bvotes?\b/i.test(what)) return false
  const named = /\d+/.exec(what)?.[0]
  return named === undefined || named === proposalId
}

const markUnavailable = (state: FoldState, { data }: SnapshotEvent): Change[] =>
  data.unavailable.flatMap(({ what, reason }) =>
    [...state.proposals.values()].flatMap((proposal): Change[] => {
      if (state.closing.has(proposal)) return []
      const { proposalId, vote } = proposal
      const partial = { kind: 'history_partial', proposalId, reason: `${what}: ${reason}` } as const
      const isUnknown = vote !== undefined && lacksVotes(what, proposal)
      return isUnknown ? [partial, { kind: 'ballot_unknown', proposalId }] : [partial]
    }),
  )

/** Applies all chunks of a snapshot; returns the tallies of rounds that ended before it. */
export const applySnapshot = (
  state: FoldState,
  chunks: readonly SnapshotEvent[],
  offset: bigint,
): TallyRow[] => {
  const toOrigin = (event: SnapshotEvent): Origin => ({ at: eventPosition(event), offset })
  const applyAll = (changes: readonly Change[], origin: Origin): void => {
    for (const change of changes) applyChange(state, change, origin)
  }
  const tallies: TallyRow[] = []
  for (const chunk of chunks) {
    const origin = toOrigin(chunk)
    for (const listed of chunk.data.proposals) {
      if (state.closed.has(listed.proposal.proposalId)) continue
      applyAll(introduce(state, listed, chunk.height), origin)
      if (!isOpen(listed.proposal)) state.earlier.add(listed.proposal.proposalId)
      tallies.push(...earlierTally(listed, origin))
    }
  }
  const votes = chunks.flatMap((chunk) =>
    chunk.data.votes.map((listed) => ({ listed, origin: toOrigin(chunk) })),
  )
  // The order of ranks: by voter, independent of the chunk of a vote.
  for (const { listed, origin } of sortedByAddress(votes, ({ listed }) => listed.voter)) {
    applyAll(castEarlier(state, listed, origin), origin)
  }
  for (const chunk of chunks) applyAll(markUnavailable(state, chunk), toOrigin(chunk))
  return tallies
}
