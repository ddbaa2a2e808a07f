// Applies the state before the first indexed block: open proposals continue from there, closed ones are only recorded.
import type { EventOf } from '../../ingest/contract/events.ts'
import type { GovParams } from '../../ingest/contract/facts.ts'
import { isOpen, toListedFact } from '../../ingest/contract/governance/fact.ts'
import type { TallyRow } from '../contract/tables/votes.ts'
import { eventPosition } from './event-position.ts'
import { decideFact, follow } from './follow.ts'
import { addPartial, type Changing, castUnknown, changeProposal, introduce } from './proposal.ts'
import { messagesJson } from './rows/proposals.ts'
import { earlierTallyRow } from './rows/tallies.ts'
import type { FoldState } from './state.ts'

type SnapshotEvent = EventOf<'rollcall.chain.snapshot.v1'>
type SnapshotProposal = SnapshotEvent['data']['proposals'][number]

type Begin = { height: number; params: GovParams | null | undefined }

const introduceListed = (
  to: Changing,
  listed: SnapshotProposal,
  { height, params }: Begin,
): void => {
  const { proposal, messages, round, roundReason = null } = listed
  const { proposalId, status } = proposal
  const { begun, closed } = decideFact(to.state, toListedFact(listed))
  const depositParams = status === 'deposit_period' ? params : undefined
  const own = { messages: messagesJson(messages), round, roundReason, depositParams }
  introduce(to, proposal)
  changeProposal(to, proposalId, { own })
  const when = isOpen(proposal) ? 'submitted' : 'closed'
  addPartial(to, proposalId, `${when} before the first indexed height ${height}`)
  if (roundReason) addPartial(to, proposalId, roundReason)
  for (const change of begun) {
    // A reading of the round follows with its ballots.
    follow(to, proposalId, [{ ...change, isWhole: true } as typeof change], proposal)
    castUnknown(to, proposalId)
  }
  follow(to, proposalId, closed, proposal)
}

/** For the last ended round; a restarted vote keeps its first round's tally until the next one. */
const earlierTally = (listed: SnapshotProposal, { at }: Changing): TallyRow[] => {
  const { proposalId, finalTally: chain } = listed.proposal
  const round = isOpen(listed.proposal) ? Math.min(listed.round - 1, 1) : listed.round
  return round > 0 ? [earlierTallyRow({ proposalId, round, chain }, at)] : []
}

/** Applies all chunks of a snapshot; returns the tallies of rounds that ended before it. */
export function applySnapshot(
  state: FoldState,
  chunks: readonly SnapshotEvent[],
  offset: bigint,
): TallyRow[] {
  const tallies: TallyRow[] = []
  const params = chunks.find(({ data }) => data.chunk === 0)?.data.params
  for (const chunk of chunks) {
    const to = { state, at: eventPosition(chunk), offset }
    for (const listed of chunk.data.proposals) {
      const { proposalId } = listed.proposal
      if (state.closed.has(proposalId)) continue
      introduceListed(to, listed, { height: chunk.height, params })
      if (!isOpen(listed.proposal)) state.earlier.add(proposalId)
      tallies.push(...earlierTally(listed, to))
    }
  }
  const open = [...state.proposals.values()].filter((proposal) => !state.closing.has(proposal))
  for (const chunk of chunks) {
    const to = { state, at: eventPosition(chunk), offset }
    for (const { what, reason } of chunk.data.unavailable) {
      for (const { proposalId } of open) addPartial(to, proposalId, `${what}: ${reason}`)
    }
  }
  return tallies
}
