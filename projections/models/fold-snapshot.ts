// Applies the state before the first indexed block: what was open goes on being folded, what was closed is told once.
import type { EventOf } from '../../ingest/contract/events.ts'
import type { VoteState } from '../../ingest/contract/facts.ts'
import type { TallyRow } from '../contract/read-model.ts'
import { sortedByAddress } from './address-order.ts'
import { castVote, currentRound, type FoldContext } from './fold-event.ts'
import { type Moment, momentOf } from './moment.ts'
import type { OpenProposal } from './open-proposals.ts'
import { messagesJson } from './proposals.ts'
import { earlierTallyRow } from './tallies.ts'

export type SnapshotChunk = { event: EventOf<'rollcall.chain.snapshot.v1'>; offset: bigint }
type SnapshotProposal = SnapshotChunk['event']['data']['proposals'][number]

const OPEN_STATUSES: readonly string[] = ['deposit_period', 'voting_period']

const introduce = (
  context: FoldContext,
  told: SnapshotProposal,
  { event, offset }: SnapshotChunk,
): TallyRow[] => {
  const { proposals } = context
  const moment = momentOf(event)
  const { proposal: state, messages, round, roundReason } = told
  if (proposals.isClosed(state.proposalId)) return []
  const proposal = proposals.open(state, moment, offset)
  proposal.facts.messages = messagesJson(messages)
  proposal.facts.round = round
  proposal.facts.roundReason = roundReason ?? null
  const isOpen = OPEN_STATUSES.includes(state.status)
  const when = isOpen ? 'submitted' : 'closed'
  const reason = `${when} before the first indexed height ${event.height}`
  proposals.markPartial(proposal, reason, moment)
  if (roundReason) proposals.markPartial(proposal, roundReason, moment)
  if (isOpen && round > 0) proposals.beginRound(proposal, round, { moment, isWhole: true })
  if (!isOpen) proposals.close(proposal, moment)
  const { proposalId, finalTally: chain } = state
  const version = moment.position
  // A restarted vote keeps its failed round's tally until the next one is made.
  if (isOpen) return round > 1 ? [earlierTallyRow({ proposalId, round: 1, chain }, version)] : []
  return round > 0 ? [earlierTallyRow({ proposalId, round, chain }, version)] : []
}

const castEarlier = (
  context: FoldContext,
  told: VoteState,
  place: { moment: Moment; offset: bigint },
): void => {
  const { moment } = place
  const proposal = context.proposals.find(told.proposalId, 'voting_period', place)
  if (!proposal || proposal.isClosing) return
  const vote = currentRound(context, proposal, { round: proposal.facts.round, moment })
  const { voter, options, delegations } = told
  castVote(
    context,
    { proposal, vote, reason: told.delegationsReason, moment },
    { voter, options, counted: true, height: null, time: null, txHash: null, delegations },
  )
}

/** Whether what the node could not answer is this proposal's votes. */
const lacksVotes = (what: string, proposal: OpenProposal): boolean => {
  if (!/\bvotes?\b/i.test(what)) return false
  const named = /\d+/.exec(what)?.[0]
  return named === undefined || named === proposal.facts.proposalId
}

const sayUnavailable = ({ proposals }: FoldContext, { event }: SnapshotChunk): void => {
  const moment = momentOf(event)
  for (const { what, reason } of event.data.unavailable) {
    for (const proposal of proposals.all()) {
      if (proposal.isClosing) continue
      proposals.markPartial(proposal, `${what}: ${reason}`, moment)
      const { vote } = proposal
      if (!vote || !lacksVotes(what, proposal)) continue
      vote.fold.castUnknown(moment)
      proposals.noteVote(proposal, vote, moment)
    }
  }
}

/** Gives the tallies of rounds that were over before: nothing else of those is ever written. */
export const applySnapshot = (
  context: FoldContext,
  chunks: readonly SnapshotChunk[],
): TallyRow[] => {
  const earlier = chunks.flatMap((chunk) =>
    chunk.event.data.proposals.flatMap((told) => introduce(context, told, chunk)),
  )
  const votes = chunks.flatMap(({ event, offset }) => {
    const place = { moment: momentOf(event), offset }
    return event.data.votes.map((told) => ({ told, place }))
  })
  // The order of ranks: by voter, whatever chunk a vote came in.
  for (const { told, place } of sortedByAddress(votes, ({ told }) => told.voter)) {
    castEarlier(context, told, place)
  }
  for (const chunk of chunks) sayUnavailable(context, chunk)
  return earlier
}
