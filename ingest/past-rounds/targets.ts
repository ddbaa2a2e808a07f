// The proposals that had ended at the snapshot, and which of them are done. Both are read from the log: it is the only cursor.
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { recordsBetween } from '../../infra/base/log/records-between.ts'
import { decodeEvent } from '../contract/codec.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { ProposalState } from '../contract/facts.ts'
import { isOpen } from '../contract/governance/fact.ts'

const READ_LIMITS = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }

/** The events of one height that is in the log. */
async function* eventsOf(
  log: EventLog,
  height: number | undefined,
): AsyncIterable<GovernanceEvent> {
  const from = height === undefined ? 0n : await log.offsetOfHeight(height)
  for await (const records of recordsBetween(log, { from, limits: READ_LIMITS })) {
    for (const { value } of records) {
      const decoded = decodeEvent(value)
      if (!decoded.ok) continue
      yield decoded.event
      if (decoded.event.type === 'rollcall.block.indexed.v1') return
    }
  }
}

const byNumber = (left: string, right: string): number => {
  const difference = BigInt(left) - BigInt(right)
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** Of a vote that the log has from the snapshot on. */
export type OpenVote = { round: number; stateHeight: number }

export type Target = {
  proposalId: string
  proposal: ProposalState
  /** Null if it had ended at the snapshot. */
  open: OpenVote | null
}

type Snapshot = EventOf<'rollcall.chain.snapshot.v1'>['data']

const toTargets = (chunks: readonly Snapshot[], withOpen: boolean): Target[] =>
  chunks.flatMap(({ proposals, stateHeight }) =>
    proposals.flatMap(({ proposal, round }): Target[] => {
      const { proposalId, status, votingEndTime } = proposal
      if (votingEndTime === null) return []
      if (!isOpen(proposal)) return [{ proposalId, proposal, open: null }]
      if (!withOpen || status !== 'voting_period') return []
      return [{ proposalId, proposal, open: { round, stateHeight } }]
    }),
  )

/** By ascending ID; empty if the log begins without a snapshot. `withOpen`: also votes that had begun. */
export const readTargets = async (
  log: EventLog,
  { withOpen }: { withOpen: boolean },
): Promise<Target[]> => {
  const chunks: Snapshot[] = []
  for await (const event of eventsOf(log, undefined)) {
    if (event.type === 'rollcall.chain.snapshot.v1') chunks.push(event.data)
  }
  return toTargets(chunks, withOpen).sort((one, other) =>
    byNumber(one.proposalId, other.proposalId),
  )
}

type DoneRange = EventOf<'rollcall.history.progressed.v1'>['data']['done'][number]

export type Done = {
  has(proposalId: string, searchesVotes: boolean): boolean
  add(proposalId: string, votes: boolean): void
  /** Of these targets, in their order. */
  ranges(targets: readonly Target[]): DoneRange[]
  /** How many of these. */
  count(targets: readonly Target[]): number
}

export const createDone = (before: readonly DoneRange[]): Done => {
  const votesOf = new Map<string, boolean>()
  const find = (proposalId: string): boolean | undefined => {
    const known = votesOf.get(proposalId)
    if (known !== undefined) return known
    const isIn = ({ from, to }: DoneRange) =>
      byNumber(from, proposalId) <= 0 && byNumber(proposalId, to) <= 0
    return before.find(isIn)?.votes
  }
  return {
    has: (proposalId, searchesVotes) => {
      const votes = find(proposalId)
      return votes !== undefined && (votes || !searchesVotes)
    },
    add: (proposalId, votes) => void votesOf.set(proposalId, votes),
    count: (targets) => targets.filter(({ proposalId }) => find(proposalId) !== undefined).length,
    ranges: (targets) => {
      const ranges: DoneRange[] = []
      let open: DoneRange | undefined
      for (const { proposalId } of targets) {
        const votes = find(proposalId)
        if (open && votes === open.votes) {
          open.to = proposalId
          continue
        }
        open = votes === undefined ? undefined : { from: proposalId, to: proposalId, votes }
        if (open) ranges.push(open)
      }
      return ranges
    },
  }
}

/** `at`: the height of the last `history.progressed`. */
export const readDone = async (log: EventLog, at: number | null): Promise<Done> => {
  if (at === null) return createDone([])
  for await (const event of eventsOf(log, at)) {
    if (event.type === 'rollcall.history.progressed.v1') return createDone(event.data.done)
  }
  return createDone([])
}
