// Assigns each governance fact its index within the height, by the rule in `contract/envelope.ts`.
import type { AbciEvent } from '../comet/blocks/block.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { BlockFact } from '../contract/governance/fact.ts'
import type { Origin, RawFact } from './raw-fact.ts'

/** One governance event of a block with its facts, at least one. */
export type EventFacts = { event: AbciEvent; bodies: readonly BlockFact[] }

const ranked = ({ event, bodies }: EventFacts, ordinal: number): RawFact[] =>
  bodies.map((body, sub): RawFact => {
    const origin: Origin = { ordinal, sub, abciOrdinal: event.ordinal, txIndex: event.txIndex }
    return { ...origin, ...body }
  })

/** Takes the last index of the height, so that the log reports the events that it lacks. */
const leftOut = (events: readonly EventFacts[], ordinal: number): RawFact => ({
  ordinal,
  sub: 0,
  abciOrdinal: events[0]!.event.ordinal,
  txIndex: null,
  kind: 'undecodable',
  abciType: '',
  attributes: [],
  proposalId: null,
  reason: `${events.length} governance events of this height are left out: its index is full`,
})

/**
 * In the order of the block. `last` is the highest available ordinal. If the governance events alone exceed
 * it, the first ones are kept and the last index reports how many are left out.
 */
export const numberFacts = (
  found: readonly EventFacts[],
  last: number = ORDINAL.lastAbciEvent,
): RawFact[] => {
  const highest = found.at(-1)?.event.ordinal ?? 0
  if (highest <= last) return found.flatMap((each) => ranked(each, each.event.ordinal))
  const first = ORDINAL.firstAbciEvent
  const capacity = last - first + 1
  const kept = found.length <= capacity ? found : found.slice(0, capacity - 1)
  const facts = kept.flatMap((each, order) => ranked(each, first + order))
  if (kept.length < found.length) facts.push(leftOut(found.slice(kept.length), last))
  return facts
}
