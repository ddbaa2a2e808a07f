// Joins the chunks of one tally's evidence, and reports missing parts.
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import { type EventPosition, eventPosition, later } from './event-position.ts'

type EvidenceEvent = EventOf<'rollcall.tally.evidence.v1'>
export type EvidenceChunk = EvidenceEvent['data']

/** The inputs of one tally, in the chunks of the log. */
export type Evidence = {
  /** Key of height, proposal and round. */
  key: string
  proposalId: string
  round: number
  /** Position of its last chunk. */
  at: EventPosition
  /** In order, each once. */
  chunks: readonly EvidenceChunk[]
  /** Why nothing can be computed from it; null if it is complete. */
  problem: string | null
}

const findProblem = (chunks: readonly EvidenceChunk[], events: number): string | null => {
  const [first] = chunks
  const expected = first?.chunks ?? 0
  const present = new Set(chunks.map(({ chunk }) => chunk).filter((chunk) => chunk < expected))
  const missing = expected - present.size
  if (missing > 0) {
    return `the evidence of the tally is incomplete: ${missing} of its ${expected} chunks could not be read`
  }
  if (events !== expected || chunks.some((chunk) => chunk.chunks !== expected)) {
    return 'the chunks of the evidence contradict each other'
  }
  if (first?.strategy === 'none') {
    return 'the tally rules of this chain are unknown to Rollcall (strategy none)'
  }
  const incomplete = chunks.find(({ complete }) => !complete)
  if (!incomplete) return null
  const reason = incomplete.incompleteReason ?? 'the node did not return all of it'
  return `the evidence of the tally is incomplete: ${reason}`
}

const gather = (key: string, events: readonly EvidenceEvent[]): Evidence => {
  const [first] = events as readonly [EvidenceEvent]
  const chunks = [...new Map(events.map(({ data }) => [data.chunk, data])).values()]
  chunks.sort((one, other) => one.chunk - other.chunk)
  return {
    key,
    proposalId: first.data.proposalId,
    round: Math.max(first.data.round, 1),
    at: events.map(eventPosition).reduce(later),
    chunks,
    problem: findProblem(chunks, events.length),
  }
}

/** One for each round with evidence in the events of one or more heights. */
export const gatherEvidence = (events: Iterable<GovernanceEvent>): Evidence[] => {
  const byRound = new Map<string, EvidenceEvent[]>()
  for (const event of events) {
    if (event.type !== 'rollcall.tally.evidence.v1') continue
    const key = `${event.height}/${event.data.proposalId}/${event.data.round}`
    const known = byRound.get(key)
    if (known) known.push(event)
    else byRound.set(key, [event])
  }
  return [...byRound].map(([key, chunks]) => gather(key, chunks))
}
