// Which facts the log lacks although a later state has them, and when that state is read: at the same heights after a restart.
import { toEpochMs } from '../chain/time.ts'
import type { EventOf } from '../contract/events.ts'
import type { GovParams } from '../contract/facts.ts'
import type { FactEvent } from '../contract/governance/fact.ts'
import type { Closed } from '../contract/governance/lifecycle.ts'
import {
  findMissingFacts,
  LATE_READS_MS,
  learnProposal,
  type MissingFacts,
} from '../contract/late-reads.ts'
import { type BlockTimes, countReadings } from './state-check.ts'

/** An event that lacks facts. */
export type Incomplete = {
  id: string
  height: number
  timeMs: number
  proposalId: string
  round: number
  /** The event ended this round, and the proposal stays open. */
  isRestart: boolean
  missing: MissingFacts
  /** The last parameters in the log since the submission and before the event; null if there are none. */
  paramsBefore: GovParams | null
}

/** An event with the state of its proposal, or at its end. */
export type ProposalEvent =
  | Exclude<FactEvent, EventOf<'rollcall.vote.cast.v1'>>
  | EventOf<'rollcall.proposal.read-late.v1'>

export type LateReads = {
  observe(params: GovParams | null, height: number): void
  list(proposalId: string, height: number): void
  /** `closed`: set if the event closed the proposal. */
  apply(event: ProposalEvent, closed: Closed | undefined): void
  /** The events whose facts are read at a block of this time, at most `limit`. */
  takeDue(times: BlockTimes, limit: number): readonly Incomplete[]
  /** The first height of the proposals that ended and are incomplete; null if there is none. */
  since(): number | null
}

type Tracked = { since: number; isOver: boolean; incomplete: Incomplete[] }

type Observed = { height: number; params: GovParams }

const isDue = ({ timeMs }: Incomplete, { previousMs, nowMs }: BlockTimes): boolean =>
  countReadings(nowMs - timeMs) > countReadings(previousMs - timeMs)

/** The end of the next round replaces the tally in the state. */
const withoutTally = (incomplete: Incomplete): Incomplete => ({
  ...incomplete,
  missing: { ...incomplete.missing, finalTally: false },
})

const keep = (tracked: Tracked, isKept: (each: Incomplete) => boolean): void => {
  tracked.incomplete = tracked.incomplete.filter(isKept)
}

const toIncomplete = (
  event: ProposalEvent,
  paramsBefore: GovParams | null,
): Incomplete | undefined => {
  const missing = findMissingFacts(event)
  if (!missing) return undefined
  const { id, height, time, data, type } = event
  const { proposalId } = data
  const round = 'round' in data ? data.round : 0
  const isRestart = type === 'rollcall.voting.restarted.v1'
  const timeMs = toEpochMs(time)
  return { id, height, timeMs, proposalId, round, isRestart, missing, paramsBefore }
}

const applyTo = (
  tracked: Tracked,
  event: ProposalEvent,
  { isClosed, observed }: { isClosed: boolean; observed: Observed | null },
): void => {
  if ('proposal' in event.data && event.data.proposal) {
    tracked.incomplete = learnProposal(tracked.incomplete)
  }
  if (event.type === 'rollcall.proposal.read-late.v1') {
    keep(tracked, ({ id }) => id !== event.data.completes)
  }
  if (isClosed) {
    tracked.isOver = true
    tracked.incomplete = tracked.incomplete.map(withoutTally)
  }
  // Only what a fold of this proposal sees: a restart may begin there.
  const isOfProposal = observed !== null && observed.height >= tracked.since
  const incomplete = toIncomplete(event, isOfProposal ? observed.params : null)
  if (incomplete) tracked.incomplete.push(incomplete)
}

export const createLateReads = (): LateReads => {
  const proposals = new Map<string, Tracked>()
  let observed: Observed | null = null
  const find = (proposalId: string, height: number): Tracked => {
    const known = proposals.get(proposalId)
    if (known) return known
    const tracked = { since: height, isOver: false, incomplete: [] }
    proposals.set(proposalId, tracked)
    return tracked
  }
  const releaseIfDone = (proposalId: string, { isOver, incomplete }: Tracked): void => {
    if (isOver && incomplete.length === 0) proposals.delete(proposalId)
  }
  return {
    list: find,
    observe: (params, height) => {
      if (params) observed = { height, params }
    },
    apply: (event, closed) => {
      const { proposalId } = event.data
      if (closed?.isDeleted) {
        proposals.delete(proposalId)
        return
      }
      const tracked = find(proposalId, event.height)
      applyTo(tracked, event, { isClosed: closed !== undefined, observed })
      releaseIfDone(proposalId, tracked)
    },
    takeDue: (times, limit) => {
      const due: Incomplete[] = []
      for (const [proposalId, tracked] of proposals) {
        if (tracked.incomplete.length === 0) continue
        for (const each of tracked.incomplete) if (isDue(each, times)) due.push(each)
        keep(tracked, ({ timeMs }) => times.nowMs - timeMs <= LATE_READS_MS)
        releaseIfDone(proposalId, tracked)
      }
      return due.slice(0, limit)
    },
    since: () => {
      let lowest: number | null = null
      for (const { since, isOver } of proposals.values()) {
        if (isOver) lowest = Math.min(lowest ?? since, since)
      }
      return lowest
    },
  }
}
