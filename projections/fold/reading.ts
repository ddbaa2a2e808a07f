// Joins the chunks of one reading of a round, and reports missing parts.
import { toOrdinal } from '../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import type { PoolState } from '../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../ingest/contract/round-events.ts'
import { readRule, TALLY_RULES } from '../../ingest/contract/tally-rule.ts'
import { type EventPosition, eventPosition, later } from './event-position.ts'

type ReadEvent = EventOf<'rollcall.round.read.v1'>

/** One reading of a round, in the chunks of the log. */
export type Reading = {
  /** Of its height, ordinal, proposal and round. */
  key: string
  ordinal: number
  proposalId: string
  round: number
  /** Position of its last chunk. */
  at: EventPosition
  /** Its first chunk in the log: what is not a list is the same in all, or in this one alone. */
  head: ReadEvent['data']
  pools: readonly PoolState[]
  ballots: readonly ReadBallot[]
  /** Whether the lists have all pools, and all ballots of the round. */
  hasAllPools: boolean
  hasAllBallots: boolean
  /** What is missing; null if nothing is. */
  problem: string | null
}

/** Why the lists of a reading are not whole; null if they are. */
function findMissing(chunks: readonly ReadEvent['data'][], events: number): string | null {
  const expected = chunks[0]?.chunks ?? 0
  const present = chunks.filter(({ chunk }) => chunk < expected).length
  if (present < expected) return `${expected - present} of its ${expected} chunks could not be read`
  if (events !== expected || chunks.some((chunk) => chunk.chunks !== expected)) {
    return 'its chunks contradict each other'
  }
  const cut = chunks.find(({ omitted }) => omitted)
  return cut ? (cut.omittedReason ?? 'a chunk was too large for the log') : null
}

function joinChunks(key: string, events: readonly ReadEvent[]): Reading {
  const [first] = events as readonly [ReadEvent]
  const chunks = [...new Map(events.map(({ data }) => [data.chunk, data])).values()]
  chunks.sort((one, other) => one.chunk - other.chunk)
  const missing = findMissing(chunks, events.length)
  const incomplete = chunks.find(({ complete }) => !complete)
  const unread = incomplete && (incomplete.incompleteReason ?? 'the node did not return all of it')
  return {
    key,
    ordinal: toOrdinal(first.index),
    proposalId: first.data.proposalId,
    round: Math.max(first.data.round, 1),
    at: events.map(eventPosition).reduce(later),
    head: chunks[0] ?? first.data,
    pools: chunks.flatMap(({ pools }) => pools),
    ballots: chunks.flatMap(({ ballots }) => ballots),
    hasAllPools: missing === null && chunks.every(({ allPools }) => allPools),
    hasAllBallots: missing === null && chunks.every(({ allBallots }) => allBallots),
    problem: missing ?? unread ?? null,
  }
}

/** The readings in the events of one or more heights, in order. */
export function gatherReadings(events: Iterable<GovernanceEvent>): Reading[] {
  const byKey = new Map<string, ReadEvent[]>()
  for (const event of events) {
    if (event.type !== 'rollcall.round.read.v1') continue
    const { proposalId, round } = event.data
    const key = `${event.height}/${toOrdinal(event.index)}/${proposalId}/${round}`
    const known = byKey.get(key)
    if (known) known.push(event)
    else byKey.set(key, [event])
  }
  return [...byKey].map(([key, chunks]) => joinChunks(key, chunks))
}

/** Why no tally can be computed from a final reading; null if it can. */
export function findUntallied({ head, problem, ballots }: Reading): string | null {
  if (TALLY_RULES[readRule(head)].strategy === 'none') {
    return 'the tally rules of this chain are unknown to Rollcall (strategy none)'
  }
  if (problem !== null) return `the evidence of the tally is incomplete: ${problem}`
  const lacking = ballots.find(({ options, delegations }) => !options || !delegations)
  return lacking
    ? `the evidence cannot be tallied: the vote of ${lacking.voter} lacks a part`
    : null
}
