// Applies the state before the first indexed block: open proposals continue from there, closed ones are only recorded.
import type { EventOf } from '../../ingest/contract/events.ts'
import type { GovParams } from '../../ingest/contract/facts.ts'
import { isOpen, toListedFact } from '../../ingest/contract/governance/fact.ts'
import type { TallyRow } from '../contract/tables/votes.ts'
import { applyChange, type Change, type Origin } from './change.ts'
import { eventPosition } from './event-position.ts'
import { follow } from './follow.ts'
import { messagesJson } from './rows/proposals.ts'
import { earlierTallyRow } from './rows/tallies.ts'
import type { FoldState } from './state.ts'

type SnapshotEvent = EventOf<'rollcall.chain.snapshot.v1'>
type SnapshotProposal = SnapshotEvent['data']['proposals'][number]

type Begin = { height: number; params: GovParams | null | undefined }

const introduce = (
  state: FoldState,
  listed: SnapshotProposal,
  { height, params }: Begin,
): Change[] => {
  const { proposal, messages, round, roundReason = null } = listed
  const { proposalId } = proposal
  const depositParams = proposal.status === 'deposit_period' ? params : undefined
  const own = { messages: messagesJson(messages), round, roundReason, depositParams }
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
  // A reading of the round follows with its ballots.
  const rounds = begun.flatMap((change): Change[] => [
    change.kind === 'round_begun' ? { ...change, isWhole: true } : change,
    { kind: 'ballot_unknown', proposalId },
  ])
  return [...changes, ...rounds, ...closed]
}

/** For the last ended round; a restarted vote keeps its first round's tally until the next one. */
const earlierTally = (listed: SnapshotProposal, { at }: Origin): TallyRow[] => {
  const { proposalId, finalTally: chain } = listed.proposal
  const round = isOpen(listed.proposal) ? Math.min(listed.round - 1, 1) : listed.round
  return round > 0 ? [earlierTallyRow({ proposalId, round, chain }, at)] : []
}

const markUnavailable = (state: FoldState, { data }: SnapshotEvent): Change[] =>
  data.unavailable.flatMap(({ what, reason }) =>
    [...state.proposals.values()]
      .filter((proposal) => !state.closing.has(proposal))
      .map(
        ({ proposalId }): Change => ({
          kind: 'history_partial',
          proposalId,
          reason: `${what}: ${reason}`,
        }),
      ),
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
  const params = chunks.find(({ data }) => data.chunk === 0)?.data.params
  for (const chunk of chunks) {
    const origin = toOrigin(chunk)
    for (const listed of chunk.data.proposals) {
      if (state.closed.has(listed.proposal.proposalId)) continue
      applyAll(introduce(state, listed, { height: chunk.height, params }), origin)
      if (!isOpen(listed.proposal)) state.earlier.add(listed.proposal.proposalId)
      tallies.push(...earlierTally(listed, origin))
    }
  }
  for (const chunk of chunks) applyAll(markUnavailable(state, chunk), toOrigin(chunk))
  return tallies
}
